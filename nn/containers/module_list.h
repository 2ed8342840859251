// ModuleList: modules by number, for a module that calls them as it likes: the blocks of a transformer.
//
// Source: torch/nn/modules/container/modulelist.h.
#pragma once

#include "nn/cloneable.h"

namespace gb::nn {

class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  ModuleListImpl() = default;
  template <class... Modules>
    requires(sizeof...(Modules) > 0)
  explicit ModuleListImpl(const Modules&... modules) {
    (push_back(modules), ...);
  }

  void push_back(ModulePtr module) { register_module(std::to_string(size()), std::move(module)); }
  template <class Impl>
  void push_back(const ModuleHolder<Impl>& holder) {
    push_back(holder.ptr());
  }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }
  // Those from `index` on move up by one. Throws IndexError above size().
  void insert(size_t index, ModulePtr module);
  template <class Impl>
  void insert(size_t index, const ModuleHolder<Impl>& holder) {
    insert(index, holder.ptr());
  }

  // The module as an M, which is its class or a base of it. Throws IndexError, and TypeError for another class.
  template <class M>
  M& at(size_t index) const {
    M* module = ptr(index)->template as<M>();
    if (!module) throw_cast(index, typeid(M));
    return *module;
  }
  std::shared_ptr<Module> ptr(size_t index) const;
  template <class M>
  std::shared_ptr<M> ptr(size_t index) const {
    return std::dynamic_pointer_cast<M>(ptr(index));
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return named_children().size(); }
  bool is_empty() const noexcept { return size() == 0; }

  void reset() override {}
  ModulePtr clone(const std::optional<Device>& device = std::nullopt) const override;
  void pretty_print(std::ostream& stream) const override;

 private:
  [[noreturn]] void throw_cast(size_t index, const std::type_info& wanted) const;
};
GB_MODULE(ModuleList);

}  // namespace gb::nn
