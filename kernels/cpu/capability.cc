#include "kernels/cpu/capability.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "core/error.h"

namespace gb {
namespace {

constexpr const char* kVariable = "GB_CPU_CAPABILITY";

CPUCapability detect() {
#if defined(__x86_64__)
  __builtin_cpu_init();  // the answers below include "the operating system saves these registers"
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("f16c"))
    return CPUCapability::DEFAULT;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return CPUCapability::AVX512;
  return CPUCapability::AVX2;
#else
  return CPUCapability::DEFAULT;
#endif
}

void check_available(CPUCapability c, const std::string& asked_by) {
  GB_CHECK_OR_THROW(
      c <= max_cpu_capability(), ValueError,
      .what = fmt::format("gb::cpu_capability: this processor has no {}", toString(c)),
      .cause = fmt::format("{} asks for {}; the widest instruction set here is {}", asked_by, toString(c),
                           toString(max_cpu_capability())),
      .repair = fmt::format("unset {}, or set it to one of default, avx2, avx512 that the processor has",
                            kVariable),
      .chapter = chapters::kKernels);
}

}  // namespace

const char* toString(CPUCapability c) {
  switch (c) {
    case CPUCapability::DEFAULT:
      return "DEFAULT";
    case CPUCapability::AVX2:
      return "AVX2";
    case CPUCapability::AVX512:
      return "AVX512";
  }
  return "UNKNOWN";
}

CPUCapability max_cpu_capability() {
  static const CPUCapability widest = detect();
  return widest;
}

void set_cpu_capability(CPUCapability c) {
  check_available(c, "set_cpu_capability");
  detail::g_cpu_capability.store(static_cast<int8_t>(c), std::memory_order_relaxed);
}

namespace detail {

constinit std::atomic<int8_t> g_cpu_capability{-1};

// Two threads may both come here first; they compute the same answer.
CPUCapability choose_cpu_capability() {
  CPUCapability c = max_cpu_capability();
  if (const char* word = std::getenv(kVariable); word && *word) {
    bool known = true;
    if (!std::strcmp(word, "default"))
      c = CPUCapability::DEFAULT;
    else if (!std::strcmp(word, "avx2"))
      c = CPUCapability::AVX2;
    else if (!std::strcmp(word, "avx512"))
      c = CPUCapability::AVX512;
    else
      known = false;
    GB_CHECK_OR_THROW(
        known, ValueError, .what = fmt::format("gb::cpu_capability: unknown instruction set \"{}\"", word),
        .cause = fmt::format("the environment has {}={}", kVariable, word),
        .repair = "use default, avx2 or avx512 (small letters), or unset it", .chapter = chapters::kKernels);
    check_available(c, fmt::format("{}={}", kVariable, word));
  }
  g_cpu_capability.store(static_cast<int8_t>(c), std::memory_order_relaxed);
  return c;
}

}  // namespace detail
}  // namespace gb
