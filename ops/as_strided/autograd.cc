// AsStridedBackward0: the gradient goes back by way of the storage.
//
//   flat = zeros, one per element of the storage that either geometry reaches
//   flat[where the output read] = grad           elements that overlap in the output add up
//   d self = flat[where self's elements lie]     elements that overlap in self share what is there
//
// Every step is a recorded operator, so this is differentiable too. Source: as_strided_backward
// (FunctionsManual.cpp).
#include <algorithm>
#include <numeric>

#include "autograd/geometry.h"
#include "autograd/operators.h"
#include "ops/as_strided/as_strided.h"
#include "ops/common/empty.h"
#include "ops/common/record.h"

namespace gb::autograd {
namespace {

// May two elements lie in one place? A cheap test that can say yes too often: sorted by stride, does each stride step
// over all that the smaller ones reach?
bool may_overlap(const Geometry& g) {
  std::vector<size_t> order(g.sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return g.strides[a] < g.strides[b]; });
  int64_t reach = 0;
  for (const size_t d : order) {
    if (g.sizes[d] == 0) return false;
    if (g.sizes[d] == 1) continue;
    if (g.strides[d] <= reach) return true;
    reach += (g.sizes[d] - 1) * g.strides[d];
  }
  return false;
}

// Where in the storage each element lies, row by row: int64, one dimension.
Tensor places(const Geometry& g, Device device) {
  int64_t n = 1;
  for (int64_t size : g.sizes) n *= size;
  if (device.is_meta()) return empty_on(device, {n}, kLong);
  Tensor host = empty_cpu({n}, kLong);
  int64_t* to = host.mutable_data_ptr<int64_t>();
  std::vector<int64_t> index(g.sizes.size(), 0);
  for (int64_t i = 0, at = g.offset; i < n; ++i) {
    to[i] = at;
    for (size_t d = g.sizes.size(); d-- > 0;) {  // odometer
      at += g.strides[d];
      if (++index[d] < g.sizes[d]) break;
      at -= g.strides[d] * g.sizes[d];
      index[d] = 0;
    }
  }
  return device.is_cpu() ? host : host.to(TensorOptions(device));
}

struct AsStridedBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    const Tensor& grad = grads[0];
    Tensor flat = ops::zeros({std::max(self_.reach(), output_.reach())}, grad.options());
    if (may_overlap(output_)) {
      flat = flat.scatter_add(0, places(output_, grad.device()), grad.reshape({grad.numel()}));
    } else {
      ops::copy_(ops::as_strided(flat, output_.sizes, output_.strides, output_.offset), grad);
    }
    if (!may_overlap(self_)) return {ops::as_strided(flat, self_.sizes, self_.strides, self_.offset)};
    const Tensor at = places(self_, grad.device());
    const Tensor sharers = ops::zeros({flat.numel()}, grad.options()).scatter_add(0, at, ops::ones_like(flat.gather(0, at)));
    return {flat.gather(0, at).div(sharers.gather(0, at)).view(self_.sizes)};
  }
  std::vector<SavedField> saved() const override {
    return {{"size", to_string(IntArrayRef(output_.sizes))},
            {"stride", to_string(IntArrayRef(output_.strides))},
            {"storage_offset", std::to_string(output_.offset)}};
  }

  Geometry self_, output_;
};

Tensor as_strided_autograd(DispatchKeySet ks, const Tensor& self, IntArrayRef size, IntArrayRef stride,
                           std::optional<int64_t> storage_offset) {
  const auto grad_fn = make_node<AsStridedBackward0>(self);
  if (grad_fn) {
    grad_fn->self_ = Geometry(self);
    grad_fn->output_.sizes = size.vec();
    grad_fn->output_.strides = stride.vec();
    grad_fn->output_.offset = storage_offset.value_or(self.storage_offset());
  }
  return record_view(grad_fn, [&] {
    return as_strided_op().redispatch(ks & after_autograd_keyset, self, size, stride, storage_offset);
  });
}

Tensor as_strided_inplace_or_view(DispatchKeySet ks, const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                  std::optional<int64_t> storage_offset) {
  AutoDispatchBelowADInplaceOrView guard;
  return as_view(self, as_strided_op().redispatch(ks & after_ADInplaceOrView_keyset, self, size, stride,
                                                  storage_offset));
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("as_strided", GB_FN(as_strided_autograd)); }
GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) { m.impl("as_strided", GB_FN(as_strided_inplace_or_view)); }

}  // namespace gb::autograd
