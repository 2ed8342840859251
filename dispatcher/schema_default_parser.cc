#include "dispatcher/schema_default_parser.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace gb::jit {
namespace {

// A word that may stand for the int that it is held as, in a default of that type.
struct NamedDefault {
  std::string_view word;
  TypeKind type;
  int64_t value;
};
constexpr int64_t of(ScalarType t) { return static_cast<int64_t>(t); }
constexpr NamedDefault kNamedDefaults[] = {
    {"contiguous_format", TypeKind::MemoryFormatType, static_cast<int64_t>(MemoryFormat::Contiguous)},
    {"preserve_format", TypeKind::MemoryFormatType, static_cast<int64_t>(MemoryFormat::Preserve)},
    {"strided", TypeKind::LayoutType, static_cast<int64_t>(Layout::Strided)},
    {"Mean", TypeKind::IntType, 1},  // the `reduction` argument of losses: none 0, mean 1, sum 2
    {"Sum", TypeKind::IntType, 2},
    {"float", TypeKind::ScalarTypeType, of(kFloat)},
    {"double", TypeKind::ScalarTypeType, of(kDouble)},
    {"half", TypeKind::ScalarTypeType, of(kHalf)},
    {"bfloat16", TypeKind::ScalarTypeType, of(kBFloat16)},
    {"long", TypeKind::ScalarTypeType, of(kLong)},
    {"int", TypeKind::ScalarTypeType, of(kInt)},
    {"bool", TypeKind::ScalarTypeType, of(kBool)},
};

[[noreturn]] void fail_default(const SchemaLexer& lexer, const Token& token, const Type& type,
                               const char* repair) {
  lexer.fail(token.offset, fmt::format("{} is no default for a `{}`", describe(token), type.str()), repair);
}

double parse_double(const SchemaLexer& lexer, const Token& token) {
  double v = 0;
  const auto [end, error] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), v);
  if (error != std::errc() || end != token.text.data() + token.text.size())
    lexer.fail(token.offset, fmt::format("the number {} does not fit a float64", describe(token)),
               "use a smaller one");
  return v;
}

// The sign is part of the text, so that the least int64 can be read.
int64_t parse_int(const SchemaLexer& lexer, const Token& token, bool negative) {
  const std::string digits = (negative ? "-" : "") + std::string(token.text);
  int64_t v = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), v);
  if (error != std::errc() || end != digits.data() + digits.size())
    lexer.fail(token.offset, fmt::format("the number {} is no 64-bit int", describe(token)),
               "write a whole number");
  return v;
}

bool is_whole(const Token& token) { return token.text.find_first_of(".eE") == std::string_view::npos; }

IValue parse_number(SchemaLexer& lexer, const Type& type) {
  const bool negative = lexer.next_if("-");
  const Token token = lexer.next();
  const TypeKind kind = lower_type(atom_type(type.kind()))->kind();
  const bool floating = kind == TypeKind::FloatType || kind == TypeKind::NumberType;
  if (floating && (token.is_word("inf") || token.is_word("nan"))) {
    const double v = token.is_word("inf") ? std::numeric_limits<double>::infinity()
                                          : std::numeric_limits<double>::quiet_NaN();
    return negative ? -v : v;
  }
  if (kind == TypeKind::IntType && !negative)
    for (const NamedDefault& named : kNamedDefaults)
      if (token.is_word(named.word) && type.kind() == named.type) return named.value;
  if (token.kind != Token::Kind::Number) fail_default(lexer, token, type, "write a number");
  if (kind == TypeKind::IntType || (kind == TypeKind::NumberType && is_whole(token)))
    return parse_int(lexer, token, negative);
  const double v = parse_double(lexer, token);
  return negative ? -v : v;
}

