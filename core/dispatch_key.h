// DispatchKey: the names of the rows in every operator's dispatch table.
//
// Four classes of enumerators, as in c10/core/DispatchKey.h (without its retired keys):
//   functionality keys   own a bit. FPGA, BackendSelect, ... own one table slot each;
//   per-backend ones     (Dense, Quantized, Sparse, AutogradFunctionality, AutocastFunctionality) own a bit, and one slot per
//                        backend: these are the
//   runtime keys         CPU = Dense on CPU, AutogradCUDA = AutogradFunctionality on CUDA, ...
//   alias keys           own neither: a kernel registered there is copied into several slots.
// The higher the key, the earlier it is served. dtype is not here: kernels switch on it inside.
//
// glassbox has kernels for CPU, CUDA and Meta; PrivateUse1 is a reader's own backend (labs/). XLA, Lazy, FPGA, Quantized, Sparse,
// Tracer and the TESTING_ONLY keys have none: they are here because code written for LibTorch names them, and because they
// are the cases that the rules of the table are about (FPGA: a backend without an autograd key of its own).
#pragma once

#include <cstdint>
#include <string>

#include "core/device.h"

namespace gb {

// Backends, lowest priority first: _(name, extra).
#define GB_FORALL_BACKEND_COMPONENTS(_, extra) \
  _(CPU, extra)                                \
  _(CUDA, extra)                               \
  _(XLA, extra)                                \
  _(Lazy, extra)                               \
  _(PrivateUse1, extra)                        \
  _(Meta, extra)

// Functionalities with one slot per backend: _(functionality key, prefix of its runtime keys).
#define GB_FORALL_FUNCTIONALITY_KEYS(_) \
  _(Dense, )                            \
  _(Quantized, Quantized)               \
  _(Sparse, Sparse)                     \
  _(AutogradFunctionality, Autograd)    \
  _(AutocastFunctionality, Autocast)

enum class BackendComponent : uint8_t {
  InvalidBit = 0,
#define GB_BACKEND_BIT(name, extra) name##Bit,
  GB_FORALL_BACKEND_COMPONENTS(GB_BACKEND_BIT, )
#undef GB_BACKEND_BIT
  EndOfBackendKeys = MetaBit,
};

enum class DispatchKey : uint16_t {
  Undefined = 0,  // the slot of calls without tensor arguments

  // Functionality keys, lowest first.
  Dense,
  FPGA,  // a backend without a backend bit: its autograd key is AutogradOther
  Quantized,
  Sparse,
  BackendSelect,    // factory functions: no tensor argument names a device, so the options do
  Python,           // the active DispatchMode ("the mode key")
  Functionalize,
  ADInplaceOrView,  // bumps versions, makes views
  AutogradOther,    // backends without an autograd slot of their own
  AutogradFunctionality,
  Tracer,
  AutocastFunctionality,
  TESTING_ONLY_GenericWrapper,
  TESTING_ONLY_GenericMode,
  EndOfFunctionalityKeys,

  // Runtime keys of the per-backend functionalities: StartOfDenseBackends, CPU, CUDA, ..., EndOfDenseBackends = Meta.
#define GB_PER_BACKEND_KEY(name, prefix) prefix##name,
#define GB_PER_BACKEND_KEYS(fullname, prefix)                 \
  StartOf##fullname##Backends,                                \
      GB_FORALL_BACKEND_COMPONENTS(GB_PER_BACKEND_KEY, prefix) \
      EndOf##fullname##Backends = prefix##Meta,
  GB_FORALL_FUNCTIONALITY_KEYS(GB_PER_BACKEND_KEYS)
#undef GB_PER_BACKEND_KEYS
#undef GB_PER_BACKEND_KEY
  EndOfRuntimeBackendKeys = EndOfAutocastFunctionalityBackends,

  // Alias keys.
  Autograd,                   // every autograd slot
  CompositeImplicitAutograd,  // made of other operators: their gradients are enough
  CompositeExplicitAutograd,  // works on every backend, needs a gradient formula of its own
  StartOfAliasKeys = Autograd,
  EndOfAliasKeys = CompositeExplicitAutograd,

