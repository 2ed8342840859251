// Module: named parameters and buffers, and named modules below it: a tree whose leaves are tensors.
//
// A subclass registers what it owns in its constructor (or in reset(), nn/cloneable.h) and computes in a function
// `forward` of whatever type suits it (not virtual). A parameter is trained, a buffer is not: it is state that moves
// and is saved with the module. Names are joined with dots: "head.weight". Invariants: a name is not empty, holds no dot
// and stands once among parameters, buffers and submodules; an undefined tensor (a layer without bias) is registered,
// and left out of parameters() and buffers(). Walks go from a module to its submodules, in the order of registration.
// Names follow torch/nn/module.h.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "nn/module_holder.h"
#include "nn/ordered_dict.h"

namespace gb::nn {

class Module : public std::enable_shared_from_this<Module> {
 public:
  using ModulePtr = std::shared_ptr<Module>;
  using Named = OrderedDict<std::string, Tensor>;

  Module() = default;  // named after its class
  explicit Module(std::string name) : name_(std::move(name)) {}
  virtual ~Module() = default;
  // A copy shares the tensors and the submodules; clone() does not.
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;

  const std::string& name() const;
  // A copy of the whole tree with tensors of its own. Throws NotImplementedError unless the class derives from Cloneable.
  virtual ModulePtr clone(const std::optional<Device>& device = std::nullopt) const;

  std::vector<Tensor> parameters(bool recurse = true) const { return named_parameters(recurse).values(); }
  Named named_parameters(bool recurse = true) const { return collect(&Module::parameters_, recurse); }
  std::vector<Tensor> buffers(bool recurse = true) const { return named_buffers(recurse).values(); }
  Named named_buffers(bool recurse = true) const { return collect(&Module::buffers_, recurse); }

  // This module (include_self; it must be owned by a shared_ptr, else Error) and all below it; and only those right below.
  std::vector<ModulePtr> modules(bool include_self = true) const { return named_modules("", include_self).values(); }
  OrderedDict<std::string, ModulePtr> named_modules(const std::string& name_prefix = "", bool include_self = true) const;
  std::vector<ModulePtr> children() const { return children_.values(); }
  const OrderedDict<std::string, ModulePtr>& named_children() const { return children_; }

  // f(module), f(name, module), f(pointer), f(name, pointer): for this module, then for all below it.
  void apply(const std::function<void(Module&)>& f);
  void apply(const std::function<void(const Module&)>& f) const;
  void apply(const std::function<void(const std::string&, Module&)>& f, const std::string& name_prefix = "");
  void apply(const std::function<void(const std::string&, const Module&)>& f, const std::string& name_prefix = "") const;
  void apply(const std::function<void(const ModulePtr&)>& f) const;
  void apply(const std::function<void(const std::string&, const ModulePtr&)>& f, const std::string& name_prefix = "") const;

  virtual void train(bool on = true);
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return training_; }
  virtual void zero_grad(bool set_to_none = true);
  // Converts every parameter and buffer in place: handles and members see the new tensor, gradients are converted too.
  virtual void to(Device device, ScalarType dtype, bool non_blocking = false);
  virtual void to(ScalarType dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);

  // This module as an M (a holder, or a module class); null where it is none.
  template <class M>
  auto* as() noexcept {
    return dynamic_cast<typename detail::contained_type<M>::type*>(this);
  }
  template <class M>
  const auto* as() const noexcept {
    return dynamic_cast<const typename detail::contained_type<M>::type*>(this);
  }

  // The line of this module alone, "gb::nn::Linear(in_features=64, out_features=600, bias=true)"; << prints the tree.
  virtual void pretty_print(std::ostream& stream) const;
  friend std::ostream& operator<<(std::ostream& stream, const Module& module);

  // All throw ValueError for a bad name, replace and unregister IndexError for an unknown one; nothing is changed then.
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module) {
    insert_child(std::move(name), module);
    return module;
  }
  template <class Impl>
  std::shared_ptr<Impl> register_module(std::string name, const ModuleHolder<Impl>& holder) {
    return register_module(std::move(name), holder.ptr());
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, std::shared_ptr<M> module) {
    replace_child(name, module);
    return module;
  }
  template <class Impl>
  std::shared_ptr<Impl> replace_module(const std::string& name, const ModuleHolder<Impl>& holder) {
    return replace_module(name, holder.ptr());
  }
  void unregister_module(const std::string& name);

 private:
  template <class Derived>
  friend class Cloneable;

  // Gives this module what `other`, of the same class, holds.
  virtual void clone_(Module& other, const std::optional<Device>& device);
  void insert_child(std::string name, ModulePtr module);
  void replace_child(const std::string& name, ModulePtr module);
  void check_name(const std::string& name, const char* what) const;
  Named collect(Named Module::*tensors, bool recurse) const;
  void print_tree(std::ostream& stream, const std::string& indentation) const;
  ModulePtr shared_from_this_checked() const;

  Named parameters_, buffers_;
  OrderedDict<std::string, ModulePtr> children_;
  mutable std::string name_;
  bool training_ = true;
};

}  // namespace gb::nn
