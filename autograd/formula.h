// What an operator's formula (ops/<operator>/autograd.cc) is written with. A kernel at Autograd does three
// things: it asks whether anything is to be recorded, redispatches below itself, and hangs a node on the
// result:
//
//   Tensor mul_autograd(DispatchKeySet ks, const Tensor& self, const Tensor& other) {
//     std::shared_ptr<MulBackward0> grad_fn;
//     if (compute_requires_grad(self, other)) {
//       grad_fn = std::make_shared<MulBackward0>();
//       grad_fn->set_next_edges(collect_next_edges(self, other));
//       if (grad_fn->should_compute_output(0)) grad_fn->other_ = SavedVariable(other, false);
//       if (grad_fn->should_compute_output(1)) grad_fn->self_ = SavedVariable(self, false);
//     }
//     Tensor result = [&] {
//       AutoDispatchBelowADInplaceOrView guard;
//       return mul_op().redispatch(ks & after_autograd_keyset, self, other);
//     }();
//     if (grad_fn) set_history(result, grad_fn);
//     return result;
//   }
//
// In-place operators: check_inplace before anything is written, rebase_history afterwards; their
// ADInplaceOrView kernel calls increment_version. View operators: their ADInplaceOrView kernel calls as_view.
// The autograd kernels of both use AutoDispatchBelowAutograd, so that ADInplaceOrView still runs. Names
// follow torch/csrc/autograd/{VariableTypeUtils,functions/utils}.h.
#pragma once

#include <optional>

#include "autograd/node.h"
#include "autograd/saved_variable.h"
#include "autograd/view.h"
#include "core/autograd_state.h"
#include "dispatcher/library.h"
#include "dispatcher/local_dispatch_key_set.h"

namespace gb::autograd {

// Where the gradient of `self` goes: its grad_fn, or a leaf's AccumulateGrad; invalid if it does not require
// grad.
Edge gradient_edge(const Tensor& self);

namespace detail {
inline bool requires_grad(const Tensor& t) { return t.unsafeGetTensorImpl()->requires_grad(); }
inline bool requires_grad(const std::optional<Tensor>& t) { return t && requires_grad(*t); }
inline bool requires_grad(TensorList list) {
  for (const Tensor& t : list)
    if (requires_grad(t)) return true;
  return false;
}
inline size_t edge_count(const Tensor&) { return 1; }
inline size_t edge_count(const std::optional<Tensor>&) { return 1; }
inline size_t edge_count(TensorList list) { return list.size(); }
inline void add_edges(edge_list& edges, const Tensor& t) { edges.push_back(gradient_edge(t)); }
inline void add_edges(edge_list& edges, const std::optional<Tensor>& t) {
  edges.push_back(t ? gradient_edge(*t) : Edge());
}
inline void add_edges(edge_list& edges, TensorList list) {
  for (const Tensor& t : list) edges.push_back(gradient_edge(t));
}
}  // namespace detail

// Is there anything to record: grad mode is on, and one of them requires grad? Takes Tensor,
// optional<Tensor>, TensorList.
template <class... Ts>
[[gnu::always_inline, gnu::artificial]] inline bool compute_requires_grad(const Ts&... tensors) {
  return GradMode::is_enabled() && (detail::requires_grad(tensors) || ...);
}

// One edge per tensor, in order.
template <class... Ts>
edge_list collect_next_edges(const Ts&... tensors) {
  edge_list edges;
  edges.reserve((detail::edge_count(tensors) + ...));
  (detail::add_edges(edges, tensors), ...);
  return edges;
}

// Makes `grad_fn` the producer of the output(s). Outputs of integer types get no history. Throws for an output
// that has one already, or is a leaf that requires grad: the kernel returned a tensor that is not its own. The
// error names `op`; the node, where that is left out.
void set_history(const Tensor& output, const std::shared_ptr<Node>& grad_fn, const char* op = nullptr);
void set_history(const std::vector<Tensor>& outputs, const std::shared_ptr<Node>& grad_fn);

// Throws where an in-place write to `self` would lose a gradient (on a leaf that requires grad, or a view of one), on
// a view that may not be written (view.h), and on an inference tensor outside of inference mode. Called before the
// write. `recorded`: compute_requires_grad of all operands.
void check_inplace(const Tensor& self, const char* op, bool recorded);
inline void check_inplace(const Tensor& self, const char* op) {
  check_inplace(self, op, compute_requires_grad(self));
}
// After the write: `self` is now produced by `grad_fn`, which has no outputs yet.
void rebase_history(const Tensor& self, std::shared_ptr<Node> grad_fn);
// After `self` got other sizes and strides and no element was written (t_, squeeze_): `grad_fn` undoes that, on top of
// the history that self had. Of a view: the base is what it was, and so is its history.
void set_history_inplace(const Tensor& self, std::shared_ptr<Node> grad_fn);
// `writer`: intern_writer of the operator's name; the version error names it.
inline void increment_version(const Tensor& self, uint32_t writer = kUnknownWriter) {
  self.unsafeGetTensorImpl()->bump_version(writer);
}

// How a view made now is made. multi_output: by a call that returns several.
inline CreationMeta creation_meta_now(bool multi_output = false) {
  const gb::detail::AutogradTls& modes = gb::detail::autograd_tls;
  if (modes.inference_mode) return CreationMeta::INFERENCE_MODE;
  if (!modes.grad_mode) return CreationMeta::NO_GRAD_MODE;
  return multi_output ? CreationMeta::MULTI_OUTPUT_NODE : CreationMeta::DEFAULT;
}
// Marks `view` as a view of `base`: one version counter, and _base() is the base of the base. With
// differentiable = false (detach) only the counter is shared.
void set_base(const Tensor& view, const Tensor& base, bool differentiable = true,
              CreationMeta creation_meta = creation_meta_now());
inline Tensor as_view(const Tensor& base, Tensor view, bool differentiable = true,
                      CreationMeta creation_meta = creation_meta_now()) {
  set_base(view, base, differentiable, creation_meta);
  return view;
}

// Undoes broadcasting: sums `grad` down to `sizes`. Returns `grad` itself where the sizes agree.
Tensor sum_to(const Tensor& grad, IntArrayRef sizes);

}  // namespace gb::autograd
