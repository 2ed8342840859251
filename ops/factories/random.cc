#include "ops/factories/random.h"

#include <fmt/format.h>

#include "core/error.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/factories/backend_select.h"
#include "ops/factories/factories.h"

namespace gb {
namespace {

void check_floating(ScalarType dtype, const char* op) {
  GB_CHECK_OR_THROW(isFloatingType(dtype), NotImplementedError,
                    .what = fmt::format("{}: not implemented for '{}'", op, toString(dtype)),
                    .cause = "the numbers drawn are not integers",
                    .repair = "use a floating dtype and convert the result", .chapter = chapters::kTensors);
}

template <class Draw>
Tensor& draw_into(Tensor& self, std::optional<Generator>& generator, Draw&& draw) {
  if (self.is_meta()) return self;
  Generator& source = generator ? *generator : default_generator();
  Tensor values = empty_cpu(self.sizes(), kDouble);
  {
    std::lock_guard lock(source.mutex());
    for (int64_t i = 0; i < values.numel(); ++i) values.data_ptr<double>()[i] = draw(source);
  }
  return self.copy_(values);
}

template <class Fill>
Tensor fresh(IntArrayRef size, const TensorOptions& options, const char* op, Fill&& fill) {
  check_floating(options.dtype().toScalarType(), op);
  Tensor result = empty(size, options.requires_grad(std::nullopt));
  {
    AutoDispatchBelowADInplaceOrView guard;  // a new tensor's version is 0
    fill(result);
  }
  return finish(result, options);
}

}  // namespace

Generator& default_generator() {
  static Generator generator;
  return generator;
}

void manual_seed(uint64_t seed) {
  std::lock_guard lock(default_generator().mutex());
  default_generator().set_current_seed(seed);
}

Tensor& normal_(Tensor& self, double mean, double std, std::optional<Generator> generator) {
  check_defined(self, "normal_", "self");
  check_floating(self.scalar_type(), "normal_");
  GB_CHECK_OR_THROW(std >= 0, ValueError,
                    .what = fmt::format("normal_: normal expects std >= 0.0, but found std {}", std),
                    .cause = "a standard deviation is a distance", .repair = "give a std of at least 0",
                    .chapter = chapters::kTensors);
  return draw_into(self, generator, [=](Generator& g) { return mean + std * g.normal(); });
}

Tensor& uniform_(Tensor& self, double from, double to, std::optional<Generator> generator) {
  check_defined(self, "uniform_", "self");
  check_floating(self.scalar_type(), "uniform_");
  GB_CHECK_OR_THROW(
      from <= to, ValueError,
      .what =
          fmt::format("uniform_: expects to return a [from, to) range, but found from={} > to={}", from, to),
      .cause = "the range is empty", .repair = "swap the bounds", .chapter = chapters::kTensors);
  return draw_into(self, generator, [=](Generator& g) { return from + (to - from) * g.uniform(); });
}

Tensor rand(IntArrayRef size, Generator generator, const TensorOptions& options) {
  return fresh(size, options, "rand", [&](Tensor& t) { uniform_(t, 0, 1, generator); });
}
Tensor rand(IntArrayRef size, const TensorOptions& options) {
  return rand(size, default_generator(), options);
}

Tensor randn(IntArrayRef size, Generator generator, const TensorOptions& options) {
  return fresh(size, options, "randn", [&](Tensor& t) { normal_(t, 0, 1, generator); });
}
Tensor randn(IntArrayRef size, const TensorOptions& options) {
  return randn(size, default_generator(), options);
}

}  // namespace gb
