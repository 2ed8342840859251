// LibTorchApi: LibTorch's names, for the tape programs that both libraries play.
#pragma once

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

namespace gb::tests::tape {

struct LibTorchApi {
  using Tensor = at::Tensor;
  using Node = torch::autograd::Node;
  using IntArrayRef = at::IntArrayRef;
  using NoGradGuard = at::NoGradGuard;
  using AutoGradMode = at::AutoGradMode;
  using InferenceMode = c10::InferenceMode;
  using Warning = c10::Warning;
  using WarningHandler = c10::WarningHandler;
  using WarningHandlerGuard = c10::WarningUtils::WarningHandlerGuard;

  static Tensor empty(const std::vector<int64_t>& sizes) { return at::empty(sizes, at::kDouble); }
  // of version 0: at::full fills in place, and counts that
  static Tensor full(const std::vector<int64_t>& sizes, double value) {
    const Tensor filled = at::full(sizes, value, at::kDouble);
    return InferenceMode::is_enabled() ? filled : filled.variable_data();
  }
  static Tensor on_meta(const std::vector<int64_t>& sizes) {
    return at::empty(sizes, at::TensorOptions(at::kDouble).device(at::kMeta));
  }
  static Tensor cat(const std::vector<Tensor>& tensors, int64_t dim) { return at::cat(tensors, dim); }
  static Tensor stack(const std::vector<Tensor>& tensors, int64_t dim) { return at::stack(tensors, dim); }
  static void backward(const std::vector<Tensor>& roots, const std::vector<Tensor>& gradients, bool retain, bool create,
                       const std::vector<Tensor>& inputs) {
    torch::autograd::backward(roots, gradients, retain, create, inputs);
  }
  static std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                                  const std::vector<Tensor>& gradients, bool retain, bool create,
                                  bool allow_unused = false) {
    return torch::autograd::grad(outputs, inputs, gradients, retain, create, allow_unused);
  }
  // Without the back trace, which takes long to make.
  static std::string message(const std::exception& e) {
    const auto* error = dynamic_cast<const c10::Error*>(&e);
    return error ? error->what_without_backtrace() : e.what();
  }
};

}  // namespace gb::tests::tape
