// The walks of a Module: from it to all below it, each with its full name.
#include <fmt/format.h>

#include "core/error.h"
#include "nn/module.h"

namespace gb::nn {
namespace {

std::string join(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

// f(name, submodule) for all below `children`, each before its own submodules.
template <class F>
void walk_children(const OrderedDict<std::string, std::shared_ptr<Module>>& children, const F& f,
                   const std::string& prefix) {
  for (const auto& child : children) {
    const std::string name = join(prefix, child.key());
    f(name, *child);
    walk_children((*child)->named_children(), f, name);
  }
}

}  // namespace

OrderedDict<std::string, Tensor> Module::collect(Named Module::*tensors, bool recurse) const {
  Named all;
  const auto add = [&](const std::string& name, const Module& module) {
    for (const auto& item : module.*tensors) {
      if (item->defined()) all.insert(join(name, item.key()), *item);
    }
  };
  add("", *this);
  if (recurse) walk_children(children_, [&](const std::string& name, const ModulePtr& m) { add(name, *m); }, "");
  return all;
}

OrderedDict<std::string, std::shared_ptr<Module>> Module::named_modules(const std::string& name_prefix,
                                                                        bool include_self) const {
  OrderedDict<std::string, ModulePtr> all;
  if (include_self) all.insert(name_prefix, shared_from_this_checked());
  walk_children(children_, [&](const std::string& name, const ModulePtr& m) { all.insert(name, m); }, name_prefix);
  return all;
}

std::shared_ptr<Module> Module::shared_from_this_checked() const {
  std::shared_ptr<const Module> self = weak_from_this().lock();
  GB_CHECK_OR_THROW(self != nullptr, Error,
                    .what = "modules(): the top-level module is not stored in a shared_ptr, so no pointer to it can be given",
                    .cause = fmt::format("module {} stands on the stack or inside another object", name()),
                    .repair = "make it with std::make_shared, or pass include_self = false", .chapter = chapters::kGrammar);
  return std::const_pointer_cast<Module>(self);
}

void Module::apply(const std::function<void(Module&)>& f) {
  f(*this);
  walk_children(children_, [&](const std::string&, const ModulePtr& m) { f(*m); }, "");
}

void Module::apply(const std::function<void(const Module&)>& f) const {
  f(*this);
  walk_children(children_, [&](const std::string&, const ModulePtr& m) { f(*m); }, "");
}

void Module::apply(const std::function<void(const std::string&, Module&)>& f, const std::string& name_prefix) {
  f(name_prefix, *this);
  walk_children(children_, [&](const std::string& name, const ModulePtr& m) { f(name, *m); }, name_prefix);
}

void Module::apply(const std::function<void(const std::string&, const Module&)>& f,
                   const std::string& name_prefix) const {
  f(name_prefix, *this);
  walk_children(children_, [&](const std::string& name, const ModulePtr& m) { f(name, *m); }, name_prefix);
}

void Module::apply(const std::function<void(const ModulePtr&)>& f) const {
  f(shared_from_this_checked());
  walk_children(children_, [&](const std::string&, const ModulePtr& m) { f(m); }, "");
}

void Module::apply(const std::function<void(const std::string&, const ModulePtr&)>& f,
                   const std::string& name_prefix) const {
  f(name_prefix, shared_from_this_checked());
  walk_children(children_, [&](const std::string& name, const ModulePtr& m) { f(name, m); }, name_prefix);
}

}  // namespace gb::nn
