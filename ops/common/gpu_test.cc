// The elementwise operators, copies and factories on a GPU, against the same calls on the CPU.
#include "core/device_hooks.h"
#include "core/error.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/comparison/comparison.h"
#include "ops/copy/copy.h"
#include "ops/factories/factories.h"
#include "ops/random/random.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"
#include "ops/unary/unary.h"
#include "tests/skip.h"

#define GB_NEEDS_GPU() \
  if (!cuda::is_available()) GB_SKIP("no GPU")

namespace gb::tests {
namespace {

std::vector<double> on_cpu(const Tensor& t) { return values(t.cpu()); }
void check_same(const Tensor& gpu, const Tensor& cpu, double tolerance) {
  CHECK(gpu.is_cuda());
  CHECK((gpu.scalar_type() == cpu.scalar_type()));
  CHECK((gpu.sizes() == cpu.sizes()));
  CHECK((gpu.strides() == cpu.strides()));
  check_values(gpu.cpu(), values(cpu), tolerance);
}

TEST_CASE("copies between CPU and GPU: whole, transposed, converted, broadcast") {
  GB_NEEDS_GPU();
  const Tensor x = noise({5, 7});
  const Tensor g = x.cuda();
  CHECK(g.is_cuda());
  CHECK(g.device().index() == 0);
  CHECK(on_cpu(g) == values(x));
  CHECK(on_cpu(g.t()) == values(x.t()));
  CHECK(on_cpu(x.t().cuda()) == values(x.t()));
  CHECK((g.to(kFloat).scalar_type() == kFloat));
  CHECK(values(g.to(Device(kCPU), kFloat)) == values(x.to(kFloat)));
  Tensor columns = zeros({7, 5}, TensorOptions(kCUDA).dtype(kFloat)).t();
  columns.copy_(x);
  CHECK(on_cpu(columns) == values(x.to(kFloat)));
  Tensor rows = zeros({3, 7}, TensorOptions(kCUDA).dtype(kDouble));
  rows.copy_(noise({7}));
  CHECK(on_cpu(rows) == values(noise({7}).expand({3, 7})));
  Tensor back = zeros({7, 5}, kDouble).t();
  back.copy_(g);
  CHECK(values(back) == values(x));
  CHECK(tensor(2.5, kCUDA).item<double>() == 2.5);
}

TEST_CASE("arithmetic, with broadcasting, numbers and other dtypes") {
  GB_NEEDS_GPU();
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
    CAPTURE(toString(dtype));
    const double tolerance = dtype == kDouble ? 1e-15 : dtype == kFloat ? 1e-6 : 2e-2;
    const Tensor a = noise({4, 6}, 1).to(dtype), b = add(noise({6}, 2), 3).to(dtype), ga = a.cuda(),
                 gb_ = b.cuda();
    check_same(add(ga, gb_, 2), add(a, b, 2), tolerance);
    check_same(sub(ga.t(), ga.t()), sub(a.t(), a.t()), tolerance);
    check_same(mul(ga, gb_), mul(a, b), tolerance);
    check_same(div(ga, gb_), div(a, b), tolerance);
    check_same(mul(ga, 2.5), mul(a, 2.5), tolerance);
    check_same(add(ga, tensor(1.5)), add(a, tensor(1.5)), tolerance);
    check_same(neg(ga), neg(a), 0);
    check_same(exp(ga), exp(a), tolerance * 4);
    check_same(log(gb_), log(b), tolerance * 4);
    check_same(lt(ga, gb_), lt(a, b), 0);
  }
  const Tensor i = arange(6), gi = arange(6, kCUDA);
  check_same(mul(gi, gi), mul(i, i), 0);
  check_same(div(gi, 4), div(i, 4), 1e-7);
  check_same(exp(gi), exp(i), 1e-4);
}

TEST_CASE("in place on a GPU") {
  GB_NEEDS_GPU();
  Tensor x = ones({2, 3}, kCUDA);
  x.add_(tensor({1.0, 2.0, 3.0}, kCUDA)).mul_(tensor(2.0));
  check_values(x.cpu(), {4, 6, 8, 4, 6, 8});
  CHECK(x._version() == 2);
  x.t().fill_(3);
  check_values(x.cpu(), {3, 3, 3, 3, 3, 3});
  x.zero_();
  check_values(x.cpu(), {0, 0, 0, 0, 0, 0});
}

TEST_CASE("factories on a GPU") {
  GB_NEEDS_GPU();
  check_values(full({2}, 2.5, kCUDA).cpu(), {2.5, 2.5});
  check_values(eye(2, kCUDA).cpu(), {1, 0, 0, 1});
  check_values(ones_like(zeros({2}, kCUDA)).cpu(), {1, 1});
  CHECK(empty({0, 3}, kCUDA).is_cuda());
  CHECK(on_cpu(randn({50}, Generator(5), kCUDA)) == values(randn({50}, Generator(5))));
}

TEST_CASE("two devices in one call") {
  GB_NEEDS_GPU();
  const Tensor cpu = ones({2}), gpu = ones({2}, kCUDA);
  CHECK(contains(
      message_of([&] { add(cpu, gpu); }),
      "Expected all tensors to be on the same device, but found at least two devices, cpu and cuda:0!"));
  CHECK(contains(message_of([&] { cpu.add_(gpu); }), "at least two devices"));
  CHECK(add(tensor(1.0), gpu).is_cuda());
}

TEST_CASE("gradients stay on the GPU") {
  GB_NEEDS_GPU();
  const Tensor x = noise({3}).requires_grad_(), w = noise({3}, 2).cuda();
  const Tensor y = mul(x.cuda(), w);
  y.backward(ones({3}, TensorOptions(kCUDA).dtype(kDouble)));
  CHECK(x.grad().is_cpu());
  CHECK(values(x.grad()) == on_cpu(w));
}

}  // namespace
}  // namespace gb::tests
