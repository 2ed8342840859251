// Jacobian: the matrix d output / d input of one output and one input, and how it is computed and compared.
//
// Row-major, one row per element of the output. The loops over elements are
// here, so that gradcheck.cc reads as the list of checks.
#pragma once

#include <string>
#include <vector>

#include "library/gradcheck.h"

namespace gb::detail {

struct Jacobian {
  Jacobian(int64_t rows_, int64_t columns_)
      : rows(rows_), columns(columns_), values(static_cast<size_t>(rows_ * columns_)) {}
  double& at(int64_t r, int64_t c) { return values[static_cast<size_t>(r * columns + c)]; }
  double at(int64_t r, int64_t c) const { return values[static_cast<size_t>(r * columns + c)]; }

  int64_t rows, columns;       // numel of the output, numel of the input
  std::vector<double> values;  // rows x columns
};

// [output][input]; inputs that do not require grad have an empty one (0 columns).
using Jacobians = std::vector<std::vector<Jacobian>>;

// Element `index` (row-major) of a float64 CPU tensor of any strides.
double& element(const Tensor& t, int64_t index);
std::vector<double> elements(const Tensor& t);  // all, row-major
bool has_internal_overlap(const Tensor& t);     // do two elements share a place? exact, by listing them

Tensor zeros_of(const Tensor& like);  // float64, contiguous

std::vector<Tensor> that_require_grad(const std::vector<Tensor>& tensors);  // those, in order

// Central differences of the outputs number `which` of f.
Jacobians numerical_jacobians(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const std::vector<size_t>& which, double eps);
// One backward per element of the outputs. Throws where a gradient has another size than its input.
Jacobians analytical_jacobians(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs);

// For the fast mode: v^T J u by a difference along u, one number for each output; v^T J, one row for each output and input.
std::vector<double> numerical_products(const TensorFunction& f, const std::vector<Tensor>& inputs, size_t input,
                                       const std::vector<double>& u, const std::vector<Tensor>& outputs,
                                       const std::vector<size_t>& which, const std::vector<std::vector<double>>& vs,
                                       double eps);
Jacobians vector_jacobians(const std::vector<std::vector<double>>& vs, const std::vector<Tensor>& outputs,
                           const std::vector<Tensor>& inputs);

// Both matrices around an entry, at most 6 x 6 of each.
std::string print_around(const Jacobian& numerical, const Jacobian& analytical, const JacobianEntry& entry);

}  // namespace gb::detail
