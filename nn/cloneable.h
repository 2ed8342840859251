// Cloneable: what a module class derives from so that clone() works.
//
//   struct LinearImpl : Cloneable<LinearImpl> { void reset() override { weight = register_parameter(...); ... } };
//
// clone() copies the object, empties its lists, and calls reset(), which registers fresh tensors and submodules in the
// members; then each gets the values of the original. So everything is registered in reset(), which the constructor
// calls, and nothing outside it. Source: torch/nn/cloneable.h.
#pragma once

#include "core/autograd_state.h"
#include "nn/module.h"

namespace gb::nn {

namespace detail {
// Throws Error naming `kind` ("parameters", ...) where reset() did not register as many as the original has.
void check_registered(const Module& module, const char* kind, size_t original, size_t copy);
// Each tensor of `to` becomes a copy of the one of that name in `from`, on `device` if given.
void copy_tensors(const Module::Named& from, const Module::Named& to, const std::optional<Device>& device);
[[noreturn]] void throw_other_class(const Module& wanted, const Module& found);
}  // namespace detail

template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;

  // Registers every parameter, buffer and submodule, with fresh values.
  virtual void reset() = 0;

  ModulePtr clone(const std::optional<Device>& device = std::nullopt) const override {
    NoGradGuard unrecorded;
    const auto copy = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    Module& fresh = *copy;
    fresh.parameters_.clear();
    fresh.buffers_.clear();
    fresh.children_.clear();
    copy->reset();
    detail::check_registered(*this, "parameters", parameters_.size(), fresh.parameters_.size());
    detail::check_registered(*this, "buffers", buffers_.size(), fresh.buffers_.size());
    detail::check_registered(*this, "child modules", children_.size(), fresh.children_.size());
    detail::copy_tensors(parameters_, fresh.parameters_, device);
    detail::copy_tensors(buffers_, fresh.buffers_, device);
    for (const auto& child : children_) fresh.children_[child.key()]->clone_(**child, device);
    return copy;
  }

 private:
  void clone_(Module& other, const std::optional<Device>& device) final {
    const auto clone = std::dynamic_pointer_cast<Derived>(other.clone(device));
    if (!clone) detail::throw_other_class(*this, other);
    static_cast<Derived&>(*this) = *clone;
  }
};

}  // namespace gb::nn
