// Running another program and reading what it says.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gb::compiler {

struct ProcessResult {
  int exit_code = 0;   // 128 + n where a signal ended it
  std::string output;  // stdout and stderr together
};

// arguments[0] is looked up in PATH. Nothing: the program could not be started; `why` then says so.
std::optional<ProcessResult> run_process(const std::vector<std::string>& arguments, std::string* why);

}  // namespace gb::compiler
