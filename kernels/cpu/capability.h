// CPUCapability: which instruction set the CPU kernels of this process use.
//
// Each kernel file is compiled three times; the widest build that the processor and the operating system
// allow is chosen at first use and kept. GB_CPU_CAPABILITY=default|avx2|avx512 forces one. Asking for more
// than the processor has, or for an unknown word, is a ValueError at first use: silently running something
// else than asked would make every measurement and every bisection of a numerical difference a lie. Source of
// the rule: aten/src/ATen/native/DispatchStub.h (there ATEN_CPU_CAPABILITY, and a warning).
#pragma once

#include <atomic>
#include <cstdint>

namespace gb {

enum class CPUCapability : int8_t { DEFAULT, AVX2, AVX512 };
inline constexpr int kNumCPUCapabilities = 3;

const char* toString(CPUCapability c);  // "DEFAULT", "AVX2", "AVX512"

namespace detail {
extern std::atomic<int8_t> g_cpu_capability;  // -1: not chosen yet
CPUCapability choose_cpu_capability();        // reads the environment and the processor; may throw ValueError
}  // namespace detail

// The instruction set in use. Cost after the first call: one load and one compare.
inline CPUCapability cpu_capability() {
  const int8_t c = detail::g_cpu_capability.load(std::memory_order_relaxed);
  return c >= 0 ? static_cast<CPUCapability>(c) : detail::choose_cpu_capability();
}

// The widest instruction set that this processor has, whatever the environment says.
CPUCapability max_cpu_capability();

// Test hook: every later kernel call uses `c`. Throws ValueError if the processor lacks it. Not for use while
// kernels run in other threads.
void set_cpu_capability(CPUCapability c);

}  // namespace gb
