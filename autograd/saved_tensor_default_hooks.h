// SavedTensorDefaultHooks: hooks for everything that is saved in a scope, where a SavedVariable's own hooks are for one
// tensor. Memory is traded with them: saved tensors kept in half precision, on another device, or computed again.
//
//   autograd::graph::saved_tensors_hooks scope(
//       [](const Tensor& t) -> std::any { return t.to(kHalf); },                       // when something is saved
//       [](const std::any& kept) { return std::any_cast<Tensor>(kept).to(kFloat); });  // when backward asks for it
//
// pack is given an input of the forward call as it is, with its history, and with grad mode off; a node's own output
// without history, since a pack hook that kept it would keep its node, and the two would never be freed. (PyTorch gives
// that with history, too.) What unpack returns is given the history of what was saved. Each time that backward asks is a
// call of unpack. pack may not write to its argument, and neither is given the number of `x * 2`.
//
// Of several scopes the innermost alone counts. The scopes are this thread's, and those of threads that work for it.
// Names follow ATen/SavedTensorHooks.h and torch/autograd/graph.py.
#pragma once

#include <any>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "autograd/saved_variable_hooks.h"

namespace gb {

namespace autograd {
struct DefaultHooks;
}

namespace detail {
// Copied to a thread that works for this one.
struct SavedTensorHooksTls {
  const autograd::DefaultHooks* innermost = nullptr;
  const std::string* disabled = nullptr;  // the message; null: they are enabled
};
inline constinit thread_local SavedTensorHooksTls saved_tensor_hooks_tls;
}  // namespace detail

struct SavedTensorDefaultHooks {
  using PackHook = std::function<std::any(const Tensor&)>;
  using UnpackHook = std::function<Tensor(const std::any&)>;
  using Hooks = std::pair<PackHook, UnpackHook>;

  static void push_hooks(PackHook pack_hook, UnpackHook unpack_hook);  // throws while they are disabled
  static Hooks pop_hooks();                 // throws where this thread has pushed none
  static std::optional<Hooks> get_hooks();  // the innermost

  // For code that would be wrong with hooks: with the message, push_hooks throws, and so does this call where there are
  // hooks already.
  static void disable(const std::string& error_message, bool fail_if_non_empty = true);
  static void enable();
  static bool is_enabled() { return detail::saved_tensor_hooks_tls.disabled == nullptr; }
  static std::optional<std::string> get_disabled_error_message();
};

namespace autograd {

// One scope, and the one around it. Unchanged from its push to its pop, so that other threads may read it.
struct DefaultHooks {
  SavedTensorDefaultHooks::Hooks hooks;
  const DefaultHooks* around;
  std::thread::id pushed_by;
};

// For one tensor that is saved now: the innermost scope's. There must be one.
std::unique_ptr<SavedVariableHooks> default_saved_variable_hooks();

namespace graph {

class saved_tensors_hooks {
 public:
  saved_tensors_hooks(SavedTensorDefaultHooks::PackHook pack_hook, SavedTensorDefaultHooks::UnpackHook unpack_hook) {
    SavedTensorDefaultHooks::push_hooks(std::move(pack_hook), std::move(unpack_hook));
  }
  ~saved_tensors_hooks() { SavedTensorDefaultHooks::pop_hooks(); }
  saved_tensors_hooks(const saved_tensors_hooks&) = delete;
  saved_tensors_hooks& operator=(const saved_tensors_hooks&) = delete;
};

}  // namespace graph
}  // namespace autograd
}  // namespace gb
