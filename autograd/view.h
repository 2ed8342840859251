// Views and in-place writes: a view knows its base, and a write to either changes the history of both.
//
//   b = x * 2          b: MulBackward0
//   v = b.select(0)    v: SelectBackward0 -> MulBackward0
//   v.mul_(3)          b: CopySlices(MulBackward0 of v) -> MulBackward0    the write, as an operation on the whole base
//                      v: AsStridedBackward0 -> CopySlices                 made anew, when somebody asks for v's grad_fn
//
// A view's grad_fn is up to date when `attr_version` is the version of the memory. Anything that was written since, by
// way of the base or of another view, shows in the version; the new grad_fn says "this part of the base as it is now".
//
// creation_meta says how the view was made: writing in place is refused for all but DEFAULT, since the new grad_fn
// would leave out what the old one did, or would record what was asked not to be recorded. Names follow
// torch/csrc/autograd/variable.h.
#pragma once

#include "autograd/autograd_meta.h"

namespace gb::autograd {

enum class CreationMeta : uint8_t {
  DEFAULT,
  IN_CUSTOM_FUNCTION,  // returned by a Function<T>
  MULTI_OUTPUT_NODE,   // one of several views of one call: split, unbind
  NO_GRAD_MODE,
  INFERENCE_MODE,      // of a normal tensor, in inference mode
};

// Of a view made from a view: never less strict than the one it was made from.
inline CreationMeta propagate_creation_meta(CreationMeta prev_view, CreationMeta new_view) {
  if (new_view == CreationMeta::DEFAULT || prev_view == CreationMeta::INFERENCE_MODE) return prev_view;
  return new_view;
}

struct ViewInfo {
  Tensor base_;
};

struct DifferentiableViewMeta final : AutogradMeta, Recycled<DifferentiableViewMeta> {
  using Recycled<DifferentiableViewMeta>::operator new;
  using Recycled<DifferentiableViewMeta>::operator delete;

  // `self` shares the version counter of the base already.
  DifferentiableViewMeta(const TensorImpl& self, const Tensor& base, CreationMeta creation_meta)
      : backward_info_{base},
        attr_version_(self.version_counter().current_version()),
        creation_meta_(creation_meta) {
    is_view_ = true;
  }

  bool requires_grad() const override {
    return requires_grad_ || grad_fn_ || backward_info_.base_.requires_grad();
  }
  bool has_bw_view() const { return true; }
  const ViewInfo& get_backward_view() const { return backward_info_; }
  uint32_t get_attr_version() const { return attr_version_; }
  void set_attr_version(uint32_t version) { attr_version_ = version; }
  CreationMeta get_creation_meta() const { return creation_meta_; }
  void set_creation_meta(CreationMeta creation_meta) { creation_meta_ = creation_meta; }

 private:
  ViewInfo backward_info_;
  uint32_t attr_version_;  // the version when grad_fn_ was made
  CreationMeta creation_meta_;
};

// Refuses what creation_meta forbids. indirect: the write was to the base or another view, and is done already.
void handle_view_on_rebase(const DifferentiableViewMeta& meta, bool indirect = false);

namespace impl {
DifferentiableViewMeta* get_view_autograd_meta(const Tensor& t);  // null unless it is a view
// After an in-place write to `self` that `edge` computed: its history, and for a view that of its base, is new.
void rebase_history(const Tensor& self, Edge edge);
// A new producer for a tensor that goes on being the same one: its hooks stay with the old, or move.
void exchange_gradient_edge(const Tensor& self, Edge edge);
void bump_version(const Tensor& t);
const VariableVersion& version_counter(const Tensor& t);
void set_version_counter(const Tensor& t, const VariableVersion& version);
// Brings grad_fn_ of a view up to date.
void refresh_grad_fn(const Tensor& view, DifferentiableViewMeta& meta);
}  // namespace impl

}  // namespace gb::autograd
