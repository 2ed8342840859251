// glassbox's side of verdicts_of.h.
#include "autograd/autograd.h"
#include "autograd/basic_nodes.h"
#include "library/mistakes_glassbox.h"
#include "ops/testing/testing.h"
#include "tests/libtorch/verdicts_of.h"

namespace gb::tests::libtorch {
namespace {

struct Glassbox : GlassboxFunctions {
  static Tensor tensor(const std::vector<double>& numbers, const std::vector<int64_t>& sizes) {
    return gb::tensor(numbers, kDouble).reshape(sizes);
  }
  static std::vector<double> values(const Tensor& t) { return tests::values(t); }
  static variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grads,
                            bool create_graph = false) {
    return autograd::grad(outputs, inputs, grads, /*retain_graph=*/true, create_graph, /*allow_unused=*/true);
  }
  static Tensor without_gradient(const Tensor& y) { return autograd::UndefinedGrad().apply({y})[0]; }
};

}  // namespace

std::vector<Verdicts> verdicts_by_glassbox() { return VerdictsOf<Glassbox>::all(); }

}  // namespace gb::tests::libtorch
