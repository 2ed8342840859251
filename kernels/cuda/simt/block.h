// The block that is running: one record per CUDA thread. Internal to the runner (runner.cc schedules, warp.cc
// does warp operations, report.cc words the errors); public only in that gdb and a curious reader may look at
// it: `p gb::simt::g_block`, and tools/gdb's gb-threads.
//
// The blocks of a cluster run together: then this is all of them, their threads one block after the other.
// Invariant: at most one thread is Running; all others are Ready, wait, or are Done. A thread leaves a
// waiting state only when the operation it waits for is complete for every thread that takes part.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/cuda/simt/fiber.h"
#include "kernels/cuda/simt/runner.h"
#include "kernels/cuda/simt/sanitizers.h"

namespace gb::simt {

enum class ThreadState : uint8_t { Ready, Running, AtBarrier, AtWarpOperation, AtCondition, Done };

struct Thread {
  Fiber fiber;
  uint3 index = {};   // its threadIdx
  uint3 block = {};   // its blockIdx
  unsigned rank = 0;  // of its block in the cluster
  ThreadState state = ThreadState::Ready;
  Site site = {};             // where it waits
  WarpRequest request = {};   // AtWarpOperation: what it posted
  uint64_t result = 0;        // what the operation gave it
  std::function<bool()> condition;         // AtCondition: what it waits for (asynchronous.h)
  std::function<std::string()> condition_text;  // and how a report says that
  Ordering arrived, goes_on;  // of a __syncwarp of which this is the lowest lane
};

constexpr unsigned kMostBlocks = 16;  // of a cluster

struct Block {
  KernelInfo kernel = {};
  uint3 index = {};     // its blockIdx; of a cluster: of its first block
  unsigned blocks = 1;  // of the cluster; their blockIdx.x are consecutive
  unsigned size = 0;    // threads in use; the record of thread (x, y, z) is number x + bx * (y + by * z)
  unsigned block_size = 0;  // threads of one block: size / blocks
  uint32_t serial = 0;  // counts the blocks of this program
  std::vector<std::unique_ptr<Thread>> threads;  // kept from launch to launch: stacks are reused
  unsigned current = 0;                          // number of the Running thread
  void (*entry)(void*) = nullptr;
  void* context = nullptr;
  char* shared = nullptr;  // dynamic shared memory: shared_bytes of it, at multiples of shared_stride for each block
  size_t shared_bytes = 0, shared_stride = 0;
  std::exception_ptr error;                 // what the Running thread threw
  std::exception_ptr finding;               // what uninitialised.cc found in this block
  Ordering starts, done;                    // a thread starts, returns
  Ordering arrived[kMostBlocks], goes_on[kMostBlocks];  // comes to the barrier of its block, leaves it
};
extern Block g_block;
inline Thread& running_thread() { return *g_block.threads[g_block.current]; }

constexpr unsigned kWarpSize = 32;

// Completes the warp operation that thread `number` waits for, if all lanes of its mask have come: results
// are stored and the lanes become Ready. False when a lane is missing.
bool try_complete_warp_operation(unsigned number);

// No thread can run. Throws the error that says why.
[[noreturn]] void throw_stuck();

}  // namespace gb::simt
