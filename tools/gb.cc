// gb: asks the registry of a program that has every operator in it. `gb --help` says what.
#include <cstdio>

#include "tools/gb_commands.h"

int main(int argc, char** argv) {
  const gb::tools::Output output = gb::tools::run_gb({argv + 1, argv + argc});
  std::fputs(output.out.c_str(), stdout);
  std::fputs(output.err.c_str(), stderr);
  return output.exit_code;
}
