// DispatchKey: the names of the rows in every operator's dispatch table.
//
// Four classes of enumerators, as in c10/core/DispatchKey.h (without its retired keys):
//   functionality keys   own a bit. BackendSelect .. AutogradOther own one table slot each;
//   per-backend ones     (Dense, AutogradFunctionality, AutocastFunctionality) own a bit, and one slot per backend:
//   runtime keys         CPU = Dense on CPU, AutogradCUDA = AutogradFunctionality on CUDA, ...
//   alias keys           own neither: a kernel registered there is copied into several slots.
// The higher the key, the earlier it is served. dtype is not here: kernels switch on it inside.
#pragma once

#include <cstdint>
#include <string>

#include "core/device.h"

namespace gb {

// Functionalities with one slot per backend: (functionality key, prefix of its runtime keys).
#define GB_FORALL_PER_BACKEND_FUNCTIONALITIES(_) \
  _(Dense, )                                     \
  _(AutogradFunctionality, Autograd)             \
  _(AutocastFunctionality, Autocast)

enum class BackendComponent : uint8_t {
  InvalidBit = 0,
  CPUBit,
  CUDABit,
  MetaBit,
  PrivateUse1Bit,
  EndOfBackendKeys = PrivateUse1Bit,
};

enum class DispatchKey : uint16_t {
  Undefined = 0,  // the slot of calls without tensor arguments

  // Functionality keys, lowest first.
  Dense,
  BackendSelect,   // factory functions: no tensor argument names a device, so the options do
  Python,          // the active DispatchMode ("the mode key")
  Functionalize,
  ADInplaceOrView,  // bumps versions, makes views
  AutogradOther,    // backends without an autograd slot of their own
  AutogradFunctionality,
  AutocastFunctionality,
  EndOfFunctionalityKeys,

#define GB_PER_BACKEND_KEYS(fullname, prefix)                                                              \
  StartOf##fullname##Backends, prefix##CPU, prefix##CUDA, prefix##Meta, prefix##PrivateUse1,               \
      EndOf##fullname##Backends = prefix##PrivateUse1,
  GB_FORALL_PER_BACKEND_FUNCTIONALITIES(GB_PER_BACKEND_KEYS)
#undef GB_PER_BACKEND_KEYS
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
  return k == DispatchKey::Dense || k == DispatchKey::AutogradFunctionality || k == DispatchKey::AutocastFunctionality;
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
  GB_FORALL_PER_BACKEND_FUNCTIONALITIES(GB_IN_RANGE)
#undef GB_IN_RANGE
  return BackendComponent::InvalidBit;
}
constexpr BackendComponent toBackendComponent(DeviceType type) {
  return static_cast<BackendComponent>(static_cast<uint8_t>(type) + 1);  // the two enums list the same devices
}

// AutogradCUDA -> AutogradFunctionality; a functionality key is its own; alias keys -> Undefined.
constexpr DispatchKey toFunctionalityKey(DispatchKey k) {
  if (k <= DispatchKey::EndOfFunctionalityKeys) return k;
#define GB_IN_RANGE(fullname, prefix)                                                                       \
  if (k > DispatchKey::StartOf##fullname##Backends && k <= DispatchKey::EndOf##fullname##Backends)          \
    return DispatchKey::fullname;
  GB_FORALL_PER_BACKEND_FUNCTIONALITIES(GB_IN_RANGE)
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
  GB_FORALL_PER_BACKEND_FUNCTIONALITIES(GB_MAKE_KEY)
#undef GB_MAKE_KEY
  return functionality;
}

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
