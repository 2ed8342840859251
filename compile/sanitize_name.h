// A name that C++ accepts, made of an operator's or a caller's: "_softmax" -> "softmax", "2x" -> "v2x",
// "double" -> "double_". The generated code uses the graph's names as they are, so this is where they become
// valid.
#pragma once

#include <string>

namespace gb::compiler {

std::string sanitize_name(const std::string& wish);

}  // namespace gb::compiler
