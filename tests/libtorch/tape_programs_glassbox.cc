#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "autograd/node.h"
#include "core/autograd_state.h"
#include "core/warning.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/libtorch/tape_programs_of.h"

namespace gb::tests::tape {
namespace {

struct Silent : WarningHandler {
  void process(const Warning&) override {}
};

struct GlassboxApi {
  using Tensor = gb::Tensor;
  using NoGradGuard = gb::NoGradGuard;
  using InferenceMode = gb::InferenceMode;
  static Tensor full(const std::vector<int64_t>& sizes, double value) { return gb::full(sizes, value, kDouble); }
  static std::vector<double> values(const Tensor& t) { return tests::values(t); }
  static std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs, bool retain,
                                  bool create) {
    return autograd::grad(outputs, inputs, {}, retain, create);
  }
};

}  // namespace

Lines glassbox_programs() {
  Silent silent;
  const WarningUtils::WarningHandlerGuard guard(&silent);
  return Programs<GlassboxApi>().run();
}

}  // namespace gb::tests::tape
