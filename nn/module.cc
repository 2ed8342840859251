#include "nn/module.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::nn {

void Module::check_name(const std::string& name, const char* what) const {
  const bool dotted = name.find('.') != std::string::npos;
  const bool taken = parameters_.contains(name) || children_.contains(name);
  GB_CHECK_OR_THROW(
      !name.empty() && !dotted && !taken, ValueError,
      .what = name.empty() ? fmt::format("{} name must not be empty", what)
              : dotted     ? fmt::format("{} name must not contain a dot (got '{}')", what, name)
                           : fmt::format("{} '{}' already defined", what, name),
      .cause = fmt::format("module {}; names are joined with dots, \"head.weight\", and each means one thing", name_),
      .repair = "choose another name", .chapter = chapters::kGrammar);
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check_name(name, "Parameter");
  if (tensor.defined()) tensor.set_requires_grad(requires_grad);  // throws for integers, before anything is registered
  return parameters_.insert(std::move(name), std::move(tensor));
}

void Module::insert_child(std::string name, std::shared_ptr<Module> module) {
  check_name(name, "Submodule");
  GB_CHECK_OR_THROW(module != nullptr, ValueError, .what = fmt::format("Submodule '{}' is empty", name),
                    .cause = "a null pointer was registered", .repair = "make the module first",
                    .chapter = chapters::kGrammar);
  children_.insert(std::move(name), std::move(module));
}

OrderedDict<std::string, Tensor> Module::named_parameters(bool recurse) const {
  OrderedDict<std::string, Tensor> all;
  collect("", recurse, all);
  return all;
}

void Module::collect(const std::string& prefix, bool recurse, OrderedDict<std::string, Tensor>& into) const {
  for (const auto& parameter : parameters_) {
    if (parameter.value().defined()) into.insert(prefix + parameter.key(), parameter.value());
  }
  if (!recurse) return;
  for (const auto& child : children_) child.value()->collect(prefix + child.key() + ".", true, into);
}

void Module::zero_grad(bool set_to_none) {
  for (const Tensor& parameter : parameters()) {
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

}  // namespace gb::nn
