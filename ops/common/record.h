// The steps that the autograd files of most operators end with. What comes before them, which node and
// what it saves, is each operator's own. Always inlined: no call of their own, and no machine frame, between kernel and kernel.
#pragma once

#include <memory>
#include <utility>

#include "autograd/formula.h"
#include "core/recycled.h"

namespace gb::autograd {

template <class NodeType, class... Inputs>
[[gnu::noinline]] std::shared_ptr<NodeType> new_node(const Inputs&... inputs) {
  auto node = std::allocate_shared<NodeType>(RecycledAllocator<NodeType>());
  node->set_next_edges(collect_next_edges(inputs...));
  return node;
}

// A new node with one edge per input, or null where there is nothing to record. Only the question is inlined, so that a
// call that records nothing pays for nothing else.
template <class NodeType, class... Inputs>
[[gnu::always_inline, gnu::artificial]] inline std::shared_ptr<NodeType> make_node(const Inputs&... inputs) {
  if (!compute_requires_grad(inputs...)) return nullptr;
  return new_node<NodeType>(inputs...);
}

// below() while the guard lives. A function, not a block: its result is made in place, where the assignment to a
// variable outside of the block would cost a move.
template <class Guard, class Below>
[[gnu::always_inline, gnu::artificial]] inline auto run_under(Below&& below) {
  Guard guard;
  return below();
}

// Out of place: runs `below` with autograd off and makes grad_fn (or null) the producer of its result.
template <class NodeType, class Below>
[[gnu::always_inline, gnu::artificial]] inline Tensor record(const std::shared_ptr<NodeType>& grad_fn,
                                                             Below&& below) {
  Tensor result = run_under<AutoDispatchBelowADInplaceOrView>(below);
  if (grad_fn) set_history(result, grad_fn);
  return result;
}

// A view: the kernel at ADInplaceOrView still runs, and makes the result a view of the argument.
template <class NodeType, class Below>
[[gnu::always_inline, gnu::artificial]] inline Tensor record_view(const std::shared_ptr<NodeType>& grad_fn,
                                                                  Below&& below) {
  Tensor result = run_under<AutoDispatchBelowAutograd>(below);
  if (grad_fn) set_history(result, grad_fn);
  return result;
}

// In place. The kernel at ADInplaceOrView still runs, and bumps the version. check_inplace comes first, so
// that a refused write changes nothing.
template <class NodeType, class Below>
[[gnu::always_inline, gnu::artificial]] inline Tensor& record_inplace(Tensor& self,
                                                                      const std::shared_ptr<NodeType>& grad_fn,
                                                                      Below&& below) {
  {
    AutoDispatchBelowAutograd guard;
    below();
  }
  if (grad_fn) rebase_history(self, grad_fn);
  return self;
}

// The kernel at ADInplaceOrView of every in-place operator; `writer` (core/writers.h) is its name for errors.
template <class Below>
[[gnu::always_inline, gnu::artificial]] inline Tensor& bump_version_after(Tensor& self, uint32_t writer,
                                                                          Below&& below) {
  check_inplace(self, "in-place operator", /*recorded=*/false);
  {
    AutoDispatchBelowADInplaceOrView guard;
    below();
  }
  increment_version(self, writer);
  return self;
}

}  // namespace gb::autograd
