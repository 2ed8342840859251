// The runner's side of the SIMT emulation: launching, and the operations at which a CUDA thread waits.
// See simt.h for the idea; kernels use the CUDA names there.
//
// A launch runs to the end before it returns. An exception thrown inside a kernel, and every misuse the
// runner finds, is thrown by the launch as gb::Error; the fibres that were waiting are then abandoned, their
// destructors do not run. Launches from inside a kernel, or from two OS threads at a time, are refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>

#include "kernels/cuda/simt/types.h"

namespace gb::simt {

// In which order ready threads run, and blocks too. A result that changes with the order shows a missing
// barrier or
// __syncwarp; running every test in three orders is the cheap race detector.
enum class Order { Forward, Reverse, Random };

struct Options {
  Order order = Order::Forward;
  uint64_t seed = 1;             // for Random: the same seed gives the same run
  bool tolerate_exited = false;  // GPUs let a barrier pass over threads that have returned; true: so do we
};
Options& options();  // of this program; read at each launch

// The environment variable GB_SIMT_ORDER=forward|reverse|random[:SEED] sets the order at program start, so
// that a debugger session can ask for one without rebuilding.

struct Site {  // a place in a kernel
  const char* file;
  int line;
};

struct KernelInfo {
  const char* name;  // as GB_LAUNCH spells it, in parentheses
  const char* file;  // of the launch
  int line;
};

enum class WarpOp : uint8_t { Sync, Shuffle, ShuffleXor, ShuffleDown, ShuffleUp, Ballot };

struct WarpRequest {
  WarpOp op;
  unsigned mask;   // the lanes that must post the same operation at the same place
  uint64_t value;  // what this lane gives
  int operand;     // lane, lane mask or delta
  int width;       // lanes per group: 1, 2, 4, ..., 32
  Site site;
};

std::string name_of(const KernelInfo& kernel);  // without the parentheses

void wait_at_barrier(Site site);
uint64_t warp_operation(const WarpRequest& request);
void* dynamic_shared();  // the block's dynamic shared memory; filled with 0xff (NaN) before each block

// Type-erased launch: entry(context) is one thread's run.
void run_grid(const KernelInfo& info, dim3 grid, dim3 block, size_t shared_bytes, void (*entry)(void*),
              void* context);

// Arguments are converted to the parameters' types once, at the launch, as CUDA does it.
template <class... P, class... A>
void launch(const KernelInfo& info, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
            A... args) {
  struct Call {
    void (*kernel)(P...);
    std::tuple<P...> args;
  } call{kernel, std::tuple<P...>(static_cast<P>(args)...)};
  run_grid(
      info, grid, block, shared_bytes,
      [](void* c) { std::apply(static_cast<Call*>(c)->kernel, static_cast<Call*>(c)->args); }, &call);
}

// The waiting threads of the block that is running, grouped by what they wait for: "threads 0-31 waiting at
// k.cu:12
// (__syncthreads)", one group a line. For error messages, and for `print gb::simt::describe_threads()` in
// gdb.
std::string describe_threads();

}  // namespace gb::simt
