#include "nn/containers/sequential.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"

namespace gb::nn {

void detail::throw_empty_sequential() {
  GB_THROW(Error, .what = "Cannot call forward() on an empty Sequential",
           .cause = "without a module there is no output", .repair = "push_back a module first",
           .chapter = chapters::kGrammar);
}

void detail::check_module_index(size_t index, size_t size, const char* container) {
  GB_CHECK_OR_THROW(index < size, IndexError, .what = fmt::format("{}: Index out of range", container),
                    .cause = fmt::format("index {}, and it holds {} modules", index, size),
                    .repair = "count from 0, and ask size()", .chapter = chapters::kGrammar);
}

std::shared_ptr<Module> SequentialImpl::clone(const std::optional<Device>& device) const {
  const auto copy = std::make_shared<SequentialImpl>();
  for (size_t i = 0; i < size(); ++i) copy->push_back(named_children()[i].key(), modules_[i].clone(device));
  copy->train(is_training());
  return copy;
}

void SequentialImpl::pretty_print(std::ostream& stream) const { stream << "gb::nn::Sequential"; }

}  // namespace gb::nn
