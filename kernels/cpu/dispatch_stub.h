// DispatchStub: one kernel, three builds, chosen at run time.
//
// A kernel file x_kernel.cc defines its function in namespace gb::cpu::CPU_CAPABILITY, and the build compiles
// it with that macro set to DEFAULT, AVX2 and AVX512. GB_CPU_KERNEL(x, signature) in x.h declares the three
// functions and the stub; x.cc (compiled once, for the baseline processor) defines the stub with
// GB_DEFINE_CPU_KERNEL(x). Invariant: the stub is a constant (no start-up code, no registration), so it can
// be called from anywhere; the process-wide choice in capability.h picks the pointer. Source of the idea:
// aten/src/ATen/native/DispatchStub.h, which stores the choice in each stub instead.
#pragma once

#include "kernels/cpu/capability.h"

namespace gb::cpu {

template <class Signature>
struct DispatchStub;

template <class R, class... Args>
struct DispatchStub<R(Args...)> {
  R (*builds[kNumCPUCapabilities])(Args...);  // indexed by CPUCapability

  [[gnu::always_inline]] R operator()(Args... args) const {
    return builds[static_cast<int>(cpu_capability())](args...);
  }
};

}  // namespace gb::cpu

#define GB_CPU_KERNEL(name, ...)        \
  namespace DEFAULT {                   \
  using name##_signature = __VA_ARGS__; \
  name##_signature name;                \
  }                                     \
  namespace AVX2 {                      \
  using name##_signature = __VA_ARGS__; \
  name##_signature name;                \
  }                                     \
  namespace AVX512 {                    \
  using name##_signature = __VA_ARGS__; \
  name##_signature name;                \
  }                                     \
  extern const DispatchStub<__VA_ARGS__> name##_stub

#define GB_DEFINE_CPU_KERNEL(name)                                      \
  constinit const DispatchStub<DEFAULT::name##_signature> name##_stub { \
    { &DEFAULT::name, &AVX2::name, &AVX512::name }                      \
  }
