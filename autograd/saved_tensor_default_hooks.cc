#include "autograd/saved_tensor_default_hooks.h"

#include <mutex>
#include <set>

#include "core/error.h"

namespace gb {
namespace {

const autograd::DefaultHooks*& innermost() { return detail::saved_tensor_hooks_tls.innermost; }

// What SavedTensorHooksTls::disabled points to. Other threads may have taken the pointer over, so no message goes; there
// are few different ones.
const std::string* kept_for_ever(const std::string& message) {
  static std::mutex mutex;
  static auto* messages = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return &*messages->insert(message).first;
}

[[noreturn]] void throw_disabled(const std::string& message) {
  GB_THROW(Error, .what = message, .cause = "the default saved-tensor hooks of this thread are disabled",
           .repair = "keep the hooks out of the code that disables them", .chapter = chapters::kAutograd);
}

// What one of the scope's pairs of hooks does for one saved tensor.
struct OfScope final : autograd::SavedVariableHooks {
  explicit OfScope(SavedTensorDefaultHooks::Hooks given) : hooks(std::move(given)) {}
  void call_pack_hook(const Tensor& tensor) override { kept = hooks.first(tensor); }
  Tensor call_unpack_hook() override { return hooks.second(kept); }
  SavedTensorDefaultHooks::Hooks hooks;
  std::any kept;
};

}  // namespace

void SavedTensorDefaultHooks::push_hooks(PackHook pack_hook, UnpackHook unpack_hook) {
  if (!is_enabled()) throw_disabled(*detail::saved_tensor_hooks_tls.disabled);
  GB_CHECK_OR_THROW(pack_hook && unpack_hook, Error, .what = "push_hooks: a hook is empty",
                    .cause = "both a pack and an unpack hook are called", .repair = "give two functions",
                    .chapter = chapters::kAutograd);
  innermost() = new autograd::DefaultHooks{
      {std::move(pack_hook), std::move(unpack_hook)}, innermost(), std::this_thread::get_id()};
}

SavedTensorDefaultHooks::Hooks SavedTensorDefaultHooks::pop_hooks() {
  GB_CHECK_OR_THROW(innermost() && innermost()->pushed_by == std::this_thread::get_id(), Error,
                    .what = "pop_hooks: there are no default saved-tensor hooks to take away",
                    .cause = innermost() ? "those of now were pushed by another thread, which this one works for"
                                         : "more were popped than pushed",
                    .repair = "use the guard saved_tensors_hooks", .chapter = chapters::kAutograd);
  const std::unique_ptr<const autograd::DefaultHooks> popped(innermost());
  innermost() = popped->around;
  return popped->hooks;
}

std::optional<SavedTensorDefaultHooks::Hooks> SavedTensorDefaultHooks::get_hooks() {
  if (!innermost()) return std::nullopt;
  return innermost()->hooks;
}

void SavedTensorDefaultHooks::disable(const std::string& error_message, bool fail_if_non_empty) {
  if (fail_if_non_empty && innermost()) throw_disabled(error_message);
  detail::saved_tensor_hooks_tls.disabled = kept_for_ever(error_message);
}

void SavedTensorDefaultHooks::enable() {
  detail::saved_tensor_hooks_tls.disabled = nullptr;
}

std::optional<std::string> SavedTensorDefaultHooks::get_disabled_error_message() {
  if (is_enabled()) return std::nullopt;
  return *detail::saved_tensor_hooks_tls.disabled;
}

std::unique_ptr<autograd::SavedVariableHooks> autograd::default_saved_variable_hooks() {
  return std::make_unique<OfScope>(innermost()->hooks);
}

}  // namespace gb
