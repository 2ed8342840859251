#include "labs/softmax_ladder.h"

#include <fmt/format.h>

#include "autograd/autograd.h"
#include "dispatcher/trace.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/softmax/softmax.h"
#include "ops/ops.h"

namespace gb::labs {

std::string softmax_ladder(int64_t rows, int64_t cols) {
  const Tensor x = randn({rows, cols}, Generator(1), TensorOptions()).to(Device(kCUDA, 0));
  const NoGradGuard no_grad;
  std::string text;
  for (const cuda::SoftmaxRung& rung : cuda::softmax_rungs()) {
    const backends::cuda::SoftmaxRungGuard guard(rung.name);
    const trace::Recorder recorder;
    softmax(x, -1);
    text += fmt::format("== {}\n{}\n", rung.name, recorder.tree());
  }
  const trace::Recorder recorder;
  softmax(x, -1);
  return text + fmt::format("== without a choice\n{}", recorder.tree());
}

}  // namespace gb::labs
