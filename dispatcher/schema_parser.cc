#include "dispatcher/schema_parser.h"

#include <fmt/format.h>

#include "dispatcher/schema_default_parser.h"
#include "dispatcher/schema_lexer.h"
#include "dispatcher/schema_type_parser.h"

namespace gb::jit {
namespace {

class SchemaParser {
 public:
  SchemaParser(const std::string& text, bool allow_typevars) : lexer_(text), types_(lexer_, allow_typevars) {}

  OperatorName parse_name();
  FunctionSchema parse_rest(OperatorName name);
  bool at_end() const { return lexer_.current().kind == Token::Kind::End; }
  void expect_end() { lexer_.expect(Token::Kind::End, "the end of the text"); }

 private:
  void parse_arguments();
  void parse_returns();
  Argument parse_argument(bool kwarg_only);
  Argument parse_return();
  void note_sets(const AliasInfo& info);
  void check_sets(const AliasInfo& info, const Token& at) const;

  SchemaLexer lexer_;
  SchemaTypeParser types_;
  std::vector<Argument> arguments_, returns_;
  std::string name_with_default_;  // the last positional argument that had one
  AliasInfo::Sets argument_sets_;  // every alias set that an argument is in, before or after the call
  bool is_vararg_ = false, is_varret_ = false;
};

OperatorName SchemaParser::parse_name() {
  std::string name(lexer_.expect(Token::Kind::Identifier, "the operator's name").text);
  if (lexer_.next_if("::"))
    name += "::" + std::string(lexer_.expect(Token::Kind::Identifier, "a name after `::`").text);
  std::string overload;
  if (lexer_.next_if(".")) {
    const Token token = lexer_.expect(Token::Kind::Identifier, "an overload name after `.`");
    if (token.text == "default" || token.text.substr(0, 2) == "__") {
      lexer_.fail(token.offset, describe(token) + " is not allowed as an overload name",
                  "leave it out for the default overload, or choose another word");
    }
    overload = token.text;
  }
  return {std::move(name), std::move(overload)};
}

FunctionSchema SchemaParser::parse_rest(OperatorName name) {
  parse_arguments();
  lexer_.expect("->");
  parse_returns();
  expect_end();
  return FunctionSchema(std::move(name.name), std::move(name.overload_name), std::move(arguments_),
                        std::move(returns_), is_vararg_, is_varret_);
}

void SchemaParser::parse_arguments() {
  bool kwarg_only = false;
  lexer_.expect("(");
  if (lexer_.next_if(")")) return;
  do {
    const Token start = lexer_.current();
    if (is_vararg_) lexer_.fail(start.offset, "nothing may follow `...`", "put `...` last");
    if (lexer_.next_if("*")) {
      if (kwarg_only) lexer_.fail(start.offset, "a second `*`", "one `*` makes all that follow keyword-only");
      kwarg_only = true;
    } else if (lexer_.next_if("...")) {
      is_vararg_ = true;
    } else {
      arguments_.push_back(parse_argument(kwarg_only));
    }
  } while (lexer_.next_if(","));
  lexer_.expect(")");
}

Argument SchemaParser::parse_argument(bool kwarg_only) {
  ParsedType type = types_.parse();
  const Token token = lexer_.expect(Token::Kind::Identifier, "an argument name");
  std::string name(token.text);
  for (const Argument& other : arguments_) {
    if (other.name() == name)
      lexer_.fail(token.offset, fmt::format("two arguments are named `{}`", name),
                  "give every argument a name of its own");
  }
  std::optional<IValue> value;
  if (lexer_.next_if("=")) value = parse_default(lexer_, type);
  if (!kwarg_only) {
    if (value)
      name_with_default_ = name;
    else if (!name_with_default_.empty()) {
      lexer_.fail(token.offset,
                  fmt::format("argument `{}` has no default but follows `{}`, which has one", name,
                              name_with_default_),
                  "give it a default, or make it keyword-only by a `*` before it");
    }
  }
  if (type.alias) note_sets(*type.alias);
  return Argument(std::move(name), type.type, type.n, std::move(value), kwarg_only, std::move(type.alias));
}

void SchemaParser::parse_returns() {
  if (lexer_.next_if("...")) {
    is_varret_ = true;
  } else if (lexer_.next_if("(")) {
    if (lexer_.next_if(")")) return;
    do {
      const Token start = lexer_.current();
      if (is_varret_) lexer_.fail(start.offset, "nothing may follow `...`", "put `...` last");
      if (lexer_.next_if("..."))
        is_varret_ = true;
      else
        returns_.push_back(parse_return());
    } while (lexer_.next_if(","));
    lexer_.expect(")");
  } else {
    returns_.push_back(parse_return());
  }
}

Argument SchemaParser::parse_return() {
  const Token start = lexer_.current();
  ParsedType type = types_.parse();
  if (type.alias) check_sets(*type.alias, start);
  std::string name;
  if (lexer_.current().kind == Token::Kind::Identifier) name = lexer_.next().text;
  return Argument(std::move(name), type.type, type.n, {}, false, std::move(type.alias));
}

void SchemaParser::note_sets(const AliasInfo& info) {
  argument_sets_.insert(info.beforeSets().begin(), info.beforeSets().end());
  argument_sets_.insert(info.afterSets().begin(), info.afterSets().end());
  for (const AliasInfo& part : info.containedTypes()) note_sets(part);
}

// A return can only share memory with what went in; `*` may be anything.
void SchemaParser::check_sets(const AliasInfo& info, const Token& at) const {
  for (const AliasInfo::Sets* sets : {&info.beforeSets(), &info.afterSets()}) {
    for (const Symbol set : *sets) {
      if (set == AliasInfo::wildcardSet() || argument_sets_.count(set)) continue;
      lexer_.fail(
          at.offset, fmt::format("the return is in alias set `{}`, but no argument is", set.toUnqualString()),
          fmt::format("mark the argument whose memory it shares: `Tensor({}) self`", set.toUnqualString()));
    }
  }
  for (const AliasInfo& part : info.containedTypes()) check_sets(part, at);
}

}  // namespace

std::variant<OperatorName, FunctionSchema> parseSchemaOrName(const std::string& text, bool allow_typevars) {
  SchemaParser parser(text, allow_typevars);
  OperatorName name = parser.parse_name();
  if (parser.at_end()) return name;
  return parser.parse_rest(std::move(name));
}

FunctionSchema parseSchema(const std::string& text, bool allow_typevars) {
  SchemaParser parser(text, allow_typevars);
  OperatorName name = parser.parse_name();
  return parser.parse_rest(std::move(name));
}

OperatorName parseName(const std::string& text) {
  SchemaParser parser(text, true);
  OperatorName name = parser.parse_name();
  parser.expect_end();
  return name;
}

}  // namespace gb::jit
