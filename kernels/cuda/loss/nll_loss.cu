// nll_loss: a thread per row; its backward: a thread per element, most of which write a zero.
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/loss/nll_loss.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

template <class T>
__device__ double number(T value) {
  return static_cast<double>(static_cast<compute_t<T>>(value));
}

// value, used, target: [rows]; input: [rows, classes]; weight: [classes] or null
template <class T>
__global__ void nll_kernel(double* value, double* used, const T* input, const int64_t* target, const T* weight,
                           int64_t rows, int64_t classes, int64_t ignore_index) {
  const int64_t row = thread_number();
  if (row >= rows) return;
  const int64_t t = target[row];
  const double share = t == ignore_index ? 0 : weight ? number(weight[t]) : 1;
  used[row] = share;
  value[row] = t == ignore_index ? 0 : -share * number(input[row * classes + t]);
}

template <class T>
__global__ void nll_backward_kernel(T* grad_input, const double* grad, const int64_t* target, const T* weight,
                                    int64_t rows, int64_t classes, int64_t ignore_index) {
  const int64_t i = thread_number();
  if (i >= rows * classes) return;
  const int64_t row = i / classes, t = target[row];
  const bool picked = t == i - row * classes && t != ignore_index;
  const double value = picked ? -(weight ? number(weight[t]) : 1) * grad[row] : 0;
  grad_input[i] = convert<T>(value);
}

}  // namespace

void nll_loss(ScalarType dtype, double* value, double* used, const void* input, const int64_t* target,
              const void* weight, int64_t rows, int64_t classes, int64_t ignore_index, StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (rows == 0) return;
    GB_LAUNCH((nll_kernel<T>), blocks_for(rows), kThreads, 0, stream, value, used, static_cast<const T*>(input),
              target, static_cast<const T*>(weight), rows, classes, ignore_index);
  });
  if (!known) throw_no_kernel("nll_loss", dtype);
}

void nll_loss_backward(ScalarType dtype, void* grad_input, const double* grad, const int64_t* target,
                       const void* weight, int64_t rows, int64_t classes, int64_t ignore_index, StreamHandle stream) {
  const bool known = visit_floating(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (rows * classes == 0) return;
    GB_LAUNCH((nll_backward_kernel<T>), blocks_for(rows * classes), kThreads, 0, stream, static_cast<T*>(grad_input),
              grad, target, static_cast<const T*>(weight), rows, classes, ignore_index);
  });
  if (!known) throw_no_kernel("nll_loss_backward", dtype);
}

}  // namespace gb::cuda
