// Module: named parameters, and named modules below it: a tree whose leaves are tensors.
//
// A subclass registers what it owns in its constructor and computes in a function `forward` of whatever type suits it
// (not virtual). Names are joined with dots: "head.weight". Invariants: a name is not empty, holds no dot and stands
// once among parameters and submodules; a parameter that is undefined (a layer without bias) is registered, and left out of
// parameters(). Names follow torch/nn/module.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "nn/module_holder.h"
#include "nn/ordered_dict.h"

namespace gb::nn {

class Module {
 public:
  explicit Module(std::string name = "Module") : name_(std::move(name)) {}
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  const std::string& name() const { return name_; }

  // The parameters of this module, then (recurse) those of its submodules, in the order of registration.
  std::vector<Tensor> parameters(bool recurse = true) const { return named_parameters(recurse).values(); }
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> children() const { return children_.values(); }
  const OrderedDict<std::string, std::shared_ptr<Module>>& named_children() const { return children_; }

  void zero_grad(bool set_to_none = true);
  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return training_; }

 protected:
  // Throws ValueError for a bad name. Returns the registered tensor, a leaf that requires grad (if defined).
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module) {
    insert_child(std::move(name), module);
    return module;
  }
  template <class Impl>
  std::shared_ptr<Impl> register_module(std::string name, const ModuleHolder<Impl>& holder) {
    return register_module(std::move(name), holder.ptr());
  }

 private:
  void insert_child(std::string name, std::shared_ptr<Module> module);
  void check_name(const std::string& name, const char* what) const;
  void collect(const std::string& prefix, bool recurse, OrderedDict<std::string, Tensor>& into) const;

  std::string name_;
  OrderedDict<std::string, Tensor> parameters_;
  OrderedDict<std::string, std::shared_ptr<Module>> children_;
  bool training_ = true;
};

}  // namespace gb::nn
