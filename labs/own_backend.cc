// bazel run //labs:own-backend
#include <cstdio>
#include <exception>

#include "labs/private_use1.h"

int main() {
  try {
    std::fputs(gb::labs::show_own_backend(0).c_str(), stdout);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "own-backend: %s\n", e.what());
    return 2;
  }
}
