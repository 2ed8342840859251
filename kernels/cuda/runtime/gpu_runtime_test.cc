// Streams, events, guards, memory and launches on a real GPU. Skips itself where there is none.
#include <doctest/doctest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/device_hooks.h"
#include "core/error.h"
#include "core/kernel_launch.h"
#include "kernels/cuda/runtime/event.h"
#include "kernels/cuda/runtime/gpu_runtime_kernels.h"
#include "kernels/cuda/runtime/memory.h"
#include "kernels/cuda/runtime/runtime.h"
#include "tests/skip.h"

using namespace gb;
using namespace gb::cuda;

#define GB_NEEDS_GPU() \
  if (!why_unavailable().empty()) GB_SKIP(why_unavailable())

namespace {

constexpr Device kDevice(kCUDA, 0);
constexpr int64_t kLong = 200'000'000;  // clocks: about a tenth of a second

DeviceHooks& hooks() { return *device_hooks(kCUDA); }
DataPtr device_memory(size_t bytes) { return allocator_for(kDevice)->allocate(bytes); }

int value_at(const DataPtr& memory) {
  int value = 0;
  hooks().copy(&value, kCPU, memory.get(), kDevice, sizeof value);
  return value;
}

template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what_without_backtrace();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("streams: a pool per priority, handed out in turn; the current one is per thread") {
  GB_NEEDS_GPU();
  std::set<StreamHandle> handles;
  const CUDAStream first = getStreamFromPool();
  handles.insert(first);
  for (int i = 1; i < 32; ++i) handles.insert(getStreamFromPool());
  CHECK(handles.size() == 32);
  CHECK(handles.count(nullptr) == 0);
  CHECK(getStreamFromPool() == first);
  CHECK(first.priority() == 0);
  CHECK(first.device() == kDevice);

  const auto [lowest, highest] = CUDAStream::priority_range();
  CHECK(lowest == 0);
  CHECK(highest < 0);
  CHECK(getStreamFromPool(/*isHighPriority=*/true).priority() == highest);
  CHECK(getStreamFromPool(-1).priority() == -1);
  CHECK(getStreamFromPool(-100).priority() == highest);

  CHECK(getCurrentCUDAStream() == getDefaultCUDAStream());
  CHECK(current_stream() == nullptr);
  setCurrentCUDAStream(first);
  CHECK(current_stream() == first.stream());
  std::thread([] { CHECK(getCurrentCUDAStream() == getDefaultCUDAStream()); }).join();
  setCurrentCUDAStream(getDefaultCUDAStream());

  const CUDAStream other = getStreamFromExternal(first.stream(), 0);
  CHECK(other.stream() == first.stream());
  CHECK(other.id() == getStreamFromExternal(first.stream(), 0).id());
  CHECK_THROWS_AS(CUDAStream(Stream(Stream::DEFAULT, kCPU)), ValueError);
}

TEST_CASE("guards put back what they found") {
  GB_NEEDS_GPU();
  const CUDAStream a = getStreamFromPool(), b = getStreamFromPool();
  {
    CUDAStreamGuard guard(a);
    CHECK(getCurrentCUDAStream() == a);
    CHECK(guard.original_stream() == getDefaultCUDAStream());
    {
      OptionalCUDAStreamGuard inner;
      CHECK_FALSE(inner.current_stream());
      inner.reset_stream(b);
      CHECK(getCurrentCUDAStream() == b);
    }
    CHECK(getCurrentCUDAStream() == a);
    guard.reset_stream(b);
    CHECK(guard.current_stream() == b);
  }
  CHECK(getCurrentCUDAStream() == getDefaultCUDAStream());
  CHECK_THROWS_AS(CUDAGuard(Device(kCPU)), ValueError);
  CHECK(
      message_of([] { CUDAGuard guard(kMaxDevices - 1); }).starts_with("CUDA error: cudaErrorInvalidDevice"));
  CHECK(gb::cuda::current_device() == 0);
  if (device_count() < 2) return;
  const CUDAStream there = getStreamFromPool(false, 1);
  {
    const CUDAStreamGuard guard(there);
    CHECK(gb::cuda::current_device() == 1);
    CHECK(current_stream() == there.stream());
    CHECK(getCurrentCUDAStream(0) == getDefaultCUDAStream(0));
  }
  CHECK(gb::cuda::current_device() == 0);
  CHECK(getCurrentCUDAStream(1) == getDefaultCUDAStream(1));
}

TEST_CASE("an event orders two streams, and measures time") {
  GB_NEEDS_GPU();
  const CUDAStream producer = getStreamFromPool(), consumer = getStreamFromPool();
  const DataPtr memory = device_memory(sizeof(int)), copy = device_memory(sizeof(int));
  CUDAEvent done, start(CUDAEvent::kDefault), end(CUDAEvent::kDefault);
  CHECK(done.query());
  CHECK_FALSE(done.isCreated());
  start.record(producer);
  testing::spin_then_write(static_cast<int*>(memory.get()), 42, kLong, producer);
  end.record(producer);
  done.record(producer);
  CHECK_FALSE(done.query());
  CHECK_FALSE(producer.query());
  CHECK(consumer.query());
  done.block(consumer);
  CHECK_FALSE(done.query());  // the host went on
  {
    const CUDAStreamGuard guard(consumer);
    hooks().copy_async(copy.get(), kDevice, memory.get(), kDevice, sizeof(int));
    CHECK(value_at(copy) == 42);
  }
  CHECK(done.query());
  CHECK(start.elapsed_time(end) > 10);
  CHECK_THROWS_AS(start.elapsed_time(done), ValueError);

  // DeviceHooks::wait is the same in one call.
  testing::spin_then_write(static_cast<int*>(memory.get()), 43, kLong, producer);
  hooks().wait(consumer, producer);
  const CUDAStreamGuard guard(consumer);
  CHECK(value_at(memory) == 43);
}

TEST_CASE("a block used on another stream is not given out again before that stream is there") {
  GB_NEEDS_GPU();
  empty_cache();
  const CUDAStream other = getStreamFromPool();
  const size_t before = memory_allocated();
  const DataPtr target = device_memory(sizeof(int));
  DataPtr block = device_memory(3 << 20);
  void* const address = block.get();
  testing::spin_then_write(static_cast<int*>(block.get()), 1, kLong, other);
  hooks().record_stream(block, other);
  block.clear();
  CHECK(memory_allocated() >= before + (3 << 20));
  CHECK(device_memory(3 << 20).get() != address);
  other.synchronize();
  CHECK(device_memory(3 << 20).get() == address);

  // On its own stream it is given out at once, and the order on the stream keeps that right.
  DataPtr own = device_memory(3 << 20);
  testing::spin_then_write(static_cast<int*>(own.get()), 7, kLong, current_stream());
  own.clear();
  const DataPtr again = device_memory(3 << 20);
  CHECK(again.get() == address);
  testing::spin_then_write(static_cast<int*>(again.get()), 8, 1, current_stream());
  CHECK(value_at(again) == 8);
}

TEST_CASE("out of memory says what was asked, what is held and by whom, and the next request works") {
  GB_NEEDS_GPU();
  reset_peak_memory_stats();
  const DeviceGuard guard(kDevice, "holder_cuda", "ops/holder/cuda.cc");
  const DataPtr held = device_memory(64 << 20);
  CHECK(max_memory_allocated() >= (64 << 20));
  CHECK(memory_reserved() >= memory_allocated());
  const std::string message = message_of([] { device_memory(size_t{1} << 45); });
  INFO(message);
  CHECK(message.starts_with(
      "CUDA out of memory: holder_cuda tried to allocate 32.00 TiB (35184372088832 bytes) on cuda:0\n"));
  const bool names_holder =
      message.find("The largest holders: 64.00 MiB in 1 block(s): holder_cuda (ops/holder/cuda.cc)") !=
      std::string::npos;
  CHECK(names_holder);
  CHECK(device_memory(1000).get() != nullptr);
  CHECK_THROWS_AS(allocator_for(Device(kCUDA, 100)), NotImplementedError);
}

TEST_CASE("pinned memory: copies return early, and its blocks wait for them") {
  GB_NEEDS_GPU();
  Allocator* pinned = hooks().pinned_allocator();
  REQUIRE(pinned);
  constexpr size_t kBytes = 8 << 20;
  const DataPtr device = device_memory(kBytes);
  DataPtr host = pinned->allocate(kBytes);
  CHECK(hooks().is_pinned(host.get()));
  CHECK_FALSE(hooks().is_pinned(&kBytes));
  CHECK_FALSE(hooks().is_pinned(device.get()));

  const CUDAStream stream = getStreamFromPool();
  const CUDAStreamGuard guard(stream);
  std::memset(host.get(), 5, kBytes);
  const DataPtr flag = device_memory(sizeof(int));
  testing::spin_then_write(static_cast<int*>(flag.get()), 1, kLong, stream);
  hooks().copy_async(device.get(), kDevice, host.get(), kCPU, kBytes);
  CHECK_FALSE(stream.query());  // the copy stands behind the spinning kernel
  void* const address = host.get();
  host.clear();
  CHECK(pinned->allocate(kBytes).get() != address);
  stream.synchronize();
  host = pinned->allocate(kBytes);
  CHECK(host.get() == address);

  std::memset(host.get(), 0, kBytes);
  hooks().copy_async(host.get(), kCPU, device.get(), kDevice, kBytes);
  stream.synchronize();
  CHECK(static_cast<char*>(host.get())[kBytes - 1] == 5);

  // The blocking copy has read its source when it returns, pinned or not.
  std::memset(host.get(), 6, kBytes);
  testing::spin_then_write(static_cast<int*>(flag.get()), 1, kLong, stream);
  hooks().copy(device.get(), kDevice, host.get(), kCPU, kBytes);
  std::memset(host.get(), 0, kBytes);
  CHECK(value_at(device) == 0x06060606);
  CHECK(pinned_memory_stats().allocated.current >= kBytes);
}

namespace {
KernelLaunch g_seen;
}

TEST_CASE("a launch is checked and reported; more than 48 KiB of shared memory is allowed on the way") {
  GB_NEEDS_GPU();
  const DataPtr out = device_memory(sizeof(int));
  KernelLaunchHook before = kernel_launch_hook.exchange([](const KernelLaunch& launch) { g_seen = launch; });
  testing::sum_of_shared(static_cast<int*>(out.get()), 100 << 10, nullptr);
  kernel_launch_hook = before;
  CHECK(value_at(out) == 100 << 10);
  CHECK(std::string(g_seen.kernel) == "(sum_of_shared_kernel)");
  CHECK(g_seen.block[0] == 128);
  CHECK(g_seen.shared_bytes == 100 << 10);

  CHECK(message_of([] { testing::launch_block_of(2048, nullptr); })
            .starts_with("kernel nothing_kernel cannot be launched: its block has 2048 threads in x, the "
                         "limit is 1024\n"));
  CHECK(message_of([&] {
          testing::sum_of_shared(static_cast<int*>(out.get()), 1 << 20, nullptr);
        }).starts_with("kernel sum_of_shared_kernel cannot be launched: it asks for 1048576 bytes"));
  testing::launch_block_of(1024, nullptr);  // the next one works
}

// A fault ends the use of the GPU for the process, so the next two run in one of their own.
TEST_CASE("child: a kernel that writes nowhere" * doctest::skip()) {
  const std::string at_launch = message_of([] { testing::write_nowhere(nullptr); });
  const std::string later = message_of([] { hooks().synchronize(kDevice); });
  std::printf("at the launch: %s\nlater: %s\n", at_launch.c_str(), later.c_str());
}

TEST_CASE("GB_LAUNCH_BLOCKING=1 reports a fault at the launch that caused it") {
  GB_NEEDS_GPU();
  std::array<char, 4096> path{};
  REQUIRE(readlink("/proc/self/exe", path.data(), path.size() - 1) > 0);
  for (const char* blocking : {"1", "0"}) {
    const std::string command = std::string("GB_LAUNCH_BLOCKING=") + blocking + " '" + path.data() +
                                "' --no-skip --test-case='child: a kernel*' 2>&1";
    std::string text;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe);
    for (int c; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    pclose(pipe);
    INFO(text);
    const bool named = text.find(
                           "at the launch: CUDA error: cudaErrorIllegalAddress\n  cause:   run of kernel "
                           "write_nowhere_kernel (") != std::string::npos;
    CHECK(named == (blocking[0] == '1'));
    const bool reported = text.find("later: CUDA error: cudaErrorIllegalAddress") != std::string::npos;
    CHECK(reported);
  }
}
