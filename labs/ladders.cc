#include "labs/ladders.h"

#include <fmt/format.h>

#include <functional>

#include "autograd/autograd.h"
#include "dispatcher/trace.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/linear/gemm.h"
#include "kernels/cuda/softmax/softmax.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

std::string trace_of(const std::function<void()>& call) {
  const trace::Recorder recorder;
  call();
  return recorder.tree();
}

// The lines of a trace that launch a kernel, each behind `title`.
std::string launches_of(const char* title, const std::string& trace) {
  std::string text;
  for (size_t begin = 0, end; begin < trace.size(); begin = end + 1) {
    end = trace.find('\n', begin);
    const std::string line = trace.substr(begin, end - begin);
    if (const size_t launch = line.find("launch "); launch != std::string::npos && line.find_first_not_of(' ') == launch)
      text += fmt::format("{:<8} {}\n", title, line.substr(launch));
  }
  return text;
}

Tensor random(IntArrayRef sizes, ScalarType dtype) {
  return randn(sizes, Generator(1), TensorOptions()).to(Device(kCUDA, 0)).to(dtype);
}

}  // namespace

std::string softmax_ladder(int64_t rows, int64_t cols) {
  const Tensor x = random({rows, cols}, kFloat);
  const NoGradGuard no_grad;
  const auto call = [&] { softmax(x, -1); };
  std::string text;
  for (const cuda::SoftmaxRung& rung : cuda::softmax_rungs()) {
    const backends::cuda::SoftmaxRungGuard guard(rung.name);
    text += fmt::format("== {}\n{}\n", rung.name, trace_of(call));
  }
  return text + fmt::format("== without a choice\n{}", trace_of(call));
}

std::string linear_ladder(ScalarType dtype, int64_t rows, int64_t in) {
  constexpr int64_t kFeatures = 600;
  const Tensor x = random({rows, in}, dtype), weight = random({kFeatures, in}, dtype), bias = random({kFeatures}, dtype),
               grad = random({rows, kFeatures}, dtype);
  const NoGradGuard no_grad;
  const auto forward = [&] { linear(x, weight, bias); };
  std::string text;
  for (const cuda::GemmRung& rung : cuda::linear_rungs()) {
    const backends::cuda::LinearRungGuard guard(rung.name);
    text += fmt::format("== {}\n{}{}{}\n", rung.name, launches_of("forward", trace_of(forward)),
                        launches_of("dX", trace_of([&] { mm(grad, weight); })),
                        launches_of("dW", trace_of([&] { mm(grad.t(), x); })));
  }
  return text + fmt::format("== without a choice\n{}", trace_of(forward));
}

}  // namespace gb::labs
