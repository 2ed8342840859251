// GlassboxApi: glassbox's names, for the tape programs that both libraries play.
#pragma once

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "autograd/node.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "core/warning.h"
#include "ops/ops.h"

namespace gb::tests::tape {

struct GlassboxApi {
  using Tensor = gb::Tensor;
  using Node = autograd::Node;
  using IntArrayRef = gb::IntArrayRef;
  using NoGradGuard = gb::NoGradGuard;
  using AutoGradMode = gb::AutoGradMode;
  using InferenceMode = gb::InferenceMode;
  using Warning = gb::Warning;
  using WarningHandler = gb::WarningHandler;
  using WarningHandlerGuard = gb::WarningUtils::WarningHandlerGuard;

  static Tensor empty(const std::vector<int64_t>& sizes) { return gb::empty(sizes, kDouble); }
  static Tensor full(const std::vector<int64_t>& sizes, double value) { return gb::full(sizes, value, kDouble); }
  static Tensor on_meta(const std::vector<int64_t>& sizes) {
    return gb::empty(sizes, TensorOptions(kDouble).device(kMeta));
  }
  static Tensor cat(const std::vector<Tensor>& tensors, int64_t dim) { return gb::cat(tensors, dim); }
  static Tensor stack(const std::vector<Tensor>& tensors, int64_t dim) { return gb::stack(tensors, dim); }
  static void backward(const std::vector<Tensor>& roots, const std::vector<Tensor>& gradients, bool retain, bool create,
                       const std::vector<Tensor>& inputs) {
    autograd::backward(roots, gradients, retain, create, inputs);
  }
  static std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                                  const std::vector<Tensor>& gradients, bool retain, bool create,
                                  bool allow_unused = false) {
    return autograd::grad(outputs, inputs, gradients, retain, create, allow_unused);
  }
  // The first line: what happened, without cause and repair.
  static std::string message(const std::exception& e) {
    const std::string text = e.what();
    return text.substr(0, text.find('\n'));
  }
};

}  // namespace gb::tests::tape
