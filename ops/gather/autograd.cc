// Each is the other's gradient: what gather read from one place, its gradient adds there; what scatter_add
// added, its gradient reads there.
#include "autograd/operators.h"
#include "ops/common/record.h"
#include "ops/gather/gather.h"

namespace gb::autograd {
namespace {

struct GatherBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    const Tensor& grad = grads[0];
    return {ops::zeros(self_sizes_, grad.options()).scatter_add(dim_, index_.unpack(getptr()), grad)};
  }
  std::string name() const override { return "GatherBackward0"; }
  void release_variables() override { index_.reset_data(); }
  std::vector<SavedField> saved() const override {
    return {{"dim", std::to_string(dim_)},
            {"index", &index_},
            {"self_sizes", to_string(IntArrayRef(self_sizes_))}};
  }

  SavedVariable index_;
  std::vector<int64_t> self_sizes_;
  int64_t dim_ = 0;
};

struct ScatterAddBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    variable_list inputs(2);
    if (!grads[0].defined()) return inputs;
    if (task_should_compute_output(0)) inputs[0] = grads[0];
    if (task_should_compute_output(1)) inputs[1] = grads[0].gather(dim_, index_.unpack(getptr()));
    return inputs;
  }
  std::string name() const override { return "ScatterAddBackward0"; }
  void release_variables() override { index_.reset_data(); }
  std::vector<SavedField> saved() const override {
    return {{"dim", std::to_string(dim_)}, {"index", &index_}};
  }

  SavedVariable index_;
  int64_t dim_ = 0;
};

Tensor gather_autograd(DispatchKeySet ks, const Tensor& self, int64_t dim, const Tensor& index,
                       bool sparse_grad) {
  auto grad_fn = make_node<GatherBackward0>(self);
  if (grad_fn) {
    GB_CHECK_OR_THROW(
        !sparse_grad, NotImplementedError, .what = "gb::gather: sparse_grad=True is not supported",
        .cause = "there are no sparse tensors here, and self requires grad",
        .repair = "leave sparse_grad out: the gradient is dense", .chapter = chapters::kAutograd);
    grad_fn->index_ = SavedVariable(index, false);
    grad_fn->self_sizes_ = self.sizes().vec();
    grad_fn->dim_ = dim;
  }
  return record(grad_fn, [&] {
    return gather_op().redispatch(ks & after_autograd_keyset, self, dim, index, sparse_grad);
  });
}

Tensor scatter_add_autograd(DispatchKeySet ks, const Tensor& self, int64_t dim, const Tensor& index,
                            const Tensor& src) {
  auto grad_fn = make_node<ScatterAddBackward0>(self, src);
  if (grad_fn) {
    if (grad_fn->should_compute_output(1)) {
      // A src larger than the index gets no gradient outside it, which gather alone cannot give.
      GB_CHECK_OR_THROW(src.sizes() == index.sizes(), NotImplementedError,
                        .what = "gb::scatter_add: no gradient for a src that is larger than the index",
                        .cause = "src has sizes " + to_string(src.sizes()) + ", index has sizes " +
                                 to_string(index.sizes()),
                        .repair = "narrow src to the sizes of the index first",
                        .chapter = chapters::kAutograd);
      grad_fn->index_ = SavedVariable(index, false);
    }
    grad_fn->dim_ = dim;
  }
  return record(grad_fn, [&] {
    return scatter_add_op().redispatch(ks & after_autograd_keyset, self, dim, index, src);
  });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("gather", GB_FN(gather_autograd));
  m.impl("scatter_add", GB_FN(scatter_add_autograd));
}

}  // namespace gb::autograd
