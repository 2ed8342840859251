// ModuleHolder: a module by reference, which is called like a function. Copies share the module.
//
//   struct LinearImpl : Module { ... Tensor forward(const Tensor&); };
//   GB_MODULE(Linear);                       // class Linear: a holder of a LinearImpl
//   Linear fc(64, 600);  fc->weight;  fc(x);
//
// Names follow torch/nn/pimpl.h.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace gb::nn {

namespace detail {
// The module class of a holder; of a module class, itself.
template <class M>
struct contained_type {
  using type = M;
};
template <class M>
  requires requires { typename M::ContainedType; }
struct contained_type<M> {
  using type = typename M::ContainedType;
};
}  // namespace detail

template <class Impl>
class ModuleHolder {
 public:
  using ContainedType = Impl;

  ModuleHolder()
    requires(std::is_default_constructible_v<Impl>)
      : impl_(std::make_shared<Impl>()) {}
  ModuleHolder(std::nullptr_t) {}  // empty
  ModuleHolder(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
  template <class First, class... Rest>
    requires(std::is_constructible_v<Impl, First, Rest...> && !std::is_base_of_v<ModuleHolder, std::remove_cvref_t<First>>)
  explicit ModuleHolder(First&& first, Rest&&... rest)
      : impl_(std::make_shared<Impl>(std::forward<First>(first), std::forward<Rest>(rest)...)) {}

  // REQUIRES !is_empty(), as for a pointer.
  Impl* operator->() const { return impl_.get(); }
  Impl& operator*() const { return *impl_; }
  Impl* get() const { return impl_.get(); }
  const std::shared_ptr<Impl>& ptr() const { return impl_; }
  bool is_empty() const { return impl_ == nullptr; }
  explicit operator bool() const { return !is_empty(); }

  template <class... Args>
  auto operator()(Args&&... args) const {
    return impl_->forward(std::forward<Args>(args)...);
  }

 private:
  std::shared_ptr<Impl> impl_;
};

}  // namespace gb::nn

#define GB_MODULE(Name)                                      \
  class Name : public ::gb::nn::ModuleHolder<Name##Impl> {   \
   public:                                                   \
    using ::gb::nn::ModuleHolder<Name##Impl>::ModuleHolder;  \
  }
