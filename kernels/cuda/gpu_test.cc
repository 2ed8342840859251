// The kernels on a real GPU: the cases of the host tests, and what only a GPU has (cuBLAS, many rows, launch
// errors). Skips itself where there is none.
#include <cstring>

#include "core/device_hooks.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/cases/along_cases.h"
#include "kernels/cuda/cases/ampere_cases.h"
#include "kernels/cuda/cases/elementwise_cases.h"
#include "kernels/cuda/cases/hopper_linear_cases.h"
#include "kernels/cuda/cases/instruction_cases.h"
#include "kernels/cuda/cases/linear_cases.h"
#include "kernels/cuda/cases/lm_head_cases.h"
#include "kernels/cuda/cases/random_cases.h"
#include "kernels/cuda/cases/reduce_index_cases.h"
#include "kernels/cuda/cases/softmax_cases.h"
#include "kernels/cuda/cases/training_cases.h"
#include "kernels/cuda/linear/cublas.h"
#include "kernels/cuda/runtime/runtime.h"
#include "tests/skip.h"

using namespace gb;
using namespace gb::cuda;

#define GB_NEEDS_GPU() \
  if (!why_unavailable().empty()) GB_SKIP(why_unavailable())

namespace {

constexpr Device kDevice(kCUDA, 0);

// Device memory from the caching allocator, copies through the DeviceHooks: as tensors do it.
class GpuMachine final : public cases::Machine {
 public:
  bool is_host() const override { return false; }
  void* allocate(size_t nbytes) override {
    auto* block = new Block{allocator_for(kDevice)->allocate(nbytes), next_};
    next_ = block;
    return block->memory.get();
  }
  void release(void* memory) override {
    for (Block** link = &next_; *link; link = &(*link)->next)
      if ((*link)->memory.get() == memory) {
        Block* gone = *link;
        *link = gone->next;
        delete gone;
        return;
      }
  }
  void copy_in(void* device, const void* host, size_t nbytes) override {
    device_hooks(kCUDA)->copy(device, kDevice, host, kCPU, nbytes);
  }
  void copy_out(void* host, const void* device, size_t nbytes) override {
    device_hooks(kCUDA)->copy(host, kCPU, device, kDevice, nbytes);
  }

 private:
  struct Block {
    DataPtr memory;
    Block* next;
  };
  Block* next_ = nullptr;
};

void on_gpu(void (*run)(cases::Machine&)) {
  GpuMachine machine;
  run(machine);
  device_hooks(kCUDA)->synchronize(kDevice);  // a fault in a kernel shows here at the latest
}

}  // namespace

TEST_CASE("softmax on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::softmax_cases);
}
TEST_CASE("softmax of long and odd rows on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::long_softmax_cases);
}
TEST_CASE("linear on the GPU, cublas among the rungs") {
  GB_NEEDS_GPU();
  MESSAGE("cuBLAS is " << cublas::library_path());
  on_gpu(cases::linear_cases);
}
TEST_CASE("Hopper's rungs of linear on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::hopper_linear_cases);
}
TEST_CASE("linear through cuBLAS by set_linear_rung") {
  GB_NEEDS_GPU();
  const backends::cuda::LinearRungGuard rung("cublas");
  GpuMachine machine;
  for (ScalarType dtype : cases::kFloating) cases::linear_matches(machine, dtype, 300, 64, 600, true);
}
TEST_CASE("the LM head on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::lm_head_cases);
  on_gpu(cases::lm_head_large_cases);
}
TEST_CASE("Hopper's instructions on the GPU") {
  GB_NEEDS_GPU();
  if (!hopper_checks::can_run()) GB_SKIP("no GPU of compute capability 9.0");
  on_gpu(cases::box_cases);
  on_gpu(cases::wgmma_cases);
  on_gpu(cases::barrier_cases);
}
TEST_CASE("cp.async, ldmatrix, mma.sync on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::ampere_cases);
}
TEST_CASE("elementwise on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::binary_cases);
  on_gpu(cases::unary_cases);
  on_gpu(cases::where_cases);
  on_gpu(cases::copy_cases);
}
TEST_CASE("reduce and index on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::reduce_cases);
  on_gpu(cases::column_sums_cases);
  on_gpu(cases::index_cases);
  on_gpu(cases::along_cases);
}
TEST_CASE("layer norm, loss and optimizers on the GPU") {
  GB_NEEDS_GPU();
  on_gpu(cases::layer_norm_cases);
  on_gpu(cases::nll_cases);
  on_gpu(cases::optimizer_cases);
  on_gpu(cases::random_cases);
}
TEST_CASE("a stream of one's own gives the same results") {
  GB_NEEDS_GPU();
  const CUDAStreamGuard stream(getStreamFromPool());
  GpuMachine machine;
  const cases::Values x = cases::random_values(600, 1);
  cases::Array in(machine, kFloat, x), out(machine, kFloat, cases::Values(600));
  softmax({kFloat, false, out.data(), in.data(), 1, 600, 600, current_stream()});
  cases::check_close(out.values(), cases::reference_softmax(x, 1, 600), 2e-6, 1.0 / 600);
}
TEST_CASE("a launch that the device refuses throws, and the next one works") {
  GB_NEEDS_GPU();
  GpuMachine machine;
  cases::Array x(machine, kFloat, {1});
  GemmArgs args;  // more blocks than a grid can have: 2^31 blocks of 256 threads and one more
  args.m = (int64_t{1} << 31) * 256;
  args.n = 1;
  args.d = {x.data(), 0, 0};
  std::string message;
  try {
    linear_rungs()[0].run(args, nullptr);
  } catch (const Error& e) {
    message = e.what_without_backtrace();
  }
  INFO(message);
  CHECK(message.starts_with("kernel gemm_kernel<T> cannot be launched: its grid has 2147483648 blocks in x"));
  on_gpu(cases::unary_cases);
}
