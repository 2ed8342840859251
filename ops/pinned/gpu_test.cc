// Pinned tensors, copies that return early, tensors used on two streams, and backward on the streams of the forward.
#include <thread>

#include "autograd/autograd.h"
#include "autograd/node.h"
#include "core/device_hooks.h"
#include "kernels/cuda/runtime/event.h"
#include "kernels/cuda/runtime/memory.h"
#include "kernels/cuda/runtime/runtime.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"
#include "tests/skip.h"

#define GB_NEEDS_GPU() \
  if (!cuda::is_available()) GB_SKIP("no GPU")

using namespace gb;
using namespace gb::tests;
using cuda::CUDAStream;
using cuda::CUDAStreamGuard;
using cuda::getCurrentCUDAStream;
using cuda::getStreamFromPool;

namespace {
constexpr int64_t kMany = 1 << 22;  // elements: a kernel takes tens of microseconds
const TensorOptions kOnGpu = TensorOptions(kCUDA).dtype(kFloat);

bool all_are(const Tensor& t, double value) { return t.eq(value).all().item<bool>(); }
}  // namespace

TEST_CASE("pinned tensors go to the GPU and back while the host goes on") {
  GB_NEEDS_GPU();
  const Tensor host = full({kMany}, 3.0, kFloat), pinned = host.pin_memory();
  CHECK(pinned.is_pinned());
  CHECK_FALSE(host.is_pinned());
  const CUDAStreamGuard guard(getStreamFromPool());
  const Tensor gpu = pinned.to(kOnGpu, /*non_blocking=*/true);
  CHECK_FALSE(gpu.is_pinned());
  const Tensor back = mul(gpu, 2).to(TensorOptions(kCPU), /*non_blocking=*/true);
  CHECK(back.is_pinned());
  getCurrentCUDAStream().synchronize();
  CHECK(all_are(back, 6));
  // Given back while the copy may be on its way: the next pinned tensor is another one.
  for (int i = 0; i < 20; ++i) {
    const Tensor there = full({kMany}, i, kFloat).pin_memory().to(kOnGpu, true);
    full({kMany}, -1.0, kFloat).pin_memory();
    CHECK(all_are(there.cpu(), i));
  }
}

TEST_CASE("record_stream keeps a tensor's memory while another stream uses it") {
  GB_NEEDS_GPU();
  const CUDAStream other = getStreamFromPool();
  for (int i = 0; i < 20; ++i) {
    Tensor x = full({kMany}, i, kOnGpu);
    device_hooks(kCUDA)->wait(other, getCurrentCUDAStream());
    Tensor y;
    {
      const CUDAStreamGuard guard(other);
      for (int k = 0; k < 10; ++k) y = add(x, 1);
      x.record_stream(other);
    }
    x.reset();
    const Tensor overwrite = full({kMany}, -100.0, kOnGpu);  // takes x's memory where it may
    other.synchronize();
    CHECK(all_are(y.cpu(), i + 1));
  }
}

TEST_CASE("backward runs on the device's worker, on the stream of the forward") {
  GB_NEEDS_GPU();
  const CUDAStream stream = getStreamFromPool();
  Tensor x = full({4}, 2.0, kOnGpu).requires_grad_(), y;
  std::thread::id thread;
  std::optional<CUDAStream> seen;
  {
    const CUDAStreamGuard guard(stream);
    device_hooks(kCUDA)->wait(stream, cuda::getDefaultCUDAStream());
    y = mul(x, x);
    y.register_hook([&](Tensor) {
      thread = std::this_thread::get_id();
      seen = getCurrentCUDAStream();
    });
    y = y.sum();
  }
  CHECK(y.grad_fn()->stream() == stream.unwrap());
  y.backward();
  CHECK(thread != std::this_thread::get_id());
  CHECK(seen == stream);
  CHECK(all_are(x.grad().cpu(), 4));
  CHECK(getCurrentCUDAStream() == cuda::getDefaultCUDAStream());
}

TEST_CASE("branches on several streams: gradients wait for each other, and for the caller") {
  GB_NEEDS_GPU();
  DeviceHooks& hooks = *device_hooks(kCUDA);
  const CUDAStream streams[] = {getStreamFromPool(), getStreamFromPool(), getStreamFromPool()};
  for (int round = 0; round < 20; ++round) {
    const Tensor x = full({kMany}, 1.0, kOnGpu).requires_grad_();
    std::vector<Tensor> branches;
    for (const CUDAStream& stream : streams) {
      const CUDAStreamGuard guard(stream);
      hooks.wait(stream, cuda::getDefaultCUDAStream());
      Tensor y = x;
      for (int k = 0; k < 4; ++k) y = mul(y, 2);
      branches.push_back(y);
    }
    for (const CUDAStream& stream : streams) hooks.wait(cuda::getDefaultCUDAStream(), stream);
    add(add(branches[0], branches[1]), branches[2]).sum().backward();
    CHECK(all_are(x.grad().cpu(), 48));
  }
}