  CatchAll = CompositeImplicitAutograd,
};
inline constexpr DispatchKey kAutograd = DispatchKey::Autograd;

inline constexpr uint8_t num_backends = static_cast<uint8_t>(BackendComponent::EndOfBackendKeys);
inline constexpr uint8_t num_functionality_keys = static_cast<uint8_t>(DispatchKey::EndOfFunctionalityKeys);

constexpr bool isPerBackendFunctionalityKey(DispatchKey k) {
#define GB_IS(fullname, prefix) k == DispatchKey::fullname ||
  return GB_FORALL_FUNCTIONALITY_KEYS(GB_IS) false;
#undef GB_IS
}

namespace detail {
constexpr uint8_t count_per_backend_functionalities() {
  uint8_t n = 0;
  for (uint8_t k = 0; k < num_functionality_keys; ++k) n += isPerBackendFunctionalityKey(static_cast<DispatchKey>(k));
  return n;
}
}  // namespace detail

// Slots of a dispatch table: one per functionality, and num_backends for each starred one.
inline constexpr uint8_t num_runtime_entries =
    num_functionality_keys + detail::count_per_backend_functionalities() * (num_backends - 1);

constexpr bool isAliasDispatchKey(DispatchKey k) {
  return k >= DispatchKey::StartOfAliasKeys && k <= DispatchKey::EndOfAliasKeys;
}

// CPU -> CPUBit, AutogradCUDA -> CUDABit; keys without a backend -> InvalidBit.
constexpr BackendComponent toBackendComponent(DispatchKey k) {
#define GB_IN_RANGE(fullname, prefix)                                                                       \
  if (k > DispatchKey::StartOf##fullname##Backends && k <= DispatchKey::EndOf##fullname##Backends)          \
    return static_cast<BackendComponent>(static_cast<uint16_t>(k) -                                         \
                                         static_cast<uint16_t>(DispatchKey::StartOf##fullname##Backends));
  GB_FORALL_FUNCTIONALITY_KEYS(GB_IN_RANGE)
#undef GB_IN_RANGE
  return BackendComponent::InvalidBit;
}
constexpr BackendComponent toBackendComponent(DeviceType type) {
  switch (type) {
#define GB_BIT_OF_DEVICE(name, extra) \
  case DeviceType::name: return BackendComponent::name##Bit;
    GB_FORALL_BACKEND_COMPONENTS(GB_BIT_OF_DEVICE, )
#undef GB_BIT_OF_DEVICE
  }
  return BackendComponent::InvalidBit;
}
constexpr DeviceType toDeviceType(BackendComponent b) {  // the other way; CPU for InvalidBit
  switch (b) {
#define GB_DEVICE_OF_BIT(name, extra) \
  case BackendComponent::name##Bit: return DeviceType::name;
    GB_FORALL_BACKEND_COMPONENTS(GB_DEVICE_OF_BIT, )
#undef GB_DEVICE_OF_BIT
    case BackendComponent::InvalidBit: break;
  }
  return kCPU;
}

// AutogradCUDA -> AutogradFunctionality; a functionality key is its own; alias keys -> Undefined.
constexpr DispatchKey toFunctionalityKey(DispatchKey k) {
  if (k <= DispatchKey::EndOfFunctionalityKeys) return k;
#define GB_IN_RANGE(fullname, prefix)                                                                       \
  if (k > DispatchKey::StartOf##fullname##Backends && k <= DispatchKey::EndOf##fullname##Backends)          \
    return DispatchKey::fullname;
  GB_FORALL_FUNCTIONALITY_KEYS(GB_IN_RANGE)
#undef GB_IN_RANGE
  return DispatchKey::Undefined;
}

// (AutogradFunctionality, CUDABit) -> AutogradCUDA. Without a backend the first argument comes back unchanged.
constexpr DispatchKey toRuntimePerBackendFunctionalityKey(DispatchKey functionality, BackendComponent backend) {
  if (backend == BackendComponent::InvalidBit) return functionality;
#define GB_MAKE_KEY(fullname, prefix)                                                                       \
  if (functionality == DispatchKey::fullname)                                                               \
    return static_cast<DispatchKey>(static_cast<uint16_t>(DispatchKey::StartOf##fullname##Backends) +       \
                                    static_cast<uint16_t>(backend));
  GB_FORALL_FUNCTIONALITY_KEYS(GB_MAKE_KEY)
#undef GB_MAKE_KEY
  return functionality;
}

// The autograd key of a backend: AutogradOther for those without a bit.
constexpr DispatchKey getAutogradKeyFromBackend(BackendComponent backend) {
  if (backend == BackendComponent::InvalidBit) return DispatchKey::AutogradOther;
  return toRuntimePerBackendFunctionalityKey(DispatchKey::AutogradFunctionality, backend);
}

constexpr DispatchKey dense_key(DeviceType type) {  // kCUDA -> DispatchKey::CUDA
  return toRuntimePerBackendFunctionalityKey(DispatchKey::Dense, toBackendComponent(type));
}

const char* toString(DispatchKey k);
const char* toString(BackendComponent b);
// The enumerator of that name; throws ValueError listing the known names.
DispatchKey parseDispatchKey(const std::string& name);

}  // namespace gb
