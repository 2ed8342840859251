// How values are spelled in schemas and traces, shared by IValue, Argument and the schema parser's errors.
// Source of the formats: ATen/core/ivalue.cpp, c10/util/StringUtil.cpp.
#pragma once

#include <string>
#include <string_view>

namespace gb::detail {

// "1." for whole numbers, else 17 significant digits, so that reading it back gives the same double.
std::string spell_double(double v);
// In double quotes, with \n \t \" \' \\ and so on; other unprintable bytes as three octal digits.
std::string spell_string(std::string_view text);

}  // namespace gb::detail
