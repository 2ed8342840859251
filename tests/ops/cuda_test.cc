// Every case on CUDA against the CPU: results, errors, what is written, and gradients. Built twice: for a GPU, where
// the test skips itself if there is none, and with the kernels under the SIMT runner, which runs everywhere.
#include <doctest/doctest.h>

#include <cmath>

#include "core/device_hooks.h"
#include "ops/ops.h"
#include "tests/op_cases.h"
#include "tests/ops/on_device.h"
#include "tests/skip.h"

#define GB_NEEDS_GPU() \
  if (!cuda::is_available()) GB_SKIP("no GPU")

namespace gb::tests {
namespace {

const Device kGpu(kCUDA, 0);

// The sums of both sides are of the same numbers in another order, and exp and its kind are of two libraries.
double tolerance_of(ScalarType dtype) {
  return dtype == kDouble ? 1e-11 : dtype == kFloat ? 1e-5 : dtype == kHalf ? 4e-3 : dtype == kBFloat16 ? 3.2e-2 : 0;
}

void check_same(const Tensor& gpu, const Tensor& cpu, double factor, Device expected = kGpu) {
  REQUIRE(gpu.defined() == cpu.defined());
  if (!cpu.defined()) return;
  CHECK((gpu.device() == expected || cpu.unsafeGetTensorImpl()->is_wrapped_number()));
  REQUIRE((gpu.scalar_type() == cpu.scalar_type()));
  REQUIRE((gpu.sizes() == cpu.sizes()));
  const Tensor back = gpu.cpu();
  const double tolerance = factor * tolerance_of(cpu.scalar_type());
  int64_t at = -1;
  for (int64_t i = 0; i < cpu.numel() && at < 0; ++i) {
    const double x = element(back, i), y = element(cpu, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::abs(x - y) <= tolerance * (1 + std::abs(y)))) at = i;
  }
  CHECK_MESSAGE(at == -1, "element ", at, ": ", at < 0 ? 0 : element(back, at), " instead of ",
                at < 0 ? 0 : element(cpu, at));
}

void check_same(const Stack& gpu, const Stack& cpu, double factor, Device expected = kGpu) {
  REQUIRE(gpu.size() == cpu.size());
  for (size_t i = 0; i < cpu.size(); ++i) {
    CAPTURE(i);
    if (cpu[i].isTensor()) check_same(gpu[i].toTensor(), cpu[i].toTensor(), factor, expected);
    if (!cpu[i].isTensorList()) continue;
    const std::vector<Tensor> there = gpu[i].toTensorVector(), here = cpu[i].toTensorVector();
    REQUIRE(there.size() == here.size());
    for (size_t k = 0; k < here.size(); ++k) check_same(there[k], here[k], factor);
  }
}

// Products of integers: cuBLAS has none, and neither has PyTorch on CUDA.
bool has_no_kernel(const OpCase& op_case) {
  const auto is = [&](const char* op) { return op_case.op == op && op_case.label == "integer"; };
  return is("aten::mm") || is("aten::addmm") || is("aten::bmm") || is("aten::baddbmm") || is("aten::matmul") ||
         is("aten::dot");
}

// The first line: what went wrong. The rest may name the device.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST_CASE("results, errors and written arguments are the CPU's") {
  GB_NEEDS_GPU();
  for (const OpCase& op_case : all_op_cases()) {
    for (const ScalarType dtype : op_case.dtypes) {
      CAPTURE(describe(op_case, dtype));
      const Stack arguments = make_arguments(op_case, {.dtype = dtype});
      const Run gpu = run_with(op_case, on_device(op_case, arguments, kGpu)), cpu = run_with(op_case, arguments);
      if (op_case.expects_error) {
        CHECK_MESSAGE(gpu.error.has_value(), "no error");
        continue;
      }
      if (has_no_kernel(op_case)) {
        REQUIRE(gpu.error.has_value());
        CHECK(first_line(*gpu.error).find("is not implemented on CUDA for 'Long'") != std::string::npos);
        continue;
      }
      if (op_case.op.starts_with("aten::set_.source_Storage")) {  // the case's storage stays on the CPU
        REQUIRE(gpu.error.has_value());
        CHECK(gpu.error->find("to a storage on different device \"cpu\"") != std::string::npos);
        continue;
      }
      if (gpu.error) {
        CHECK_MESSAGE(false, first_line(*gpu.error));
        continue;
      }
      if (!op_case.defines_values) continue;
      const bool names_device = op_case.op == "aten::to.device";  // the cases go to the CPU
      check_same(gpu.results, cpu.results, op_case.tolerance, names_device ? Device(kCPU) : kGpu);
      check_same(gpu.arguments, cpu.arguments, op_case.tolerance);
    }
  }
}

// A number per element of `t`, none like its neighbours: the gradient of a plain sum would hide an exchange.
Tensor weights_like(const Tensor& t) {
  return arange(t.numel(), TensorOptions(kDouble)).mul(0.37).sin().view(t.sizes()).to(t.device(), t.scalar_type());
}

// The gradients of a weighted sum of all that the call gives.
std::vector<Tensor> gradients(const DifferentiableCase& made) {
  Tensor total;
  for (const Tensor& output : made.call(made.inputs)) {
    if (!output.defined() || !output.requires_grad()) continue;
    const Tensor part = output.mul(weights_like(output)).sum();
    total = total.defined() ? total.add(part) : part;
  }
  if (!total.defined()) return {};
  total.backward();
  std::vector<Tensor> all;
  for (const Tensor& input : made.inputs) all.push_back(input.grad());
  return all;
}

TEST_CASE("gradients are the CPU's") {
  GB_NEEDS_GPU();
  int compared = 0;
  for (const OpCase& op_case : all_op_cases()) {
    if (!op_case.is_differentiable || op_case.expects_error || !op_case.defines_values) continue;
    CAPTURE(op_case.title());
    const DifferentiableCase here = differentiable_case(op_case);
    if (here.inputs.empty()) continue;
    std::string failure;
    try {
      const DifferentiableCase there = on_device(op_case, here, kGpu);
      const std::vector<Tensor> gpu = gradients(there), cpu = gradients(here);
      REQUIRE(gpu.size() == cpu.size());
      for (size_t i = 0; i < cpu.size(); ++i) check_same(gpu[i], cpu[i], op_case.tolerance);
    } catch (const std::exception& e) {
      failure = first_line(e.what());
    }
    CHECK_MESSAGE(failure.empty(), failure);
    ++compared;
  }
  CHECK(compared > 100);
}

}  // namespace
}  // namespace gb::tests
