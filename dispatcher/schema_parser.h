// The schema parser: text such as `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`
// to a FunctionSchema. The grammar is PyTorch's (torch/csrc/jit/frontend/function_schema_parser.cpp):
//
//   schema   = name "(" arguments ")" "->" returns              name    = id { "::" id } [ "." id ]
//   arguments= [ argument { "," ( argument | "*" | "..." ) } ]  returns = type [id] | "(" ... ")" | "..."
//   argument = type [ "[" N "]" ] id [ "=" value ]              value   = None | True | False | number |
//   "text" | [..] | id type     = ( id | Dict(t,t) | Future(t) | (t, t) ) [alias] { "[]" | "[N]" | "?" |
//   alias } alias    = "(" [sets] ["!"] [ "->" sets ] ")" | "!"         sets    = ( id | "*" ) { "|" id }
//
// Beyond PyTorch, these are errors here: two arguments of one name, a default before a required positional
// argument, a return that names an alias set which no argument has, and a `!` on a type whose values cannot change.
// Every error shows the text with a caret; testdata/schema_errors.golden has them all.
#pragma once

#include <string>
#include <variant>

#include "dispatcher/function_schema.h"

namespace gb::jit {

// Each throws ValueError. Without `allow_typevars`, a lower-case type name that is not known is an error.
FunctionSchema parseSchema(const std::string& text, bool allow_typevars = true);
OperatorName parseName(const std::string& text);
std::variant<OperatorName, FunctionSchema> parseSchemaOrName(const std::string& text,
                                                             bool allow_typevars = true);

}  // namespace gb::jit
