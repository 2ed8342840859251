#include "nn/cloneable.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::nn {

void detail::check_registered(const Module& module, const char* kind, size_t original, size_t copy) {
  GB_CHECK_OR_THROW(
      copy == original, Error,
      .what = fmt::format("clone: The cloned module does not have the same number of {} as the original module after "
                          "calling reset()",
                          kind),
      .cause = fmt::format("{} has {}, and its reset() registered {}", module.name(), original, copy),
      .repair = "register in reset(), not in the constructor", .chapter = chapters::kGrammar);
}

void detail::copy_tensors(const Module::Named& from, const Module::Named& to, const std::optional<Device>& device) {
  for (const auto& item : from) {
    if (!item->defined()) continue;
    const Tensor& fresh = to[item.key()];
    GB_CHECK_OR_THROW(
        fresh.sizes() == item->sizes() && fresh.scalar_type() == item->scalar_type() &&
            fresh.device() == device.value_or(item->device()),
        NotImplementedError, .what = fmt::format("clone: '{}' has another shape, dtype or device after reset()", item.key()),
        .cause = fmt::format("it is a {} of sizes {}, and reset() makes a {} of sizes {}", item->toString(),
                             to_string(item->sizes()), fresh.toString(), to_string(fresh.sizes())),
        .repair = "clone before converting", .chapter = chapters::kGrammar);
    fresh.copy_(*item);
  }
}

void detail::throw_other_class(const Module& wanted, const Module& found) {
  GB_THROW(Error,
           .what = "clone: Attempted to clone submodule, but it is of a different type than the submodule it was to be "
                   "cloned into",
           .cause = fmt::format("reset() makes a {}, and the original holds a {}", wanted.name(), found.name()),
           .repair = "replace_module with a module of the same class, or clone the submodules one by one",
           .chapter = chapters::kGrammar);
}

}  // namespace gb::nn
