#include "kernels/cuda/softmax/softmax.h"

#include <iterator>

#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda {
namespace {

constexpr SoftmaxRung kRungs[] = {
    {"01_naive", "kernels/cuda/softmax/01_naive.cu", softmax_01_naive::forward, softmax_01_naive::backward,
     true},
};

const SoftmaxRung& chosen() { return choose(softmax_rungs(), "GB_SOFTMAX_RUNG", std::size(kRungs) - 1); }

}  // namespace

Ladder<SoftmaxRung> softmax_rungs() { return kRungs; }

void softmax(ScalarType dtype, void* out, const void* in, int64_t rows, int64_t cols, StreamHandle stream) {
  chosen().forward(dtype, out, in, rows, cols, stream);
}

void softmax_backward(ScalarType dtype, void* grad_input, const void* grad, const void* output, int64_t rows,
                      int64_t cols, StreamHandle stream) {
  chosen().backward(dtype, grad_input, grad, output, rows, cols, stream);
}

}  // namespace gb::cuda
