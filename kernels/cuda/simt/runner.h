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

#include "kernels/cuda/simt/types.h"

namespace gb::simt {

// In which order ready threads run, and blocks too. A result that changes with the order shows a missing
// barrier or __syncwarp; orders.h runs a test in all three, which is the cheap race detector.
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
  const void* function = nullptr;
  unsigned cluster = 1;  // blocks per cluster, consecutive in x
};

enum class WarpOp : uint8_t { Sync, Shuffle, ShuffleXor, ShuffleDown, ShuffleUp, Reduce, Together };

inline constexpr unsigned kMostRecordBytes = 64;  // of Together

struct WarpRequest {
  WarpOp op;
  const char* name;  // "__shfl_xor_sync"
  unsigned mask;     // the lanes that must post the same operation at the same place
  Site site;
  uint64_t value = 0;                                 // what this lane gives
  int operand = 0;                                    // shuffles: lane, lane mask or delta
  int width = 32;                                     // shuffles: lanes per group: 1, 2, 4, ..., 32
  uint64_t (*combine)(uint64_t, uint64_t) = nullptr;  // Reduce: of two lanes' values
  void* record = nullptr;                             // Together: what this lane gives, and gets back
  unsigned record_bytes = 0;                          // a multiple of 4
  void (*compute)(void* records) = nullptr;           // of all 32 lanes, one after the other
};

std::string name_of(const KernelInfo& kernel);  // without the parentheses

void wait_at_barrier(Site site);
uint64_t warp_operation(const WarpRequest& request);
unsigned lane_id();      // of the thread that runs, 0 to 31
unsigned block_rank();   // in its cluster
unsigned cluster_blocks();
void* dynamic_shared();  // the block's dynamic shared memory; filled with 0xff (NaN) before each block
[[noreturn]] void refuse_activemask(Site site);

// Type-erased launch: entry(context) is one thread's run.
void run_grid(const KernelInfo& info, dim3 grid, dim3 block, size_t shared_bytes, void (*entry)(void*),
              void* context);

// Arguments are copied at the launch, as CUDA does it, and converted to the parameters' types.
template <class... P, class... A>
void launch(KernelInfo info, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes, A... args) {
  info.function = reinterpret_cast<const void*>(kernel);
  auto call = [&] { kernel(static_cast<P>(args)...); };
  run_grid(
      info, grid, block, shared_bytes, [](void* c) { (*static_cast<decltype(call)*>(c))(); }, &call);
}

}  // namespace gb::simt
