#include "library/testing.h"

#include <algorithm>
#include <cmath>

#include "ops/common/empty.h"

namespace gb::testing {
namespace {

template <class T>
void softmax_rows(const T* x, T* y, int64_t rows, int64_t columns) {
  for (int64_t r = 0; r < rows; ++r, x += columns, y += columns) {
    const T top = *std::max_element(x, x + columns);
    T sum = 0;
    for (int64_t c = 0; c < columns; ++c) sum += y[c] = std::exp(x[c] - top);
    for (int64_t c = 0; c < columns; ++c) y[c] /= sum;
  }
}

}  // namespace

Tensor softmax_forward(const Tensor& x) {
  const Tensor y = empty_cpu(x.sizes(), x.scalar_type());
  const int64_t columns = x.size(-1), rows = x.numel() / columns;
  if (x.scalar_type() == kDouble)
    softmax_rows(x.data_ptr<double>(), y.data_ptr<double>(), rows, columns);
  else
    softmax_rows(x.data_ptr<float>(), y.data_ptr<float>(), rows, columns);
  return y;
}

Tensor softmax_fake(const Tensor& x) { return empty_on(Device(kMeta), x.sizes(), x.scalar_type()); }

void softmax_setup_context(autograd::AutogradContext& ctx, ArrayRef<IValue>, const IValue& output) {
  ctx.save_for_backward({output.toTensor()});
}

Tensor softmax_backward(autograd::AutogradContext& ctx, const Tensor& grad) {
  const Tensor y = ctx.get_saved_variables()[0];
  return y.mul(grad.sub(grad.mul(y).sum({-1}, /*keepdim=*/true)));
}

Tensor wrong_softmax_backward(autograd::AutogradContext& ctx, const Tensor& grad) {
  return ctx.get_saved_variables()[0].mul(grad);
}

CustomOpDef define_softmax() {
  return custom_op("lynx_cortex::softmax(Tensor x) -> Tensor", softmax_forward)
      .register_fake(softmax_fake)
      .register_autograd(softmax_backward, softmax_setup_context);
}

CustomOpDef define_wrong_softmax() {
  return custom_op("lynx_cortex::wrong_softmax(Tensor x) -> Tensor", softmax_forward)
      .register_fake(softmax_fake)
      .register_autograd(wrong_softmax_backward, softmax_setup_context);
}

}  // namespace gb::testing
