#include "dispatcher/schema_type_parser.h"

#include <charconv>

namespace gb::jit {
namespace {

constexpr int kMaxDepth = 64;
constexpr int32_t kMaxLength = 1024;  // of `int[n]`: a default `x=1` is written out n times

struct NamedType {
  std::string_view name;
  TypeKind kind;
};
constexpr NamedType kNamedTypes[] = {
#define GB_NAMED(kind, spelling) {spelling, TypeKind::kind},
    GB_FORALL_ATOM_TYPES(GB_NAMED)
#undef GB_NAMED
    // Names that PyTorch reads as another type, and prints as that type.
    {"Dimname", TypeKind::StringType},
    {"None", TypeKind::NoneType},
    {"DeviceIndex", TypeKind::IntType},
    {"ConstQuantizerPtr", TypeKind::IntType},
};

// Can a value of this type be written to? Numbers, strings, devices and the like cannot change.
bool can_be_written(const Type& type) {
  switch (type.kind()) {
    case TypeKind::TensorType:
    case TypeKind::StorageType:
    case TypeKind::GeneratorType:
    case TypeKind::StreamObjType:
    case TypeKind::QuantizerType:
    case TypeKind::CapsuleType:
    case TypeKind::AnyType:
    case TypeKind::AnyListType:
    case TypeKind::AnyClassType:
    case TypeKind::ListType:
    case TypeKind::DictType:
    case TypeKind::VarType:
    case TypeKind::ClassType:
      return true;
    default:  // a tuple, an optional or a future as far as something in it can
      for (const TypePtr& part : type.containedTypes())
        if (can_be_written(*part)) return true;
      return false;
  }
}

}  // namespace

ParsedType SchemaTypeParser::parse() {
  if (++depth_ > kMaxDepth)
    lexer_.fail(lexer_.current().offset, "types are nested too deeply", "use at most 64 levels");
  ParsedType parsed = parse_base();
  for (int suffixes = 0;; ++suffixes) {
    if (suffixes > kMaxDepth)
      lexer_.fail(lexer_.current().offset, "types are nested too deeply", "use at most 64 levels");
    const size_t at = lexer_.current().offset;
    if (lexer_.next_if("[")) {
      if (parsed.n)
        lexer_.fail(at, "only the outermost list may have a length", "leave the inner number out");
      if (!lexer_.current().is("]")) parsed.n = parse_length();
      lexer_.expect("]");
      parsed.type = ListType::create(std::move(parsed.type));
      // An annotation so far was on the element. The list counts as written when its elements are.
      std::optional<AliasInfo> list_alias = parse_annotation(*parsed.type);
      if (parsed.alias) {
        if (!list_alias) list_alias.emplace().setIsWrite(parsed.alias->isWrite());
        list_alias->addContainedType(std::move(*parsed.alias));
      }
      parsed.alias = std::move(list_alias);
    } else if (lexer_.next_if("?")) {
      if (parsed.type->kind() == TypeKind::OptionalType)
        lexer_.fail(at, "an optional of an optional", "write one `?`");
      parsed.type = OptionalType::create(std::move(parsed.type));
    } else if (!parsed.alias && (lexer_.current().is("(") || lexer_.current().is("!"))) {
      parsed.alias = parse_annotation(*parsed.type);
    } else {
      break;
    }
  }
  --depth_;
  return parsed;
}

ParsedType SchemaTypeParser::parse_base() {
  if (lexer_.current().is("(")) return parse_tuple();
  const Token name = lexer_.expect(Token::Kind::Identifier, "a type");
  TypePtr type = parse_parameters(name);
  if (!type) type = parse_named(name);
  std::optional<AliasInfo> alias = parse_annotation(*type);
  return {std::move(type), std::move(alias), {}};
}

ParsedType SchemaTypeParser::parse_tuple() {
  std::vector<TypePtr> parts;
  std::vector<AliasInfo> contained;
  bool any = false, write = false;
  lexer_.expect("(");
  if (!lexer_.current().is(")")) {
    do {
      ParsedType part = parse();
      any |= part.alias.has_value();
      write |= part.alias && part.alias->isWrite();
      parts.push_back(std::move(part.type));
      contained.push_back(part.alias.value_or(AliasInfo()));
    } while (lexer_.next_if(","));
  }
  lexer_.expect(")");
  std::optional<AliasInfo> alias;
  if (any) alias.emplace(write, AliasInfo::Sets{}, AliasInfo::Sets{}, std::move(contained));
  return {TupleType::create(std::move(parts)), std::move(alias), {}};
}

TypePtr SchemaTypeParser::parse_parameters(const Token& name) {
  const bool dict = name.is_word("Dict");
  if (!dict && !name.is_word("Future") && !name.is_word("Await") && !name.is_word("RRef")) return nullptr;
  lexer_.expect("(");
  TypePtr first = parse().type;
  TypePtr type;
  if (dict) {
    lexer_.expect(",");
    type = DictType::create(std::move(first), parse().type);
  } else if (name.is_word("Future")) {
    type = FutureType::create(std::move(first));
  } else if (name.is_word("Await")) {
    type = AwaitType::create(std::move(first));
  } else {
    type = RRefType::create(std::move(first));
  }
  lexer_.expect(")");
  return type;
}

TypePtr SchemaTypeParser::parse_named(const Token& name) {
  if (name.is_word("__torch__")) {  // a custom class: __torch__.torch.classes.ns.Name
    std::string qualified(name.text);
    while (lexer_.next_if(".")) {
      qualified += "." + std::string(lexer_.expect(Token::Kind::Identifier, "a part of a class name").text);
    }
    return ClassType::create(std::move(qualified));
  }
  for (const NamedType& known : kNamedTypes)
    if (known.name == name.text) return atom_type(known.kind);
  if (name.text[0] >= 'a' && name.text[0] <= 'z') {
    if (allow_typevars_) return VarType::create(std::string(name.text));
    lexer_.fail(name.offset, "unknown type " + describe(name),
                "type variables are not allowed here: name a type");
  }
  lexer_.fail(
      name.offset, "unknown type " + describe(name),
      "types are Tensor, int, float, bool, str, Scalar, ScalarType, Device, Layout, MemoryFormat, Generator, "
      "SymInt, Dict(k, v), ...; lists are `T[]`, optionals `T?`");
}

std::optional<AliasInfo> SchemaTypeParser::parse_annotation(const Type& type) {
  const auto check_write = [&](size_t offset) {
    if (can_be_written(type)) return;
    lexer_.fail(offset, "a value of type `" + type.str() + "` cannot be written",
                "leave `!` out: only tensors, lists, dicts and objects change in place");
  };
  const size_t start = lexer_.current().offset;
  if (lexer_.next_if("!")) {
    check_write(start);
    const AliasInfo::Sets fresh = {Symbol::fromQualString("alias::$" + std::to_string(next_fresh_++))};
    return AliasInfo(true, fresh, fresh);
  }
  if (!lexer_.current().is("(")) return std::nullopt;
  lexer_.expect("(");
  AliasInfo::Sets before = parse_sets();
  const size_t mark = lexer_.current().offset;
  const bool write = lexer_.next_if("!");
  if (write) check_write(mark);
  AliasInfo::Sets after = lexer_.next_if("->") ? parse_sets() : before;
  lexer_.expect(")");
  return AliasInfo(write, std::move(before), std::move(after));
}

AliasInfo::Sets SchemaTypeParser::parse_sets() {
  AliasInfo::Sets sets;
  do {
    sets.insert(
        lexer_.next_if("*")
            ? AliasInfo::wildcardSet()
            : Symbol::fromQualString(
                  "alias::" + std::string(lexer_.expect(Token::Kind::Identifier, "an alias set").text)));
  } while (lexer_.next_if("|"));
  return sets;
}

int32_t SchemaTypeParser::parse_length() {
  const Token token = lexer_.expect(Token::Kind::Number, "`]` or the length of a list");
  int32_t n = 0;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), n);
  if (error != std::errc() || end != token.text.data() + token.text.size() || n > kMaxLength) {
    lexer_.fail(token.offset, "the length of a list is not a small whole number", "write `int[2]`");
  }
  return n;
}

}  // namespace gb::jit