IValue parse_single(SchemaLexer& lexer, const Type& type) {
  const Token token = lexer.current();
  switch (lower_type(std::const_pointer_cast<Type>(type.shared_from_this()))->kind()) {
    case TypeKind::IntType:
    case TypeKind::FloatType:
      return parse_number(lexer, type);
    case TypeKind::NumberType:
    case TypeKind::BoolType:
      if (token.is_word("True") || token.is_word("False")) return lexer.next().is_word("True");
      if (type.kind() == TypeKind::NumberType) return parse_number(lexer, type);
      fail_default(lexer, token, type, "write True or False");
    case TypeKind::StringType:
      if (token.kind != Token::Kind::String) fail_default(lexer, token, type, "write a text in quotes");
      return unquote(lexer.next().text);
    case TypeKind::DeviceObjType:
      if (token.kind != Token::Kind::String)
        fail_default(lexer, token, type, "write a device in quotes, as \"cpu\"");
      try {
        const Device device(unquote(token.text));
        lexer.next();
        return device;
      } catch (const ValueError&) {
        fail_default(lexer, token, type, "write \"cpu\", \"cuda\", \"cuda:0\" or \"meta\"");
      }
    default:
      fail_default(lexer, token, type, "a type like this one has no default, or the default None");
  }
}

// Typed as the schema says: `int[] x=[]` is an empty int list, not a list of anything.
IValue typed_list(const std::vector<IValue>& values, const Type& element) {
  const TypePtr lowered = lower_type(std::const_pointer_cast<Type>(element.shared_from_this()));
  switch (lowered->kind()) {
    case TypeKind::IntType:
      return IValue(values).to<std::vector<int64_t>>();
    case TypeKind::FloatType:
      return IValue(values).to<std::vector<double>>();
    case TypeKind::BoolType:
      return IValue(values).to<std::vector<bool>>();
    case TypeKind::StringType:
      return IValue(values).to<std::vector<std::string>>();
    case TypeKind::NumberType:
      return IValue(values).to<std::vector<Scalar>>();
    case TypeKind::DeviceObjType:
      return IValue(values).to<std::vector<Device>>();
    default:  // the elements have no defaults, so the list is empty
      return List<IValue>(lowered);
  }
}

IValue parse_list(SchemaLexer& lexer, const Type& element, std::optional<int32_t> n) {
  const Token start = lexer.current();
  const bool atom = element.containedTypes().empty() && static_cast<size_t>(element.kind()) < kNumAtomTypes;
  std::vector<IValue> values;
  if (lexer.next_if("[")) {
    if (!lexer.current().is("]")) {
      do {
        if (!atom) fail_default(lexer, lexer.current(), element, "a default for such a list is [] or None");
        values.push_back(parse_single(lexer, element));
      } while (lexer.next_if(","));
    }
    lexer.expect("]");
    return typed_list(values, element);
  }
  if (!n || !atom)
    fail_default(lexer, start, element, "a list's default is `[1, 2]`; only `int[2] x=1` may name one value");
  values.assign(static_cast<size_t>(*n), parse_single(lexer, element));
  return typed_list(values, element);
}

}  // namespace

IValue parse_default(SchemaLexer& lexer, const ParsedType& parsed) {
  const bool optional = parsed.type->kind() == TypeKind::OptionalType;
  const Type& type = optional ? *parsed.type->containedType(0) : *parsed.type;
  const Token token = lexer.current();
  if (token.is_word("None")) {
    // PyTorch lets `Tensor x=None` stand for an undefined tensor; any other type must say `?`.
    if (!optional && type.kind() != TypeKind::TensorType && type.kind() != TypeKind::NoneType &&
        type.kind() != TypeKind::AnyType) {
      fail_default(lexer, token, type, "make the type optional with `?`, or write a value");
    }
    lexer.next();
    return IValue();
  }
  if (type.kind() == TypeKind::ListType) return parse_list(lexer, *type.containedType(0), parsed.n);
  return parse_single(lexer, type);
}

}  // namespace gb::jit
