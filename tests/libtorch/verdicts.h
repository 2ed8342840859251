// What gradcheck and gradgradcheck have to say of the twelve mistakes of library/mistakes_of.h and of their right forms.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace gb::tests::libtorch {

struct Verdict {
  std::string first, second;     // by gradcheck, by gradgradcheck: "", or the words of the check that fails
  std::vector<double> jacobian;  // by backward, row by row, input by input; empty where backward is not reentrant
};
struct Verdicts {
  std::string name;
  Verdict right, wrong;
};
std::vector<Verdicts> verdicts_by_libtorch();
std::vector<Verdicts> verdicts_by_glassbox();

// The inputs and the gradients that all take: element i of tensor n, where the inputs count from 0 and the gradients from
// 100 and the number of inputs.
inline double verdict_number(size_t n, int64_t i) {
  return std::sin(1 + 3 * static_cast<double>(n) + 2.1 * static_cast<double>(i));
}

}  // namespace gb::tests::libtorch
