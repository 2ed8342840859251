#include "labs/two_devices/two_devices.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "kernels/cuda/runtime/runtime.h"
#include "labs/two_devices/softmax_rows.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

// What both kernels take.
Tensor checked(const Tensor& x) {
  GB_CHECK_OR_THROW(x.scalar_type() == kFloat && x.dim() >= 1, ValueError,
                    .what = "row_softmax takes float32 tensors of at least one dimension",
                    .cause = std::string("x is of dtype ") + toString(x.scalar_type()) + " with " +
                             std::to_string(x.dim()) + " dimensions",
                    .repair = "convert it with to(kFloat), or unsqueeze it", .chapter = chapters::kCustomOps);
  return x.contiguous();
}

Tensor row_softmax_cpu(const Tensor& x_) {
  const Tensor x = checked(x_);
  Tensor y = empty_like(x);
  const int64_t cols = x.size(-1), rows = cols == 0 ? 0 : x.numel() / cols;
  for (int64_t r = 0; r < rows; ++r) {
    const float* in = x.const_data_ptr<float>() + r * cols;
    float* out = y.mutable_data_ptr<float>() + r * cols;
    const float max = *std::max_element(in, in + cols);
    float sum = 0;
    for (int64_t c = 0; c < cols; ++c) sum += out[c] = std::exp(in[c] - max);
    for (int64_t c = 0; c < cols; ++c) out[c] /= sum;
  }
  return y;
}

Tensor row_softmax_cuda(const Tensor& x_) {
  const Tensor x = checked(x_);
  const cuda::DeviceGuard guard(x.device());
  Tensor y = empty_like(x);
  const int64_t cols = x.size(-1), rows = cols == 0 ? 0 : x.numel() / cols;
  softmax_rows(y.mutable_data_ptr<float>(), x.const_data_ptr<float>(), rows, cols, cuda::current_stream());
  return y;
}

void setup_context(autograd::AutogradContext& ctx, ArrayRef<IValue> /*inputs*/, const IValue& output) {
  ctx.save_for_backward({output.toTensor()});
}
// dx = y (dy - sum(dy y)); of operators that have kernels on both devices, so one formula serves them.
Tensor backward(autograd::AutogradContext& ctx, const Tensor& dy) {
  const Tensor y = ctx.get_saved_variables()[0];
  return y * (dy - (dy * y).sum({-1}, true));
}

}  // namespace

CustomOpDef register_row_softmax() {
  auto op = custom_op("lynx_cortex::row_softmax(Tensor x) -> Tensor");
  op.register_kernel(kCPU, row_softmax_cpu)
      .register_kernel(kCUDA, row_softmax_cuda)
      .register_fake([](const Tensor& x) { return empty_like(x); })
      .register_autograd(backward, setup_context);
  return op;
}

}  // namespace gb::labs
