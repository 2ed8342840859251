// Comparing a printed text with a checked-in file: compile/testdata/NAME, library/testdata/NAME, ...
#pragma once

#include <string>

namespace gb::tests {

// Fails the running test case, with both texts' first differing line, unless the file `path` (from the root of the
// repository) holds `text`. With GB_UPDATE_GOLDEN=1 under `bazel run` the file is written instead.
void check_golden(const std::string& path, const std::string& text);

}  // namespace gb::tests
