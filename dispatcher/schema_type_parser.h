// The part of the schema parser that reads one type with its alias annotation: `Tensor(a!)[]`, `int[2]?`,
// `Dict(str, t)`.
#pragma once

#include <optional>

#include "dispatcher/alias_info.h"
#include "dispatcher/schema_lexer.h"
#include "dispatcher/types.h"

namespace gb::jit {

struct ParsedType {
  TypePtr type;
  std::optional<AliasInfo> alias;
  std::optional<int32_t> n;  // of `int[n]`
};

class SchemaTypeParser {
 public:
  SchemaTypeParser(SchemaLexer& lexer, bool allow_typevars)
      : lexer_(lexer), allow_typevars_(allow_typevars) {}
  ParsedType parse();

 private:
  ParsedType parse_base();
  ParsedType parse_tuple();
  TypePtr parse_parameters(
      const Token& name);  // Dict(k, v), Future(t), Await(t), RRef(t); null for other names
  TypePtr parse_named(const Token& name);
  std::optional<AliasInfo> parse_annotation(const Type& type);  // of a value of that type
  AliasInfo::Sets parse_sets();
  int32_t parse_length();

  SchemaLexer& lexer_;
  bool allow_typevars_;
  int depth_ = 0;       // of nested types: bounded, so that no input can exhaust the stack
  int next_fresh_ = 0;  // alias sets $0, $1, ... for a bare `!`
};

}  // namespace gb::jit
