// The operators that fill a tensor, and bernoulli: one kernel each for every backend.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/factories/factories.h"
#include "ops/random/draw_kernel.h"
#include "ops/random/random.h"

namespace gb {

namespace {
thread_local Generator* t_default_generator = nullptr;  // null: the program's
}

Generator& default_generator() {
  static Generator generator;
  return t_default_generator ? *t_default_generator : generator;
}
DefaultGeneratorGuard::DefaultGeneratorGuard(Generator& generator) : before_(t_default_generator) {
  t_default_generator = &generator;
}
DefaultGeneratorGuard::~DefaultGeneratorGuard() { t_default_generator = before_; }
void manual_seed(uint64_t seed) { default_generator().set_current_seed(seed); }

namespace {

std::map<DeviceType, DrawKernel*>& draw_kernels() {
  static std::map<DeviceType, DrawKernel*> kernels;
  return kernels;
}

}  // namespace

RegisterDrawKernel::RegisterDrawKernel(DeviceType type, DrawKernel* kernel) { draw_kernels()[type] = kernel; }
DrawKernel* draw_kernel_of(DeviceType type) {
  const auto found = draw_kernels().find(type);
  return found == draw_kernels().end() ? nullptr : found->second;
}

namespace {

void check_drawn_into(const Tensor& self, const char* op) {
  check_defined(self, op, "self");
  check_no_internal_overlap(self, op);
}
void check_floating(const Tensor& self, const char* op) {
  GB_CHECK_OR_THROW(isFloatingType(self.scalar_type()), NotImplementedError,
                    .what = fmt::format("gb::{}: not implemented for '{}'", op, toString(self.scalar_type())),
                    .cause = "the numbers drawn are not integers",
                    .repair = "use a floating dtype and convert the result", .chapter = chapters::kTensors);
}

// The largest finite value, and how many bits of a number below 1 the dtype keeps.
struct FloatingLimits {
  double max;
  int digits;
};
FloatingLimits limits_of(ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return {std::numeric_limits<double>::max(), 53};
    case kFloat:
      return {std::numeric_limits<float>::max(), 24};
    case kHalf:
      return {65504, 11};
    default:
      return {0x1.fep127, 8};  // BFloat16
  }
}

// `name` is a bound of what is to be drawn.
void check_holds(const Tensor& self, bool holds, const char* op, const char* name, const std::string& bound) {
  GB_CHECK_OR_THROW(holds, Error,
                    .what = fmt::format("gb::{}: {} is out of bounds for {}", op, name, toString(self.scalar_type())),
                    .cause = fmt::format("it is {}, which the dtype of self does not hold", bound),
                    .repair = "choose a wider dtype, or a smaller range", .chapter = chapters::kTensors);
}

// Element i of self becomes draw(numbers, i), which is a double or an int64.
template <class Draw>
Tensor& draw_into(Tensor& self, const OptGenerator& generator, Draw draw) {
  using T = decltype(draw(RandomNumbers(), int64_t()));
  const Generator& source = generator ? *generator : default_generator();
  if (self.is_meta() || self.numel() == 0) return self;
  const RandomNumbers numbers = source.take(static_cast<uint64_t>(self.numel()));
  const Tensor values = empty_cpu(self.sizes(), CppTypeToScalarType<T>::value);
  T* to = values.mutable_data_ptr<T>();
  for (int64_t i = 0; i < values.numel(); ++i) to[i] = draw(numbers, i);
  return self.copy_(values);
}
// The same, on the device of self where it can.
template <class Draw>
Tensor& draw_into(Tensor& self, const OptGenerator& generator, const Drawing& drawing, Draw draw) {
  DrawKernel* const kernel = draw_kernel_of(self.device().type());
  if (!kernel || self.numel() == 0) return draw_into(self, generator, draw);
  const Generator& source = generator ? *generator : default_generator();
  kernel(self, source.take(static_cast<uint64_t>(self.numel())), drawing);
  return self;
}

Tensor& normal__kernel(Tensor& self, double mean, double std, OptGenerator generator) {
  check_drawn_into(self, "normal_");
  if (self.numel() > 0) check_floating(self, "normal_");
  GB_CHECK_OR_THROW(std >= 0, ValueError,
                    .what = fmt::format("gb::normal_: normal expects std >= 0.0, but found std {}", std),
                    .cause = "a standard deviation is a distance", .repair = "give a std of at least 0",
                    .chapter = chapters::kTensors);
  return draw_into(self, generator, {.distribution = Distribution::Normal, .a = mean, .b = std},
                   [=](const RandomNumbers& n, int64_t i) { return mean + std * n.normal(i); });
}

Tensor& uniform__kernel(Tensor& self, double from, double to, OptGenerator generator) {
  check_drawn_into(self, "uniform_");
  check_floating(self, "uniform_");
  GB_CHECK_OR_THROW(
      from <= to, ValueError,
      .what = fmt::format(
          "gb::uniform_: uniform_ expects to return a [from, to) range, but found from={} > to={}", from, to),
      .cause = "the range is empty", .repair = "swap the bounds", .chapter = chapters::kTensors);
  const FloatingLimits limits = limits_of(self.scalar_type());
  check_holds(self, std::abs(from) <= limits.max, "uniform_", "from", std::to_string(from));
  check_holds(self, std::abs(to) <= limits.max, "uniform_", "to", std::to_string(to));
  check_holds(self, to - from <= limits.max, "uniform_", "to - from", fmt::format("{} - {}", to, from));
  // 1 itself is never drawn, so no number may be rounded to it.
  const double below_one = 1 - std::ldexp(1, -limits.digits);
  return draw_into(self, generator,
                   {.distribution = Distribution::Uniform, .a = from, .b = to, .below_one = below_one},
                   [=](const RandomNumbers& n, int64_t i) {
                     return from + (to - from) * std::min(n.uniform(i), below_one);
                   });
}

// The largest integer up to which the dtype holds every integer.
int64_t largest_whole(ScalarType dtype) {
  switch (dtype) {
    case kLong:
      return std::numeric_limits<int64_t>::max();
    case kInt:
      return std::numeric_limits<int32_t>::max();
    case kBool:
      return 1;
    case kDouble:
      return int64_t{1} << 53;
    case kFloat:
      return int64_t{1} << 24;
    case kHalf:
      return int64_t{1} << 11;
    default:
      return int64_t{1} << 8;  // BFloat16
  }
}

bool holds(ScalarType dtype, int64_t value) {
  if (isFloatingType(dtype)) return std::abs(static_cast<double>(value)) <= limits_of(dtype).max;
  return value <= largest_whole(dtype) && value >= (dtype == kBool ? 0 : -largest_whole(dtype) - 1);
}

// from .. last, both included. The range has 2^64 values at most, which is 0 in a uint64.
Tensor& draw_integers(Tensor& self, int64_t from, int64_t last, const OptGenerator& generator) {
  const uint64_t range = static_cast<uint64_t>(last) - static_cast<uint64_t>(from) + 1;
  const Drawing drawing{.distribution = Distribution::Integers, .from = static_cast<uint64_t>(from), .range = range};
  return draw_into(self, generator, drawing, [=](const RandomNumbers& n, int64_t i) {
    const uint64_t bits = n.bits(i);
    return static_cast<int64_t>(static_cast<uint64_t>(from) + (range == 0 ? bits : bits % range));
  });
}

Tensor& random_from__kernel(Tensor& self, int64_t from, std::optional<int64_t> to, OptGenerator generator) {
  check_drawn_into(self, "random_");
  const ScalarType dtype = self.scalar_type();
  check_holds(self, holds(dtype, from) && (to || from <= largest_whole(dtype)), "random_", "from", std::to_string(from));
  if (!to) return draw_integers(self, from, largest_whole(dtype), generator);
  GB_CHECK_OR_THROW(
      from < *to, ValueError,
      .what = fmt::format(
          "gb::random_: random_ expects 'from' to be less than 'to', but got from={} >= to={}", from, *to),
      .cause = "'to' itself is never drawn, so the range is empty", .repair = "give a larger 'to'",
      .chapter = chapters::kTensors);
  check_holds(self, holds(dtype, *to - 1), "random_", "to - 1", std::to_string(*to - 1));
  return draw_integers(self, from, *to - 1, generator);
}
Tensor& random_to__kernel(Tensor& self, int64_t to, OptGenerator generator) {
  return random_from__kernel(self, 0, to, std::move(generator));
}
Tensor& random__kernel(Tensor& self, OptGenerator generator) {
  return random_from__kernel(self, 0, std::nullopt, std::move(generator));
}

Tensor& bernoulli_float__kernel(Tensor& self, double p, OptGenerator generator) {
  check_drawn_into(self, "bernoulli_");
  GB_CHECK_OR_THROW(
      p >= 0 && p <= 1, ValueError,
      .what = fmt::format("gb::bernoulli_: bernoulli_ expects p to be in [0, 1], but got p={}", p),
      .cause = "p is a probability", .repair = "give a p from 0 to 1", .chapter = chapters::kTensors);
  return draw_into(self, generator, {.distribution = Distribution::Bernoulli, .a = p},
                   [=](const RandomNumbers& n, int64_t i) { return n.uniform(i) < p ? 1.0 : 0.0; });
}

Tensor& bernoulli_tensor__kernel(Tensor& self, const Tensor& p, OptGenerator generator) {
  check_drawn_into(self, "bernoulli_");
  check_defined(p, "bernoulli_", "p");
  if (self.numel() > 0) check_floating(p, "bernoulli_");
  if (self.is_meta()) return self;
  const Tensor wanted = p.to(TensorOptions(kCPU).dtype(kDouble)).expand(self.sizes()).contiguous();
  const double* probability = wanted.const_data_ptr<double>();
  for (int64_t i = 0; i < wanted.numel(); ++i) {
    GB_CHECK_OR_THROW(probability[i] >= 0 && probability[i] <= 1, ValueError,
                      .what = "gb::bernoulli_: Expected p_in >= 0 && p_in <= 1 to be true, but got false.",
                      .cause = fmt::format("element {} of p, counted row by row, is {}", i, probability[i]),
                      .repair = "give probabilities from 0 to 1", .chapter = chapters::kTensors);
  }
  return draw_into(self, generator, [=](const RandomNumbers& n, int64_t i) {
    return n.uniform(i) < probability[i] ? 1.0 : 0.0;
  });
}

Tensor bernoulli_kernel(const Tensor& self, OptGenerator generator) {
  check_defined(self, "bernoulli", "self");
  check_floating(self, "bernoulli");
  return empty_like(self).bernoulli_(self, std::move(generator));
}
Tensor bernoulli_p_kernel(const Tensor& self, double p, OptGenerator generator) {
  return empty_like(self).bernoulli_(p, std::move(generator));
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("normal_", GB_FN(normal__kernel));
  m.impl("uniform_", GB_FN(uniform__kernel));
  m.impl("random_.from", GB_FN(random_from__kernel));
  m.impl("random_.to", GB_FN(random_to__kernel));
  m.impl("random_", GB_FN(random__kernel));
  m.impl("bernoulli_.float", GB_FN(bernoulli_float__kernel));
  m.impl("bernoulli_.Tensor", GB_FN(bernoulli_tensor__kernel));
  m.impl("bernoulli", GB_FN(bernoulli_kernel));
  m.impl("bernoulli.p", GB_FN(bernoulli_p_kernel));
}

}  // namespace gb
