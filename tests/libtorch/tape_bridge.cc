// Built with -DNDEBUG, as the wheel is.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>

#include "tests/libtorch/tape_programs_of.h"

namespace gb::tests::tape {
namespace {

struct Silent : c10::WarningHandler {
  void process(const c10::Warning&) override {}
};

struct LibTorchApi {
  using Tensor = at::Tensor;
  using NoGradGuard = at::NoGradGuard;
  using InferenceMode = c10::InferenceMode;
  // of version 0: at::full fills in place, and counts that
  static Tensor full(const std::vector<int64_t>& sizes, double value) {
    const Tensor filled = at::full(sizes, value, at::kDouble);
    return InferenceMode::is_enabled() ? filled : filled.variable_data();
  }
  static std::vector<double> values(const Tensor& t) {
    const Tensor flat = t.detach().contiguous();
    const double* p = flat.const_data_ptr<double>();
    return {p, p + flat.numel()};
  }
  static std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs, bool retain,
                                  bool create) {
    return torch::autograd::grad(outputs, inputs, {}, retain, create);
  }
};

}  // namespace

Lines libtorch_programs() {
  Silent silent;
  const c10::WarningUtils::WarningHandlerGuard guard(&silent);
  return Programs<LibTorchApi>().run();
}

}  // namespace gb::tests::tape
