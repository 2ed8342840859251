// Launching and scheduling: blocks one after another, the threads of a block as fibres in the order asked
// for.
#include "kernels/cuda/simt/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>
#include <random>
#include <utility>

#include "core/error.h"
#include "kernels/cuda/launch_limits.h"
#include "kernels/cuda/simt/asynchronous.h"
#include "kernels/cuda/simt/block.h"
#include "kernels/cuda/simt/static_shared.h"

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace gb::simt {

Block g_block;

namespace {

Options options_from_environment() {
  Options o;
  const char* value = std::getenv("GB_SIMT_ORDER");
  if (!value || !*value) return o;
  const std::string text = value, name = text.substr(0, text.find(':'));
  const bool known = name == "forward" || name == "reverse" || name == "random";
  GB_CHECK_OR_THROW(known, ValueError, .what = "simt: unknown thread order",
                    .cause = fmt::format("GB_SIMT_ORDER={}", text),
                    .repair = "use forward, reverse, random or random:SEED", .chapter = chapters::kKernels);
  o.order = name == "forward" ? Order::Forward : name == "reverse" ? Order::Reverse : Order::Random;
  if (text.size() > name.size()) o.seed = std::strtoull(text.c_str() + name.size() + 1, nullptr, 10);
  return o;
}

// Those of an H200: what it would refuse is refused here.
constexpr cuda::LaunchLimits kLimits = {1024, {1024, 1024, 64}, {0x7fffffff, 65535, 65535}, 227 * 1024};

// Refuses a launch from inside a kernel or from a second OS thread; the runner has one set of globals.
class OneAtATime {
 public:
  explicit OneAtATime(const KernelInfo& kernel) {
    GB_CHECK_OR_THROW(
        !active_.exchange(true), Error,
        .what = fmt::format("simt: kernel {} is launched while another one runs", name_of(kernel)),
        .cause = fmt::format("{}:{}: the runner has one threadIdx for the whole program", kernel.file,
                             kernel.line),
        .repair = "launch from host code, from one OS thread at a time", .chapter = chapters::kKernels);
  }
  ~OneAtATime() { active_ = false; }

 private:
  static inline std::atomic<bool> active_ = false;
};

// 16-byte aligned, and exactly as long as asked for, so that the address sanitizer sees the first byte too
// many.
class SharedMemory {
 public:
  [[gnu::noinline]] explicit SharedMemory(size_t bytes)  // a sanitizer's report names it
      : block_(static_cast<char*>(::operator new (kBefore + bytes, kAlignment))), bytes_(bytes) {
    if (__asan_poison_memory_region) __asan_poison_memory_region(block_, kBefore);
  }
  SharedMemory(const SharedMemory&) = delete;
  ~SharedMemory() { ::operator delete (block_, kAlignment); }
  char* poison() const { return static_cast<char*>(memset(block_ + kBefore, 0xff, bytes_)); }

 private:
  // A pointer into it is as aligned as the address that it has for the kernel (asynchronous.h).
  static constexpr std::align_val_t kAlignment{kSharedAlignment};
  static constexpr size_t kBefore = kSharedBase % kSharedAlignment;
  char* block_;
  size_t bytes_;
};

// Blocks that run together cannot have one `static` array each, and a warp must not reach into the next block.
void check_cluster(const KernelInfo& kernel, dim3 grid, dim3 block, bool has_static_shared) {
  if (kernel.cluster == 1) return;
  const unsigned threads = block.x * block.y * block.z;
  GB_CHECK_OR_THROW(
      kernel.cluster <= kMostBlocks && grid.x % kernel.cluster == 0 && threads % kWarpSize == 0 && !has_static_shared,
      ValueError, .what = fmt::format("simt: kernel {} cannot be launched in clusters", name_of(kernel)),
      .cause = fmt::format("{}:{}: {} blocks per cluster, {} in x, {} threads per block, static __shared__: {}",
                           kernel.file, kernel.line, kernel.cluster, grid.x, threads,
                           has_static_shared ? "yes" : "no"),
      .repair = fmt::format("at most {} blocks that divide the grid in x, whole warps, and GB_EXTERN_SHARED in "
                            "place of __shared__ arrays",
                            kMostBlocks),
      .chapter = chapters::kKernels);
}

// The first function of every fibre.
void thread_main() {
  Fiber::entered();
  g_block.starts.acquire();
  try {
    g_block.entry(g_block.context);
  } catch (...) {
    g_block.error = std::current_exception();
  }
  g_block.done.release();
  Thread& self = *g_block.threads[g_block.current];
  self.state = ThreadState::Done;
  self.fiber.leave_for_ever();
}

void run_thread(unsigned number) {
  Thread& t = *g_block.threads[number];
  g_block.current = number;
  threadIdx = t.index;
  blockIdx = t.block;
  t.state = ThreadState::Running;
  t.fiber.resume();
  if (g_block.error) std::rethrow_exception(std::exchange(g_block.error, nullptr));
}

// No thread is ready. Lets go on whoever may: the threads of a block that have all reached one barrier, and a warp
// operation that waits for returned lanes only and may. False: nobody may.
bool release_waiting(unsigned rank) {
  const unsigned begin = rank * g_block.block_size, end = begin + g_block.block_size;
  bool released = false, all_at_one_barrier = true;
  const Thread* at_barrier = nullptr;
  for (unsigned i = begin; i < end; ++i) {
    const Thread& t = *g_block.threads[i];
    if (t.state == ThreadState::AtWarpOperation) {
      all_at_one_barrier = false;
      if (options().tolerate_exited) released |= try_complete_warp_operation(i);
    } else if (t.state == ThreadState::AtBarrier) {
      if (at_barrier &&
          (at_barrier->site.line != t.site.line || strcmp(at_barrier->site.file, t.site.file) != 0))
        all_at_one_barrier = false;
      at_barrier = &t;
    } else if (t.state != ThreadState::Done || !options().tolerate_exited) {
      all_at_one_barrier = false;
    }
  }
  if (released || !all_at_one_barrier || !at_barrier) return released;
  g_block.arrived[rank].acquire();
  g_block.goes_on[rank].release();
  for (unsigned i = begin; i < end; ++i)
    if (g_block.threads[i]->state == ThreadState::AtBarrier) g_block.threads[i]->state = ThreadState::Ready;
  return true;
}
bool release_waiting() {
  bool released = false;
  for (unsigned rank = 0; rank < g_block.blocks; ++rank) released |= release_waiting(rank);
  return released;
}

void put_in_order(std::vector<unsigned>& numbers, std::mt19937_64& random) {
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (options().order == Order::Reverse) std::reverse(numbers.begin(), numbers.end());
  if (options().order == Order::Random) std::shuffle(numbers.begin(), numbers.end(), random);
}

void prepare_threads() {
  for (unsigned i = 0; i < g_block.size; ++i) {
    Thread& t = *g_block.threads[i];
    const unsigned in_block = i % g_block.block_size;
    t.index = {in_block % blockDim.x, in_block / blockDim.x % blockDim.y, in_block / (blockDim.x * blockDim.y)};
    t.rank = i / g_block.block_size;
    t.block = {g_block.index.x + t.rank, g_block.index.y, g_block.index.z};
    t.state = ThreadState::Ready;
    t.fiber.reset(thread_main);
    if (__tsan_set_fiber_name)
      t.fiber.set_name(fmt::format("thread ({},{},{})", t.index.x, t.index.y, t.index.z).c_str());
  }
  g_block.starts.release();
}

// Runs the threads that can run, in turn, until all have returned. What copies and multiplies by itself
// (asynchronous.h) does so when no thread can run: as late as a GPU could.
void run_to_the_end(std::vector<unsigned>& order, std::mt19937_64& random) {
  for (bool all_done = false; !all_done;) {
    bool ran = false;
    all_done = true;
    put_in_order(order, random);
    for (unsigned number : order) {
      Thread& t = *g_block.threads[number];
      if (t.state == ThreadState::AtCondition && t.condition()) t.state = ThreadState::Ready;
      if (t.state == ThreadState::Ready) {
        run_thread(number);
        ran = true;
      }
      all_done &= t.state == ThreadState::Done;
    }
    if (!ran && !all_done && !release_waiting() && !run_one_operation()) throw_stuck();
  }
}

void run_block(std::vector<unsigned>& order, std::mt19937_64& random) {
  prepare_threads();
  begin_operations();
  try {
    run_to_the_end(order, random);
    end_operations();
  } catch (...) {
    for (unsigned i = 0; i < g_block.size; ++i) g_block.threads[i]->fiber.abandon(g_block.done);
    g_block.done.acquire();
    throw;
  }
  g_block.done.acquire();
  if (g_block.finding) std::rethrow_exception(std::exchange(g_block.finding, nullptr));
}

}  // namespace

Options& options() {
  static Options o = options_from_environment();
  return o;
}

std::string name_of(const KernelInfo& kernel) {
  const std::string name = kernel.name;
  return name.size() > 2 && name.front() == '(' && name.back() == ')' ? name.substr(1, name.size() - 2)
                                                                      : name;
}

void* dynamic_shared() { return g_block.shared + running_thread().rank * g_block.shared_stride; }
unsigned lane_id() { return g_block.current % g_block.block_size % kWarpSize; }
unsigned block_rank() { return running_thread().rank; }
unsigned cluster_blocks() { return g_block.blocks; }

// [anchor: barrier]
void wait_at_barrier(Site site) {
  Thread& self = running_thread();
  self.site = site;
  self.state = ThreadState::AtBarrier;
  g_block.arrived[self.rank].release();
  self.fiber.suspend();
  g_block.goes_on[self.rank].acquire();
}

void run_grid(const KernelInfo& info, dim3 grid, dim3 block, size_t shared_bytes, void (*entry)(void*),
              void* context) {
  cuda::check_launch_configuration(
      cuda::describe_launch(info.name, info.file, info.line, grid, block, shared_bytes, nullptr), kLimits);
  OneAtATime guard(info);
  const std::vector<SharedArray>& static_arrays = static_shared_of(info.function);
  check_cluster(info, grid, block, !static_arrays.empty());
  const size_t shared_stride = (shared_bytes + kSharedAlignment - 1) / kSharedAlignment * kSharedAlignment;
  SharedMemory shared(info.cluster == 1 ? shared_bytes : info.cluster * shared_stride);
  g_block.kernel = info;
  g_block.entry = entry;
  g_block.context = context;
  g_block.blocks = info.cluster;
  g_block.block_size = block.x * block.y * block.z;
  g_block.size = g_block.block_size * g_block.blocks;
  g_block.error = g_block.finding = nullptr;
  while (g_block.threads.size() < g_block.size) g_block.threads.push_back(std::make_unique<Thread>());
  gridDim = grid;
  blockDim = block;

  std::mt19937_64 random(options().seed);
  std::vector<unsigned> order(g_block.size), clusters(size_t{grid.x / info.cluster} * grid.y * grid.z);
  put_in_order(clusters, random);
  for (unsigned c : clusters) {
    const unsigned b = c * info.cluster;  // its first block
    blockIdx = g_block.index = {b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y)};
    g_block.shared = shared.poison();
    for (const SharedArray& array : static_arrays) memset(array.data, 0xff, array.bytes);
    g_block.shared_bytes = shared_bytes;
    g_block.shared_stride = shared_stride;
    ++g_block.serial;
    run_block(order, random);
  }
}

}  // namespace gb::simt
