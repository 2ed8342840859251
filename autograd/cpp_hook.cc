#include "autograd/cpp_hook.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::autograd {
namespace {

// A hook may give another value, but not another shape or type: the node would not know what to do with it.
void check_result(const Tensor& value, const Tensor& result, size_t hook) {
  constexpr const char* kRepair = "return a gradient like the one that came in, or nothing to leave it as it is";
  GB_CHECK_OR_THROW(value.defined(), Error,
                    .what = fmt::format("hook {}: can't replace a empty gradient with a non-empty value", hook),
                    .cause = fmt::format("no gradient arrived, and the hook returned one of sizes {}",
                                         to_string(result.sizes())),
                    .repair = kRepair, .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(value.dtype() == result.dtype() && value.device() == result.device(), Error,
                    .what = fmt::format("hook {} has changed the type of value (was {} got {})", hook,
                                        value.toString(), result.toString()),
                    .cause = "the node behind the hook expects the type of the forward value", .repair = kRepair,
                    .chapter = chapters::kAutograd);
  GB_CHECK_OR_THROW(value.sizes() == result.sizes(), Error,
                    .what = fmt::format("hook {} has changed the size of value", hook),
                    .cause = fmt::format("it was {} and became {}", to_string(value.sizes()),
                                         to_string(result.sizes())),
                    .repair = kRepair, .chapter = chapters::kAutograd);
}

void run(const std::function<Tensor(const Tensor&)>& hook, size_t number, Tensor& value) {
  if (!hook) return;
  Tensor result = hook(value);
  if (!result.defined()) return;
  check_result(value, result, number);
  value = std::move(result);
}

}  // namespace

CppFunctionTensorPreHook::CppFunctionTensorPreHook(std::shared_ptr<hooks_list> hooks, size_t value_idx)
    : hooks_(std::move(hooks)), value_idx_(value_idx) {}

variable_list CppFunctionTensorPreHook::operator()(const variable_list& values) {
  variable_list results = values;
  // By number, and a copy of each: a hook may register another one, or remove itself.
  for (size_t i = 0; i < hooks_->size(); ++i) run(hooks_list::value_type((*hooks_)[i]), i, results[value_idx_]);
  return results;
}

CppFunctionSingleTensorPreHook::CppFunctionSingleTensorPreHook(std::function<Tensor(const Tensor&)> hook,
                                                               size_t value_idx)
    : hook_(std::move(hook)), value_idx_(value_idx) {}

variable_list CppFunctionSingleTensorPreHook::operator()(const variable_list& values) {
  variable_list results = values;
  run(hook_, 0, results[value_idx_]);
  return results;
}

}  // namespace gb::autograd
