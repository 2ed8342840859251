#include "core/dispatch_key.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb {

const char* toString(BackendComponent b) {
  switch (b) {
    case BackendComponent::InvalidBit: return "InvalidBit";
#define GB_NAME(name, extra) \
  case BackendComponent::name##Bit: return #name "Bit";
    GB_FORALL_BACKEND_COMPONENTS(GB_NAME, )
#undef GB_NAME
  }
  return "UnknownBackendBit";
}

const char* toString(DispatchKey k) {
  switch (k) {
#define GB_NAME(key) \
  case DispatchKey::key: return #key;
    GB_NAME(Undefined)
    GB_NAME(Dense)
    GB_NAME(FPGA)
    GB_NAME(Quantized)
    GB_NAME(Sparse)
    GB_NAME(BackendSelect)
    GB_NAME(Python)
    GB_NAME(Functionalize)
    GB_NAME(ADInplaceOrView)
    GB_NAME(AutogradOther)
    GB_NAME(AutogradFunctionality)
    GB_NAME(Tracer)
    GB_NAME(AutocastFunctionality)
    GB_NAME(TESTING_ONLY_GenericWrapper)
    GB_NAME(TESTING_ONLY_GenericMode)
    GB_NAME(EndOfFunctionalityKeys)
#define GB_BACKEND_NAME(name, prefix) GB_NAME(prefix##name)
#define GB_BACKEND_NAMES(fullname, prefix) \
  GB_NAME(StartOf##fullname##Backends)     \
  GB_FORALL_BACKEND_COMPONENTS(GB_BACKEND_NAME, prefix)
    GB_FORALL_FUNCTIONALITY_KEYS(GB_BACKEND_NAMES)
#undef GB_BACKEND_NAMES
#undef GB_BACKEND_NAME
    GB_NAME(Autograd)
    GB_NAME(CompositeImplicitAutograd)
    GB_NAME(CompositeExplicitAutograd)
#undef GB_NAME
  }
  return "UnknownDispatchKey";
}

DispatchKey parseDispatchKey(const std::string& name) {
  std::string known;
  for (uint16_t i = 0; i <= static_cast<uint16_t>(DispatchKey::EndOfAliasKeys); ++i) {
    const std::string candidate = toString(static_cast<DispatchKey>(i));
    if (candidate == name) return static_cast<DispatchKey>(i);
    if (!candidate.starts_with("StartOf") && !candidate.starts_with("EndOf")) known += " " + candidate;
  }
  if (name == "CatchAll") return DispatchKey::CatchAll;
  GB_THROW(ValueError, .what = fmt::format("parseDispatchKey: \"{}\" is not a dispatch key", name),
           .cause = "the known keys are:" + known, .repair = "use one of these names, spelled exactly so",
           .chapter = chapters::kDispatch);
}

}  // namespace gb
