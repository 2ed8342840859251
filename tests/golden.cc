#include "tests/golden.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace gb::tests {
namespace {

constexpr const char* kRerecord = "to re-record: GB_UPDATE_GOLDEN=1 bazel run <this test>";

std::string first_difference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected), b(actual);
  std::string line_a, line_b;
  for (int number = 1;; ++number) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a)),
               more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "the same lines, other line ends";
    if (more_a != more_b || line_a != line_b) {
      return "line " + std::to_string(number) + "\n  expected: " + (more_a ? line_a : "(end)") +
             "\n  actual:   " + (more_b ? line_b : "(end)");
    }
  }
}

}  // namespace

void check_golden(const std::string& path, const std::string& text) {
  const char* update = std::getenv("GB_UPDATE_GOLDEN");
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (update && workspace) {
    std::ofstream file(std::string(workspace) + "/" + path, std::ios::binary);
    file << text;
    file.close();
    CHECK_MESSAGE(file.good(), "cannot write ", path);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream expected;
  expected << file.rdbuf();
  CHECK_MESSAGE(file.good(), path, " is missing; ", kRerecord);
  CHECK_MESSAGE(expected.str() == text, path, ": ", first_difference(expected.str(), text), "\n", kRerecord);
}

}  // namespace gb::tests
