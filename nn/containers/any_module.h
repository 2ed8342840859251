// AnyModule: a module of any class that can still be called, although `forward` is not virtual.
//
// What the compiler knew of `forward` when the module was put in is kept as a pointer to a function that takes and
// returns std::any. Arguments must have the very types that `forward` takes, const and & aside: a Tensor for a Tensor.
// `forward` must be neither a template nor overloaded, and default arguments are not filled in. Copies share the module.
// Names follow torch/nn/modules/container/any.h.
#pragma once

#include <any>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "nn/module.h"

namespace gb::nn {

namespace detail {
[[noreturn]] void throw_argument_count(const Module& module, size_t expected, size_t received);
[[noreturn]] void throw_argument_type(size_t index, const std::type_info& expected, const std::type_info& received);
[[noreturn]] void throw_return_type(const std::type_info& returned, const std::type_info& asked);
[[noreturn]] void throw_cast(const Module* module, const std::type_info& wanted);

template <class Argument>
std::decay_t<Argument>& argument_as(std::vector<std::any>& arguments, size_t index) {
  auto* value = std::any_cast<std::decay_t<Argument>>(&arguments[index]);
  if (!value) throw_argument_type(index, typeid(std::decay_t<Argument>), arguments[index].type());
  return *value;
}

using AnyForward = std::any (*)(Module&, std::vector<std::any>&);

// R (Class::*)(A...): `forward` of M or of a base of it.
template <class M, class R, class... A, class Forward, size_t... i>
AnyForward any_forward_of(Forward, std::index_sequence<i...>) {
  static_assert(!std::is_void_v<R>, "AnyModule cannot store a module whose forward returns nothing");
  static_assert(!((std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>) || ...),
                "AnyModule cannot store a module whose forward takes a reference it may write to: use a pointer");
  return [](Module& module, std::vector<std::any>& arguments) -> std::any {
    if (arguments.size() != sizeof...(A)) throw_argument_count(module, sizeof...(A), arguments.size());
    return std::any(static_cast<M&>(module).forward(static_cast<A>(std::move(argument_as<A>(arguments, i)))...));
  };
}
template <class M, class Class, class R, class... A>
AnyForward any_forward_of(R (Class::*forward)(A...)) {
  return any_forward_of<M, R, A...>(forward, std::index_sequence_for<A...>());
}
template <class M, class Class, class R, class... A>
AnyForward any_forward_of(R (Class::*forward)(A...) const) {
  return any_forward_of<M, R, A...>(forward, std::index_sequence_for<A...>());
}
}  // namespace detail

class AnyModule {
 public:
  AnyModule() = default;  // empty
  template <class M>
    requires(std::is_base_of_v<Module, M>)
  AnyModule(std::shared_ptr<M> module)
      : forward_(detail::any_forward_of<M>(&M::forward)), type_(&typeid(M)), module_(std::move(module)) {}
  template <class Impl>
  AnyModule(const ModuleHolder<Impl>& holder) : AnyModule(holder.ptr()) {}

  // Throws TypeError for arguments of another type or number. REQUIRES !is_empty(), as all below.
  template <class... Arguments>
  std::any any_forward(Arguments&&... arguments) const {
    std::vector<std::any> values;
    (values.emplace_back(std::forward<Arguments>(arguments)), ...);
    return forward_(*module_, values);
  }
  template <class Return = Tensor, class... Arguments>
  Return forward(Arguments&&... arguments) const {
    return result_as<Return>(any_forward(std::forward<Arguments>(arguments)...));
  }
  template <class Return>
  static Return result_as(std::any&& result) {
    auto* value = std::any_cast<Return>(&result);
    if (!value) detail::throw_return_type(result.type(), typeid(Return));
    return std::move(*value);
  }

  // The module as what it was put in as. Throws TypeError for any other M.
  template <class M>
  M& get() const {
    if (is_empty() || *type_ != typeid(M)) detail::throw_cast(module_.get(), typeid(M));
    return static_cast<M&>(*module_);
  }
  template <class M>
  std::shared_ptr<M> ptr() const {
    get<M>();
    return std::static_pointer_cast<M>(module_);
  }
  const std::shared_ptr<Module>& ptr() const { return module_; }
  const std::type_info& type_info() const { return *type_; }
  bool is_empty() const { return module_ == nullptr; }

  AnyModule clone(const std::optional<Device>& device = std::nullopt) const {
    AnyModule copy(*this);
    if (module_) copy.module_ = module_->clone(device);
    return copy;
  }

 private:
  detail::AnyForward forward_ = nullptr;
  const std::type_info* type_ = nullptr;
  std::shared_ptr<Module> module_;
};

// A module and the name it is to have in a Sequential: {{"fc1", Linear(3, 4)}, {"relu", ReLU()}}.
class NamedAnyModule {
 public:
  NamedAnyModule(std::string name, AnyModule module) : name_(std::move(name)), module_(std::move(module)) {}
  template <class M>
    requires(std::is_constructible_v<AnyModule, const M&>)
  NamedAnyModule(std::string name, const M& module) : NamedAnyModule(std::move(name), AnyModule(module)) {}
  const std::string& name() const { return name_; }
  const AnyModule& module() const { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

}  // namespace gb::nn
