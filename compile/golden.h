// Comparing a printed text with a checked-in file.
#pragma once

#include <string>

namespace gb::tests {

// Fails the running test case, with both texts' first differing line, unless compile/testdata/`name` holds
// `text`. With GB_UPDATE_GOLDEN=1 under `bazel run` the file is written instead.
void check_golden(const std::string& name, const std::string& text);

}  // namespace gb::tests
