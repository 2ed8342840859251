#include "nn/containers/module_list.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"
#include "dispatcher/function_traits.h"

namespace gb::nn {

std::shared_ptr<Module> ModuleListImpl::ptr(size_t index) const {
  GB_CHECK_OR_THROW(index < size(), IndexError, .what = "ModuleList: Index out of range",
                    .cause = fmt::format("index {}, and it holds {} modules", index, size()),
                    .repair = "count from 0, and ask size()", .chapter = chapters::kGrammar);
  return *named_children()[index];
}

void ModuleListImpl::insert(size_t index, ModulePtr module) {
  GB_CHECK_OR_THROW(index <= size(), IndexError, .what = "ModuleList: Index out of range",
                    .cause = fmt::format("insert at {}, and it holds {} modules", index, size()),
                    .repair = "insert at size() or below", .chapter = chapters::kGrammar);
  push_back(module);
  for (size_t i = size() - 1; i > index; --i) replace_module(std::to_string(i), ptr(i - 1));
  replace_module(std::to_string(index), std::move(module));
}

std::shared_ptr<Module> ModuleListImpl::clone(const std::optional<Device>& device) const {
  const auto copy = std::make_shared<ModuleListImpl>();
  for (const ModulePtr& module : children()) copy->push_back(module->clone(device));
  copy->train(is_training());
  return copy;
}

void ModuleListImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::ModuleList"; }

void ModuleListImpl::throw_cast(size_t index, const std::type_info& wanted) const {
  GB_THROW(TypeError, .what = fmt::format("Unable to cast module[{}] to {}", index, demangle(wanted.name())),
           .cause = fmt::format("it is a {}", ptr(index)->name()), .repair = "ask for its class, or a base of it",
           .chapter = chapters::kGrammar);
}

}  // namespace gb::nn
