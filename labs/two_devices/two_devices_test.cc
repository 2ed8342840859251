// The operator on the CPU and on CUDA; without a GPU the CUDA kernel runs under the SIMT runner.
#include "labs/two_devices/two_devices.h"

#include <doctest/doctest.h>

#include "core/device_hooks.h"
#include "dispatcher/trace.h"
#include "library/gradcheck.h"
#include "ops/ops.h"
#include "tests/skip.h"

using namespace gb;

#define GB_NEEDS_CUDA() \
  if (!cuda::is_available()) GB_SKIP("no GPU")

namespace {

bool close(const Tensor& a, const Tensor& b) {
  return (a.cpu() - b.cpu()).abs().amax(IntArrayRef()).item().toDouble() <= 1e-6;
}

}  // namespace

TEST_CASE("the tensor's device chooses the kernel") {
  GB_NEEDS_CUDA();
  const CustomOpDef op = labs::register_row_softmax();
  const Tensor x = randn({5, 77}, Generator(3), TensorOptions());
  const Tensor on_gpu = x.to(Device(kCUDA, 0));
  const trace::Recorder recorder;
  const Tensor y = op.call<Tensor>(x);
  CHECK(recorder.tree().find("launch") == std::string::npos);
  const Tensor z = op.call<Tensor>(on_gpu);
  INFO(recorder.tree());
  CHECK(recorder.tree().find("launch softmax_rows_kernel grid (2,1,1), block (128,1,1)") != std::string::npos);
  CHECK(z.is_cuda());
  CHECK(close(y, z));
  CHECK(close(y, softmax(x, -1)));
}

TEST_CASE("gradients on both devices, from one formula") {
  GB_NEEDS_CUDA();
  const CustomOpDef op = labs::register_row_softmax();
  const Tensor x = randn({3, 40}, Generator(4), TensorOptions()), dy = randn({3, 40}, Generator(5), TensorOptions());
  Tensor gradients[2];
  for (int i = 0; i < 2; ++i) {
    const Device device(i == 0 ? kCPU : kCUDA, i == 0 ? -1 : 0);
    Tensor leaf = x.to(device).detach().requires_grad_();
    op.call<Tensor>(leaf).backward(dy.to(device));
    CHECK((leaf.grad().device().type() == device.type()));
    gradients[i] = leaf.grad();
  }
  CHECK(close(gradients[0], gradients[1]));
}

TEST_CASE("what the kernels cannot take is refused by both alike; nothing is a result, too") {
  GB_NEEDS_CUDA();
  const CustomOpDef op = labs::register_row_softmax();
  for (const Device device : {Device(kCPU), Device(kCUDA, 0)}) {
    CHECK_THROWS_AS(op.call<Tensor>(zeros({2, 2}, TensorOptions(kDouble)).to(device)), ValueError);
    CHECK(op.call<Tensor>(zeros({0, 4}, TensorOptions()).to(device)).size(1) == 4);
    CHECK(op.call<Tensor>(zeros({4, 0}, TensorOptions()).to(device)).size(0) == 4);
  }
}

// gradcheck's inputs lie on the CPU; the function takes them to the GPU and brings its result back, so that the kernels
// between are the ones that are checked, forward and backward.
TEST_CASE("gradcheck of what runs on CUDA") {
  GB_NEEDS_CUDA();
  const Tensor x = randn({3, 5}, Generator(6), TensorOptions(kDouble)).requires_grad_();
  const auto on_gpu = [](auto f) {
    return [f](const std::vector<Tensor>& in) {
      const Tensor y = f(in[0].to(Device(kCUDA, 0)));
      CHECK(y.is_cuda());
      return std::vector<Tensor>{y.to(kCPU)};
    };
  };
  CHECK(gradcheck(on_gpu([](const Tensor& t) { return softmax(t, -1); }), {x}));
  CHECK(gradcheck(on_gpu([](const Tensor& t) { return log_softmax(t, 0); }), {x}));
  CHECK(gradgradcheck(on_gpu([](const Tensor& t) { return softmax(t, -1); }), {x}));
  CHECK(gradgradcheck(on_gpu([](const Tensor& t) { return t.mm(t.t()).tanh(); }), {x}));
}
