// The formulas: first derivatives against central differences, and the derivatives of the derivatives likewise.
#include <doctest/doctest.h>

#include "library/gradcheck.h"
#include "tests/op_cases.h"
#include "tests/ops/run_case.h"

namespace gb::tests {
namespace {

// A Jacobian has inputs x outputs entries; cases made for long inner loops are left to the comparison with LibTorch.
constexpr int64_t kMostElements = 200;

bool is_checkable(const DifferentiableCase& made) {
  if (made.inputs.empty()) return false;
  for (const Tensor& one : made.inputs)
    if (one.numel() > kMostElements) return false;
  for (const Tensor& output : made.call(made.inputs))
    if (output.requires_grad() && output.scalar_type() == kDouble) return output.numel() <= kMostElements;
  return false;
}

TEST_CASE("gradcheck") {
  int checked = 0;
  for (const OpCase& op_case : all_op_cases()) {
    if (!op_case.is_differentiable || !op_case.gradient_is_derivative || op_case.expects_error) continue;
    CAPTURE(op_case.title());
    const DifferentiableCase made = differentiable_case(op_case);
    if (!is_checkable(made)) continue;
    const GradcheckReport report =
        gradcheck_report([&](const std::vector<Tensor>& inputs) { return made.call(inputs); }, made.inputs);
    CHECK_MESSAGE(report.passed, report.message);
    ++checked;
  }
  CHECK(checked > 0);
}

TEST_CASE("gradgradcheck") {
  int checked = 0;
  for (const OpCase& op_case : all_op_cases()) {
    if (!op_case.is_twice_differentiable || !op_case.gradient_is_derivative || op_case.expects_error) continue;
    CAPTURE(op_case.title());
    const DifferentiableCase made = differentiable_case(op_case);
    if (!is_checkable(made)) continue;
    std::string failure;
    try {
      gradgradcheck([&](const std::vector<Tensor>& inputs) { return made.call(inputs); }, made.inputs);
    } catch (const std::exception& e) {
      failure = e.what();
    }
    CHECK_MESSAGE(failure.empty(), failure);
    ++checked;
  }
  CHECK(checked > 0);
}

// The converse: integer results and detached ones must not claim a gradient.
TEST_CASE("only floating results of recorded operators require grad") {
  for (const OpCase& op_case : all_op_cases()) {
    if (op_case.expects_error || !op_case.is_differentiable) continue;
    CAPTURE(op_case.title());
    const DifferentiableCase made = differentiable_case(op_case);
    if (made.inputs.empty()) continue;
    for (const Tensor& output : made.call(made.inputs))
      if (!output.is_floating_point()) CHECK(!output.requires_grad());
  }
}

}  // namespace
}  // namespace gb::tests
