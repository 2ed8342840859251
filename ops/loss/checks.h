// What the losses demand of their operands; each throws before anything is made.
#pragma once

#include "core/tensor.h"

namespace gb {

void check_reduction(int64_t reduction, const char* op);  // None, Mean or Sum
void check_class_weight(const Tensor& weight, int64_t classes, const char* op);

// self [rows, classes] and target [rows], or self [classes] and target [] or [1]: as sizes.
struct NllSizes {
  NllSizes(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight, int64_t reduction,
           const char* op);
  int64_t rows, classes;
  std::vector<int64_t> output;  // of the loss
};

// The rest that the backward demands.
void check_nll_gradient(const Tensor& grad_output, const Tensor& total_weight, const NllSizes& sizes);

[[noreturn]] void throw_bad_target(int64_t target, int64_t position, int64_t classes, const char* op);

}  // namespace gb
