#include "compile/testing.h"

#include <cmath>
#include <limits>

#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/softmax/softmax.h"

namespace gb::tests {
namespace {

double element(const Tensor& t, int64_t i) {
  return t.scalar_type() == kDouble ? t.const_data_ptr<double>()[i] : t.const_data_ptr<float>()[i];
}

Tensor opaque_softmax_cpu(const Tensor& x) { return softmax(x, -1); }
Tensor opaque_softmax_meta(const Tensor& x) { return empty_on(kMeta, x.sizes(), x.scalar_type()); }

GB_LIBRARY(opaque, m) { m.def("softmax(Tensor x) -> Tensor"); }
GB_LIBRARY_IMPL(opaque, CPU, m) { m.impl("softmax", GB_FN(opaque_softmax_cpu)); }
GB_LIBRARY_IMPL(opaque, Meta, m) { m.impl("softmax", GB_FN(opaque_softmax_meta)); }

}  // namespace

Tensor seeded(IntArrayRef sizes, uint64_t seed, ScalarType dtype) {
  Tensor t = empty_cpu(sizes, dtype);
  uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (int64_t i = 0; i < t.numel(); ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double value = static_cast<double>(state >> 11) / static_cast<double>(1ull << 52) - 1;
    if (dtype == kDouble) {
      t.mutable_data_ptr<double>()[i] = value;
    } else {
      t.mutable_data_ptr<float>()[i] = static_cast<float>(value);
    }
  }
  return t;
}

double max_difference(const Tensor& a, const Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type())
    return std::numeric_limits<double>::infinity();
  const Tensor x = a.contiguous(), y = b.contiguous();
  double worst = 0;
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double difference = std::abs(element(x, i) - element(y, i));
    if (!(difference <= worst)) worst = difference;  // NaN counts as the worst
  }
  return worst;
}

Tensor opaque_softmax(const Tensor& x) {
  static const auto op =
      Dispatcher::singleton().findSchemaOrThrow("opaque::softmax", "").typed<Tensor(const Tensor&)>();
  return op.call(x);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace gb::tests
