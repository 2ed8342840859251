// Tools of the operators' tests: tensors with known values, their values, and gradients against differences.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

#include "core/tensor.h"

namespace gb::tests {

Tensor ramp(IntArrayRef sizes, ScalarType dtype = kDouble);  // 0, 1, 2, ... row by row
Tensor noise(IntArrayRef sizes, uint64_t seed = 1,
             ScalarType dtype = kDouble);  // in (-1, 1), the same on every machine

// All elements row by row, whatever the strides and the dtype. CPU tensors.
std::vector<double> values(const Tensor& t);
void check_values(const Tensor& t, std::vector<double> expected, double tolerance = 0);

// The whole message of what the call throws; "" where it throws nothing. Other exceptions than Error pass.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The gradients of sum(w * f(inputs)), with fixed random w, against central differences. Inputs: float64
// leaves, contiguous.
void check_gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f, std::vector<Tensor> inputs,
                     double tolerance = 1e-6);

}  // namespace gb::tests
