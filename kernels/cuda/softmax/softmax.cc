#include "kernels/cuda/softmax/softmax.h"

#include <iterator>

#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda {
namespace {

constexpr SoftmaxRung kRungs[] = {
    {"01_naive", "kernels/cuda/softmax/01_naive.cu", softmax_01_naive::forward, softmax_01_naive::backward,
     true},
};

// The rung, counted from 1, that is fastest for a matrix of this shape.
size_t best(ScalarType, int64_t, int64_t) { return std::size(kRungs); }

const SoftmaxRung& chosen(ScalarType dtype, int64_t rows, int64_t cols) {
  const size_t number = softmax_choice().number();
  return kRungs[(number ? number : best(dtype, rows, cols)) - 1];
}

[[maybe_unused]] const bool g_attached = softmax_choice().attach(softmax_rungs());

}  // namespace

Ladder<SoftmaxRung> softmax_rungs() { return kRungs; }

void softmax(ScalarType dtype, void* out, const void* in, int64_t rows, int64_t cols, StreamHandle stream) {
  chosen(dtype, rows, cols).forward(dtype, out, in, rows, cols, stream);
}

void softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t rows,
                      int64_t cols, StreamHandle stream) {
  chosen(dtype, rows, cols).backward(dtype, grad_input, grad, output, rows, cols, stream);
}

}  // namespace gb::cuda
