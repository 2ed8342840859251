#include "nn/init.h"

#include <fmt/format.h>

#include "core/autograd_state.h"
#include "core/error.h"
#include "ops/common/empty.h"

namespace gb::nn::init {
namespace {

void check_floating(const Tensor& tensor, const char* op) {
  GB_CHECK_OR_THROW(tensor.defined() && tensor.is_floating_point(), ValueError,
                    .what = fmt::format("nn::init::{}: expected a tensor of a floating dtype", op),
                    .cause = tensor.defined() ? fmt::format("its dtype is {}", toString(tensor.scalar_type()))
                                              : std::string("it is undefined"),
                    .repair = "make the tensor with kFloat or kDouble first", .chapter = chapters::kTensors);
}

// Draws numel() doubles on the CPU, then one copy_ converts dtype, device and strides.
template <class Draw>
Tensor fill(const Tensor& tensor, Draw draw) {
  const Tensor values = empty_cpu(tensor.sizes(), kDouble);
  double* v = values.mutable_data_ptr<double>();
  for (int64_t i = 0, n = values.numel(); i < n; ++i) v[i] = draw();
  NoGradGuard unrecorded;
  tensor.copy_(values);
  return tensor;
}

}  // namespace

Tensor normal_(Tensor tensor, double mean, double std, Random& random) {
  check_floating(tensor, "normal_");
  GB_CHECK_OR_THROW(std >= 0, ValueError, .what = "nn::init::normal_: the standard deviation must not be negative",
                    .cause = fmt::format("std is {}", std), .repair = "give std >= 0", .chapter = chapters::kTensors);
  return fill(tensor, [&] { return mean + std * random.normal(); });
}

Tensor uniform_(Tensor tensor, double low, double high, Random& random) {
  check_floating(tensor, "uniform_");
  GB_CHECK_OR_THROW(low <= high, ValueError, .what = "nn::init::uniform_: low must not be above high",
                    .cause = fmt::format("low is {}, high is {}", low, high), .repair = "give low <= high",
                    .chapter = chapters::kTensors);
  return fill(tensor, [&] { return low + (high - low) * random.uniform(); });
}

Tensor constant_(Tensor tensor, const Scalar& value) {
  NoGradGuard unrecorded;
  tensor.fill_(value);
  return tensor;
}

Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }
Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }

}  // namespace gb::nn::init
