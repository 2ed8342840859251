// What the experiments of this folder share: the texts that chapters quote, without source line numbers and
// without times.
#pragma once

#include <regex>
#include <sstream>
#include <string>

#include "core/tensor.h"
#include "tests/golden.h"

namespace gb::confusions {

inline std::string without_lines(const std::string& text) {  // "ops/t/t.cc:12" -> "ops/t/t.cc"
  return std::regex_replace(text, std::regex(R"(\b([\w/.-]+\.(?:cc|h)):\d+)"), "$1");
}

// "AddmmBackward0 #4" -> "AddmmBackward0": the number counts the nodes of the thread.
inline std::string without_node_numbers(const std::string& tape) {
  return std::regex_replace(tape, std::regex(R"( #\d+)"), "");
}

// A trace tree with one short line per hop: "call aten::t => AutogradCPU : Autograd alias kernel,
// ops/t/autograd.cc".
inline std::string hops(const std::string& tree) {
  std::istringstream lines(tree);
  std::string text, line;
  while (std::getline(lines, line)) {
    const size_t arguments = line.find('('), arrow = line.find(" => ");
    if (arguments == std::string::npos || arrow == std::string::npos)
      text += line + "\n";
    else
      text += line.substr(0, arguments) + line.substr(arrow) + "\n";
  }
  return without_lines(text);
}

inline double sum_of(const Tensor& t) { return t.detach().sum().item().toDouble(); }

inline void check_golden(const std::string& name, const std::string& text) {
  tests::check_golden("tests/confusions/testdata/" + name + ".golden", text);
}

}  // namespace gb::confusions
