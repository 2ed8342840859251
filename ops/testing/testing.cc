#include "ops/testing/testing.h"

#include <cmath>

#include "core/autograd_state.h"
#include "ops/common/empty.h"

namespace gb::tests {
namespace {

uint64_t next(uint64_t& state) {  // splitmix64
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

Tensor filled(IntArrayRef sizes, ScalarType dtype, const std::function<double(int64_t)>& value) {
  const Tensor made = empty_cpu(sizes, kDouble);
  double* data = made.mutable_data_ptr<double>();
  for (int64_t i = 0; i < made.numel(); ++i) data[i] = value(i);
  return dtype == kDouble ? made : made.to(dtype);
}

}  // namespace

Tensor ramp(IntArrayRef sizes, ScalarType dtype) {
  return filled(sizes, dtype, [](int64_t i) { return static_cast<double>(i); });
}

Tensor noise(IntArrayRef sizes, uint64_t seed, ScalarType dtype) {
  uint64_t state = seed;
  return filled(sizes, dtype, [&](int64_t) { return static_cast<double>(next(state) >> 11) * 0x1p-52 - 1; });
}

std::vector<double> values(const Tensor& t) {
  NoGradGuard no_grad;
  const Tensor flat = t.to(kDouble).contiguous();
  const double* data = flat.const_data_ptr<double>();
  return std::vector<double>(data, data + flat.numel());
}

void check_values(const Tensor& t, std::vector<double> expected, double tolerance) {
  const std::vector<double> found = values(t);
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    if (std::isnan(expected[i]))
      CHECK(std::isnan(found[i]));
    else
      CHECK((found[i] == expected[i] || std::abs(found[i] - expected[i]) <= tolerance));  // infinities: equal
  }
}

void check_gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f, std::vector<Tensor> inputs,
                     double tolerance) {
  for (const Tensor& input : inputs) input.requires_grad_(true);
  const Tensor out = f(inputs);
  const Tensor weights = noise(out.sizes(), 77);
  out.mul(weights).sum().backward();

  NoGradGuard no_grad;
  const auto loss = [&] { return f(inputs).mul(weights).sum().item<double>(); };
  constexpr double kStep = 1e-5;
  for (size_t n = 0; n < inputs.size(); ++n) {
    REQUIRE(inputs[n].grad().defined());
    const std::vector<double> found = values(inputs[n].grad());
    double* data = inputs[n].mutable_data_ptr<double>();
    for (int64_t i = 0; i < inputs[n].numel(); ++i) {
      const double before = data[i];
      data[i] = before + kStep;
      const double above = loss();
      data[i] = before - kStep;
      const double below = loss();
      data[i] = before;
      CAPTURE(n);
      CAPTURE(i);
      CHECK(std::abs(found[static_cast<size_t>(i)] - (above - below) / (2 * kStep)) <= tolerance);
    }
  }
}

}  // namespace gb::tests
