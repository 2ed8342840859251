// NodeExtras: what few nodes have, behind one pointer: hooks, and what anomaly mode remembers.
//
// Three lists of pre hooks, because they run under different conditions:
//   tensor_pre_hooks    of the tensor that the gradient belongs to: also where the node itself need not run
//   retains_grad_hooks  the same, after them; one per output of the forward call at most
//   pre_hooks           of the node: only when it runs
#pragma once

#include <map>
#include <memory>

#include "autograd/anomaly_mode.h"
#include "autograd/function_hook.h"

namespace gb::autograd {

struct NodeExtras {
  PreHooks tensor_pre_hooks, pre_hooks;
  std::map<size_t, std::unique_ptr<FunctionPreHook>> retains_grad_hooks;
  std::vector<std::unique_ptr<FunctionPostHook>> post_hooks;
  std::unique_ptr<AnomalyMetadata> anomaly;
};

}  // namespace gb::autograd
