// Way 2: dx, dW and db derived on paper, computed with Eigen, and held against the tape.
//
//   z = x W^T + b              (N x V)    x: N x D, W: V x D, b: V
//   p = softmax(z) by rows
//   L = -1/N sum_i log p[i, next_i]
//
//   dL/dz = (p - onehot(next)) / N        the log and the softmax cancel to this
//   dx    = dz W                          (N x D)
//   dW    = dz^T x                        (V x D)
//   db    = sum over rows of dz           (V)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "nn/grammar/model.h"

namespace gb::labs {

// Row-major values, in double whatever they were computed in.
struct HeadGradients {
  double loss;
  std::vector<double> dz, dx, dW, db;
};

struct HeadProblem {
  int64_t rows, features, classes;     // N, D, V
  std::vector<double> x, W, b;         // exact copies of what the tape used
  std::vector<int64_t> next;           // N class ids
  bool single_precision;               // compute in float
};

// The head's and the example's tensors, copied.
HeadProblem problem_of(const nn::grammar::LmHead& head, const nn::grammar::Example& example);

// The forward pass, recorded: z are the logits.
struct HeadLoss {
  Tensor z, loss;
};
HeadLoss recorded_loss(const nn::grammar::LmHead& head, const nn::grammar::Example& example);

HeadGradients gradients_by_tape(const nn::grammar::LmHead& head, const nn::grammar::Example& example);
HeadGradients gradients_by_hand(const HeadProblem& problem);
// Empty where LibTorch is not installed (labs/BUILD links one of two files).
std::optional<HeadGradients> gradients_by_libtorch(const HeadProblem& problem);
const char* libtorch_version();  // "" where it is not installed

// How far the tape may be from the others: float64 is exact to rounding; float32 sums 600 terms in another order.
struct Bounds {
  double absolute, relative;
};
constexpr Bounds bounds_of(bool single_precision) {
  return single_precision ? Bounds{1e-7, 2e-6} : Bounds{1e-12, 1e-12};
}

// Where two arrays differ most.
struct Difference {
  double max_abs, relative;  // relative: max_abs over the largest |reference|
  size_t at;
  double value, reference;
};
Difference largest_difference(const std::vector<double>& values, const std::vector<double>& reference);

// Prints the table; throws when a difference is above the bound of the dtype.
void show_gradients(const nn::grammar::LmHead& head, const nn::grammar::Example& example);

}  // namespace gb::labs
