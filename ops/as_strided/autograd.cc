// AsStridedBackward0: the gradient goes back by way of the storage.
//
//   flat = zeros, one per element of the storage that either geometry reaches
//   flat[where the output read] += grad          scatter_add, so elements that overlap in the output add up
//   d self = flat[where self's elements lie]     gather
//
// Both steps are differentiable, so this is too. Where self's own elements overlap (an expanded tensor)
// PyTorch divides by how many share a place; here that is a NotImplementedError. Source: as_strided_backward
// (FunctionsManual.cpp).
#include <algorithm>

#include "autograd/operators.h"
#include "ops/as_strided/as_strided.h"
#include "ops/common/empty.h"
#include "ops/common/record.h"

namespace gb::autograd {
namespace {

struct Geometry {
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;

  // Elements from the start of the storage to behind the last one.
  int64_t reach() const {
    int64_t last = offset;
    for (size_t d = 0; d < sizes.size(); ++d) {
      if (sizes[d] == 0) return 0;
      last += (sizes[d] - 1) * strides[d];
    }
    return last + 1;
  }
  // Where in the storage each element lies, row by row: int64, one dimension.
  Tensor places(Device device) const {
    int64_t n = 1;
    for (int64_t size : sizes) n *= size;
    if (device.is_meta()) return empty_on(device, {n}, kLong);
    Tensor host = empty_cpu({n}, kLong);
    int64_t* to = host.mutable_data_ptr<int64_t>();
    std::vector<int64_t> index(sizes.size(), 0);
    for (int64_t i = 0, at = offset; i < n; ++i) {
      to[i] = at;
      for (size_t d = sizes.size(); d-- > 0;) {  // odometer
        at += strides[d];
        if (++index[d] < sizes[d]) break;
        at -= strides[d] * sizes[d];
        index[d] = 0;
      }
    }
    return device.is_cpu() ? host : host.to(TensorOptions(device));
  }
};

struct AsStridedBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined() || !task_should_compute_output(0)) return {Tensor()};
    const Tensor& grad = grads[0];
    const int64_t n = std::max(self_.reach(), output_.reach());
    const Tensor flat = ops::zeros({n}, grad.options())
                            .scatter_add(0, output_.places(grad.device()), grad.reshape({grad.numel()}));
    return {flat.gather(0, self_.places(grad.device())).view(self_.sizes)};
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
    GB_CHECK_OR_THROW(
        self.is_non_overlapping_and_dense(), NotImplementedError,
        .what = "gb::as_strided: no gradient for a tensor whose own elements overlap or have gaps",
        .cause = "self has sizes " + to_string(self.sizes()) + " and strides " + to_string(self.strides()),
        .repair = "call contiguous() on it first", .chapter = chapters::kAutograd);
    grad_fn->self_ = {self.sizes().vec(), self.strides().vec(), self.storage_offset()};
    grad_fn->output_ = {size.vec(), stride.vec(), storage_offset.value_or(self.storage_offset())};
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
