// Autocast against LibTorch: the same operators have kernels at the two autocast keys, and inside of a region
// on the CPU every case of every operator has the same result dtype, geometry, tape and gradients.
#include "ops/autocast/autocast.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "dispatcher/dispatcher.h"
#include "tests/libtorch/autocast_bridge.h"
#include "tests/libtorch/bridge.h"
#include "tests/libtorch/compare.h"
#include "tests/op_cases.h"

namespace gb::tests {
namespace {

OperatorHandle handle_of(const OperatorName& name) {
  return Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
}

TEST_CASE("the lists: which operators have an autocast kernel, on the CPU and on CUDA") {
  std::set<std::string> cpu, cuda;
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    const std::string text = toString(name);
    if (!libtorch::schema_text(text)) continue;  // not one of PyTorch's
    CAPTURE(text);
    CHECK(handle_of(name).hasKernelForDispatchKey(DispatchKey::AutocastCPU) ==
          libtorch::has_autocast_kernel(text, kCPU));
    CHECK(handle_of(name).hasKernelForDispatchKey(DispatchKey::AutocastCUDA) ==
          libtorch::has_autocast_kernel(text, kCUDA));
    if (libtorch::has_autocast_kernel(text, kCPU)) cpu.insert(text);
    if (libtorch::has_autocast_kernel(text, kCUDA)) cuda.insert(text);
  }
  CHECK((cpu == std::set<std::string>{"aten::addmm", "aten::baddbmm", "aten::bmm", "aten::cat", "aten::cross_entropy_loss",
                                      "aten::linear", "aten::matmul", "aten::mm", "aten::mse_loss", "aten::nll_loss",
                                      "aten::prod", "aten::prod.dim_int", "aten::scaled_dot_product_attention", "aten::stack"}));
  CHECK(cuda.size() == 34);
}

Answer ours(const Question& question, ScalarType low) {
  const autocast::AutocastGuard region(kCPU, low);
  return ask_glassbox(question);
}
Answer theirs(const Question& question, ScalarType low) {
  const libtorch::AutocastRegion region(kCPU, low);
  return libtorch::ask(question);
}

void compare_cases(ScalarType low, ScalarType dtype, bool with_gradients) {
  int compared = 0, lowered = 0;
  for (const OpCase& op_case : all_op_cases()) {
    if (!op_case.in_libtorch || op_case.expects_error) continue;
    if (with_gradients && !op_case.is_differentiable) continue;
    if (std::find(op_case.dtypes.begin(), op_case.dtypes.end(), dtype) == op_case.dtypes.end()) continue;
    CAPTURE(describe(op_case, dtype));
    Question question{.op = op_case.op, .arguments = {}, .requires_grad = {}};
    question.arguments = make_arguments(op_case, {.dtype = dtype, .for_gradients = with_gradients});
    if (with_gradients) question.requires_grad = differentiable_positions(op_case, question.arguments);
    const Answer here = ours(question, low), there = theirs(question, low);
    const auto text =
        difference(here, there, {.tolerance_factor = op_case.tolerance, .values = op_case.defines_values});
    CHECK_MESSAGE(!text, text.value_or(""));
    ++compared;
    lowered += here.outputs.size() == 1 && here.outputs[0].isTensor() &&
               here.outputs[0].toTensor().scalar_type() == low && dtype == kFloat;
  }
  CHECK(compared > (dtype == kBFloat16 ? 10 : 50));
  CHECK((lowered > 5) == (dtype == kFloat));  // the region was on
}

TEST_CASE("float32 in a bfloat16 region: dtype, geometry, memory") {
  compare_cases(kBFloat16, kFloat, false);
}
TEST_CASE("float32 in a float16 region") { compare_cases(kHalf, kFloat, false); }
TEST_CASE("float64 is left alone") { compare_cases(kBFloat16, kDouble, false); }
TEST_CASE("bfloat16 in its own region") { compare_cases(kBFloat16, kBFloat16, false); }
TEST_CASE("float32 in a bfloat16 region, with gradients: the tape and what backward gives") {
  compare_cases(kBFloat16, kFloat, true);
}

}  // namespace
}  // namespace gb::tests
