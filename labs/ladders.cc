#include "labs/ladders.h"

#include <fmt/format.h>

#include "autograd/autograd.h"
#include "dispatcher/trace.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/softmax/softmax.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

// What call() does on each rung, then with none chosen. Guard: of the ladder's choice.
template <class Guard, class Rung, class Call>
std::string trace_of_rungs(cuda::Ladder<Rung> rungs, Call call) {
  std::string text;
  const auto trace = [&](const char* title) {
    const trace::Recorder recorder;
    call();
    text += fmt::format("== {}\n{}\n", title, recorder.tree());
  };
  for (const Rung& rung : rungs) {
    const Guard guard(rung.name);
    trace(rung.name);
  }
  trace("without a choice");
  text.pop_back();
  return text;
}

Tensor random(IntArrayRef sizes, ScalarType dtype) {
  return randn(sizes, Generator(1), TensorOptions()).to(Device(kCUDA, 0)).to(dtype);
}

}  // namespace

std::string softmax_ladder(int64_t rows, int64_t cols) {
  const Tensor x = random({rows, cols}, kFloat);
  const NoGradGuard no_grad;
  return trace_of_rungs<backends::cuda::SoftmaxRungGuard>(cuda::softmax_rungs(), [&] { softmax(x, -1); });
}

std::string linear_ladder(ScalarType dtype, int64_t rows, int64_t in) {
  constexpr int64_t kFeatures = 600;
  const Tensor x = random({rows, in}, dtype), weight = random({kFeatures, in}, dtype), bias = random({kFeatures}, dtype),
               grad = random({rows, kFeatures}, dtype);
  const NoGradGuard no_grad;
  return trace_of_rungs<backends::cuda::LinearRungGuard>(cuda::linear_rungs(), [&] {
    linear(x, weight, bias);
    mm(grad, weight);         // the gradient of x
    mm(grad.t(), x);          // the gradient of weight
  });
}

}  // namespace gb::labs
