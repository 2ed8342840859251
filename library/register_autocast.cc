#include "library/register_autocast.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/tensors_in_value.h"

namespace gb {
namespace {

struct CastArguments {
  Tensor cast(const Tensor& t) const {
    const bool eligible = t.device().type() == device && isFloatingType(t.scalar_type()) &&
                          t.scalar_type() != kDouble && t.scalar_type() != dtype;
    return eligible ? t.to(dtype) : t;
  }
  void operator()(const OperatorHandle& op, DispatchKeySet, Stack* stack) const {
    const size_t n = op.schema().arguments().size();
    const impl::ExcludeDispatchKeyGuard no_autocast{DispatchKeySet(DispatchKey::AutocastFunctionality)};
    for (size_t i = 0; i < n; ++i) {
      IValue& slot = jit::peek(stack, i, n);
      slot = map_tensors(slot, [this](const Tensor& t) { return cast(t); });
    }
    // A call, not a redispatch: the keys of what was cast may be others (an inference tensor becomes a normal one).
    op.callBoxed(stack);
  }
  DeviceType device;
  ScalarType dtype;
};

}  // namespace

void register_autocast(Library& library, const char* name, DeviceType device, ScalarType dtype, Place at) {
  const OperatorHandle op = detail::find_defined("register_autocast", name);
  GB_CHECK_OR_THROW(device == kCPU || device == kCUDA, ValueError,
                    .what = fmt::format("register_autocast: Unknown device type: {}", toString(device)),
                    .cause = fmt::format("asked for {}; autocast is for cpu and cuda", name),
                    .repair = "name kCPU or kCUDA", .chapter = chapters::kCustomOps);
  GB_CHECK_OR_THROW(isFloatingType(dtype), ValueError,
                    .what = fmt::format("register_autocast: {} is not a floating point dtype", toString(dtype)),
                    .cause = fmt::format("the floating tensor arguments of {} would be cast to it", name),
                    .repair = "name kHalf, kBFloat16 or kFloat", .chapter = chapters::kCustomOps);
  const DispatchKey key =
      toRuntimePerBackendFunctionalityKey(DispatchKey::AutocastFunctionality, toBackendComponent(device));
  detail::check_free("register_autocast", op, key, at);
  library.impl(name, key,
               CppFunction::makeFromBoxedFunctor(std::make_unique<CastArguments>(CastArguments{device, dtype})),
               at.file, at.line);
}

}  // namespace gb
