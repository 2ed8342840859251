// LM head, rung 1: a matrix product, then softmax: two calls, and the logits go through memory. The first rung.
//
//   bytes for each row of 64 -> 600 in bfloat16          one pass needs
//   forward    x 128, z 1200, z 1200, p 1200     = 3728   1328
//   backward   p, dp, dz 3600; dz, dx 1328; dz, x 1328; dz 1200 = 7456   2656
//   loss       x 128, z 1200, z 1200             = 2528   128
//
// All products go through the linear ladder, so this is also the rung that takes every dtype and shape. Half logits are
// rounded on their way through memory: a logit near 8 is off by up to 2^-6 in bfloat16, and its exponential by 1.6 %.
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/reduce/column_sums.h"
#include "kernels/cuda/softmax/online.h"
#include "kernels/cuda/softmax/softmax.h"
#include "kernels/cuda/space.h"

namespace gb::cuda::lm_head_01_two_calls {
namespace {

constexpr int kRowsOfBlock = 8;  // a warp each

// z: [rows, out]; loss, logsumexp, target: [rows]. A warp walks along its row three times: maximum, sum, target.
template <class T>
__global__ void loss_kernel(compute_t<T>* loss, compute_t<T>* logsumexp, const T* z, const int64_t* target,
                            int64_t ignore_index, int64_t rows, int64_t out) {
  using C = compute_t<T>;
  const int64_t row = block_number() * kRowsOfBlock + threadIdx.x / 32;
  if (row >= rows) return;
  const T* const logits = z + row * out;
  const int64_t lane = threadIdx.x % 32;
  C max = static_cast<C>(-INFINITY), sum = 0;
  for (int64_t j = lane; j < out; j += 32) max = Larger()(max, static_cast<C>(logits[j]));
  max = across_lanes<32>(max, Larger());
  for (int64_t j = lane; j < out; j += 32) sum += RowExp<T>::of(static_cast<C>(logits[j]), max);
  const C log_sum = std::log(across_lanes<32>(sum, Plus()));
  if (lane != 0) return;
  const int64_t t = target[row];
  logsumexp[row] = max + log_sum;
  loss[row] = t == ignore_index ? C(0) : max - static_cast<C>(logits[t]) + log_sum;
}

// In place: z [rows, out] becomes dz. A thread per element.
template <class T>
__global__ void loss_backward_kernel(T* z, const compute_t<T>* grad_loss, int64_t grad_loss_stride,
                                     const compute_t<T>* logsumexp, const int64_t* target, int64_t ignore_index,
                                     int64_t rows, int64_t out) {
  using C = compute_t<T>;
  const int64_t i = thread_number();
  if (i >= rows * out) return;
  const int64_t row = i / out, t = target[row];
  const C p = RowExp<T>::of(static_cast<C>(z[i]), logsumexp[row]);
  const C grad = (p - (t == i - row * out ? C(1) : C(0))) * grad_loss[row * grad_loss_stride];
  z[i] = static_cast<T>(t == ignore_index ? C(0) : grad);
}

GemmArgs product(const LmHeadCall& a) {
  GemmArgs g;
  g.dtype = a.dtype;
  g.allow_tf32 = a.allow_tf32;
  return g;
}

// z [rows, out] = x W^T + bias
void logits(const LmHeadCall& a, const void* bias, void* z) {
  GemmArgs g = product(a);
  g.m = a.rows, g.n = a.out, g.k = a.in;
  g.a = {a.x, a.in, 1};
  g.b = {a.weight, 1, a.in};
  g.beta = bias ? 1 : 0;
  g.c = {bias, 0, 1};
  g.d = {z, a.out, 1};
  gemm(g, a.stream);
}

size_t round_up(size_t bytes) { return (bytes + 255) / 256 * 256; }
size_t bytes_of_z(const LmHeadCall& a) {
  return round_up(static_cast<size_t>(a.rows * a.out) * elementSize(a.dtype));
}

ColumnSumsArgs bias_gradient(const LmHeadCall& a, const void* dz, void* grad_bias) {
  ColumnSumsArgs sums = {};
  sums.dtype = a.dtype;
  sums.out = grad_bias, sums.in = dz;
  sums.rows = a.rows, sums.cols = a.out, sums.in_stride = a.out;
  sums.stream = a.stream;
  return sums;
}

// The three gradients from dz [rows, out], which stands at the start of the scratch memory.
template <class Args>
void gradients(const Args& a) {
  const void* const dz = a.scratch;
  GemmArgs dx = product(a);  // dz W
  dx.m = a.rows, dx.n = a.in, dx.k = a.out;
  dx.a = {dz, a.out, 1};
  dx.b = {a.weight, a.in, 1};
  dx.d = {a.grad_x, a.in, 1};
  gemm(dx, a.stream);
  GemmArgs dw = product(a);  // dz^T x
  dw.m = a.out, dw.n = a.in, dw.k = a.rows;
  dw.a = {dz, 1, a.out};
  dw.b = {a.x, a.in, 1};
  dw.d = {a.grad_weight, a.in, 1};
  gemm(dw, a.stream);
  if (!a.grad_bias) return;
  ColumnSumsArgs db = bias_gradient(a, dz, a.grad_bias);
  db.scratch = static_cast<char*>(a.scratch) + bytes_of_z(a);
  column_sums(db);
}

template <class Args>
size_t scratch_of_gradients(const Args& a) {
  return bytes_of_z(a) + column_sums_scratch(bias_gradient(a, nullptr, nullptr));
}

}  // namespace

size_t scratch(const LmHeadArgs&) { return 0; }
size_t scratch(const LmHeadBackwardArgs& a) { return scratch_of_gradients(a); }
size_t scratch(const LinearCrossEntropyArgs& a) { return bytes_of_z(a); }
size_t scratch(const LinearCrossEntropyBackwardArgs& a) { return scratch_of_gradients(a); }

void run(const LmHeadArgs& a) {
  logits(a, a.bias, a.p);
  softmax({a.dtype, false, a.p, a.p, a.rows, a.out, a.out, a.stream});
}

void run(const LmHeadBackwardArgs& a) {
  softmax_backward({a.dtype, false, a.scratch, a.grad_p, a.p, a.rows, a.out, a.out, a.stream});
  gradients(a);
}

void run(const LinearCrossEntropyArgs& a) {
  logits(a, a.bias, a.scratch);
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = compute_t<T>;
    GB_LAUNCH((loss_kernel<T>), grid_of_rows((a.rows + kRowsOfBlock - 1) / kRowsOfBlock), kRowsOfBlock * 32, 0,
              a.stream, static_cast<C*>(a.loss), static_cast<C*>(a.logsumexp), static_cast<const T*>(a.scratch),
              a.target, a.ignore_index, a.rows, a.out);
  });
}

void run(const LinearCrossEntropyBackwardArgs& a) {
  logits(a, a.bias, a.scratch);
  visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = compute_t<T>;
    GB_LAUNCH((loss_backward_kernel<T>), blocks_for(a.rows * a.out), kThreads, 0, a.stream, static_cast<T*>(a.scratch),
              static_cast<const C*>(a.grad_loss), a.grad_loss_stride, static_cast<const C*>(a.logsumexp), a.target,
              a.ignore_index, a.rows, a.out);
  });
  gradients(a);
}

}  // namespace gb::cuda::lm_head_01_two_calls
