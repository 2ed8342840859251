#include "compile/sanitize_name.h"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace gb::compiler {
namespace {

// Keywords that could be the name of an operator or of a caller's input, and what the generated code uses
// itself.
constexpr const char* kReserved[] = {
    "and",     "auto",   "bool",    "break",  "case",     "char",   "class",    "const",  "continue",
    "default", "delete", "do",      "double", "else",     "enum",   "float",    "for",    "if",
    "int",     "long",   "new",     "not",    "operator", "or",     "private",  "public", "return",
    "short",   "signed", "sizeof",  "static", "struct",   "switch", "template", "this",   "throw",
    "true",    "try",    "typedef", "union",  "unsigned", "using",  "virtual",  "void",   "while",
    "xor",     "Host",   "host",    "inputs", "buffers",  "std",    "int64_t"};

}  // namespace

std::string sanitize_name(const std::string& wish) {
  std::string name;
  for (char c : wish) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (name.empty() && c == '_')
      continue;  // a leading underscore says "private" in PyTorch, and "reserved" in C++
    name += plain ? c : '_';
  }
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name.insert(name.begin(), 'v');
  const bool loop_variable =
      name.size() > 1 && name[0] == 'i' &&
      std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c); });
  if (loop_variable) name.push_back('_');
  const auto is_it = [&](const char* word) { return name == word; };
  if (std::any_of(std::begin(kReserved), std::end(kReserved), is_it)) name.push_back('_');
  return name;
}

}  // namespace gb::compiler
