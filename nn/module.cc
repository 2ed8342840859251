// Registering in a Module, and what is asked of one module or of all its tensors. The walks are in module_walk.cc.
#include "nn/module.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"
#include "dispatcher/function_traits.h"

namespace gb::nn {

const std::string& Module::name() const {
  if (name_.empty()) name_ = demangle(typeid(*this).name());
  return name_;
}

std::shared_ptr<Module> Module::clone(const std::optional<Device>&) const {
  GB_THROW(NotImplementedError, .what = fmt::format("clone() has not been implemented for {}", name()),
           .cause = "only a class knows how to make another of its kind",
           .repair = fmt::format("subclass gb::nn::Cloneable<{}> instead of gb::nn::Module to inherit it", name()),
           .chapter = chapters::kGrammar);
}

void Module::clone_(Module&, const std::optional<Device>&) {}

void Module::check_name(const std::string& name, const char* what) const {
  const bool dotted = name.find('.') != std::string::npos;
  const bool taken = parameters_.contains(name) || buffers_.contains(name) || children_.contains(name);
  GB_CHECK_OR_THROW(
      !name.empty() && !dotted && !taken, ValueError,
      .what = name.empty() ? fmt::format("{} name must not be empty", what)
              : dotted     ? fmt::format("{} name must not contain a dot (got '{}')", what, name)
                           : fmt::format("{} '{}' already defined", what, name),
      .cause =
          fmt::format("module {}; names are joined with dots, \"head.weight\", and each means one thing", this->name()),
      .repair = "choose another name", .chapter = chapters::kGrammar);
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name(name, "Parameter");
  if (tensor.defined()) tensor.set_requires_grad(requires_grad);  // throws for integers, before anything is registered
  return parameters_.insert(std::move(name), std::move(tensor));
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check_name(name, "Buffer");
  return buffers_.insert(std::move(name), std::move(tensor));
}

namespace {
void check_not_empty(const std::string& name, const std::shared_ptr<Module>& module) {
  GB_CHECK_OR_THROW(module != nullptr, ValueError, .what = fmt::format("Submodule '{}' is empty", name),
                    .cause = "a null pointer was registered", .repair = "make the module first",
                    .chapter = chapters::kGrammar);
}
}  // namespace

void Module::insert_child(std::string name, ModulePtr module) {
  check_name(name, "Submodule");
  check_not_empty(name, module);
  children_.insert(std::move(name), std::move(module));
}

void Module::replace_child(const std::string& name, ModulePtr module) {
  check_not_empty(name, module);
  children_[name] = std::move(module);
}

void Module::unregister_module(const std::string& name) {
  GB_CHECK_OR_THROW(children_.contains(name), IndexError,
                    .what = fmt::format("No Module with name `{}` is registered", name),
                    .cause = fmt::format("module {} has {} submodules of other names", this->name(), children_.size()),
                    .repair = "named_children() lists them", .chapter = chapters::kGrammar);
  children_.erase(name);
}

void Module::zero_grad(bool set_to_none) {
  for (const auto& child : children_) child.value()->zero_grad(set_to_none);
  for (const Tensor& parameter : parameters(/*recurse=*/false)) {
    Tensor& grad = parameter.mutable_grad();
    if (!grad.defined()) continue;
    if (set_to_none) {
      grad.reset();
    } else {
      grad = grad.detach();
      grad.zero_();
    }
  }
}

void Module::train(bool on) {
  training_ = on;
  for (const auto& child : children_) child.value()->train(on);
}

void Module::pretty_print(std::ostream& stream) const { stream << name(); }

void Module::print_tree(std::ostream& stream, const std::string& indentation) const {
  pretty_print(stream);
  if (children_.is_empty()) return;
  const std::string next_indentation = indentation + "  ";
  stream << "(\n";
  for (const auto& child : children_) {
    stream << next_indentation << '(' << child.key() << "): ";
    child.value()->print_tree(stream, next_indentation);
    stream << '\n';
  }
  stream << indentation << ')';
}

std::ostream& operator<<(std::ostream& stream, const Module& module) {
  module.print_tree(stream, "");
  return stream;
}

}  // namespace gb::nn
