// The part of the schema parser that reads a default: what follows `=`, as a value of the argument's type.
#pragma once

#include "dispatcher/ivalue.h"
#include "dispatcher/schema_lexer.h"
#include "dispatcher/schema_type_parser.h"

namespace gb::jit {

// `None` for optionals and tensors; numbers, True, False, text; `[..]` for lists, or one value for `int[2]
// x=1`; and PyTorch's words: contiguous_format, preserve_format, strided, float, long, ..., Mean, Sum, inf,
// nan.
IValue parse_default(SchemaLexer& lexer, const ParsedType& type);

}  // namespace gb::jit
