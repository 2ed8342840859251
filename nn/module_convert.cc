// New tensors under old names: to() and clone(). Both go through Tensor::set_data, so that a member such as
// Linear::weight, which is a second handle to the registered tensor, follows.
#include <fmt/format.h>

#include "core/error.h"
#include "nn/cloneable.h"

namespace gb::nn {
namespace {

// options: what Tensor::to takes.
template <class... Options>
void convert(const Module& module, Options... options) {
  NoGradGuard unrecorded;
  for (const Tensor& parameter : module.parameters(/*recurse=*/false)) {
    parameter.set_data(parameter.to(options...));
    Tensor& grad = parameter.mutable_grad();
    if (grad.defined()) grad = grad.to(options...);
  }
  for (const Tensor& buffer : module.buffers(/*recurse=*/false)) buffer.set_data(buffer.to(options...));
}

}  // namespace

void Module::to(Device device, ScalarType dtype, bool non_blocking) {
  for (const auto& child : children_) child.value()->to(device, dtype, non_blocking);
  convert(*this, device, dtype, non_blocking);
}

void Module::to(ScalarType dtype, bool non_blocking) {
  for (const auto& child : children_) child.value()->to(dtype, non_blocking);
  convert(*this, dtype, non_blocking);
}

void Module::to(Device device, bool non_blocking) {
  for (const auto& child : children_) child.value()->to(device, non_blocking);
  convert(*this, TensorOptions(device), non_blocking);
}

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
    const bool moves = device && item->device() != *device;
    to[item.key()].set_data(moves ? item->to(TensorOptions(*device)) : item->clone());
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
