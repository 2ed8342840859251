// The bridge to LibTorch 2.11: the one place where both libraries meet. No LibTorch type appears here, so that only
// bridge.cc pays for its headers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/libtorch/answer.h"

namespace gb::tests::libtorch {

// The question put to LibTorch, as a boxed call by the operator's name.
Answer ask(const Question& question);

// The schema as LibTorch prints it; nothing where it has no such operator.
std::optional<std::string> schema_text(const std::string& op);

// Of the generator that LibTorch's random operators draw from.
void manual_seed(uint64_t seed);

std::string version();  // "2.11.0"

}  // namespace gb::tests::libtorch
