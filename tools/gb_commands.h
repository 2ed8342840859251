// The commands of //tools:gb, as functions, so that a test can run them: what the registry and the schema parser know,
// as text. Nothing here calls an operator.
#pragma once

#include <string>
#include <vector>

namespace gb::tools {

struct Output {
  int exit_code = 0;  // 0; 1: the question has no answer (unknown operator, malformed schema); 2: wrong command line
  std::string out, err;
};

// `arguments` without the program's name.
Output run_gb(const std::vector<std::string>& arguments);

}  // namespace gb::tools
