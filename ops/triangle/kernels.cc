// The CPU and Meta kernels. What is computed is only where zeros go: row by row, a run at one end.
#include <fmt/format.h>

#include <algorithm>

#include "dispatcher/library.h"
#include "kernels/cpu/copy.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/triangle/plan.h"
#include "ops/triangle/triangle.h"

namespace gb {
namespace {

void check_matrices(const Tensor& self, const char* op) {
  check_defined(self, op, "self");
  GB_CHECK_OR_THROW(self.dim() >= 2, Error,
                    .what = fmt::format("gb::{0}: {0}: input tensor must have at least 2 dimensions", op),
                    .cause = fmt::format("self has sizes {}", to_string(self.sizes())),
                    .repair = "unsqueeze it first", .chapter = chapters::kTensors);
}

}  // namespace

Tensor triangle_result(const Tensor& self, bool lower) {
  check_matrices(self, lower ? "tril" : "triu");
  return empty_on(self.device(), self.sizes(), self.scalar_type());
}
void check_triangle_(const Tensor& self, bool lower) {
  check_matrices(self, lower ? "tril_" : "triu_");
  check_no_internal_overlap(self, lower ? "tril_" : "triu_");
}

namespace {

template <bool lower>
void zero_outside(const Tensor& t, int64_t diagonal) {
  if (t.numel() == 0) return;
  const int64_t rows = t.size(-2), columns = t.size(-1), step = t.stride(-1);
  diagonal = std::clamp(diagonal, -rows,
                        columns);  // beyond these nothing changes, and i + diagonal does not overflow
  int64_t row = 0;
  const cpu::Strided<1> space{static_cast<int>(t.dim()), t.sizes().data(), {t.strides().data()}};
  cpu::for_each_row(space, [&](const int64_t* at) {
    const int64_t edge = std::clamp(row + diagonal + lower, int64_t{0},
                                    columns);  // from where (tril), or up to where, zeros are
    const int64_t first = lower ? edge : 0, count = lower ? columns - edge : edge;
    row = (row + 1) % rows;
    if (count == 0) return;
    char* start = static_cast<char*>(t.mutable_data_ptr()) + (at[0] + first * step) * t.element_size();
    cpu::fill(t.scalar_type(), start, 0, cpu::Strided<1>{1, &count, {&step}});
  });
}

template <bool lower>
Tensor triangle_meta(const Tensor& self, int64_t) {
  return triangle_result(self, lower);
}
template <bool lower>
Tensor triangle_cpu(const Tensor& self, int64_t diagonal) {
  const Tensor result = triangle_result(self, lower).copy_(self);
  zero_outside<lower>(result, diagonal);
  return result;
}

template <bool lower>
Tensor& triangle__meta(Tensor& self, int64_t) {
  check_triangle_(self, lower);
  return self;
}
template <bool lower>
Tensor& triangle__cpu(Tensor& self, int64_t diagonal) {
  check_triangle_(self, lower);
  zero_outside<lower>(self, diagonal);
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, CPU, m) {
  m.impl("tril", GB_FN(triangle_cpu<true>));
  m.impl("triu", GB_FN(triangle_cpu<false>));
  m.impl("tril_", GB_FN(triangle__cpu<true>));
  m.impl("triu_", GB_FN(triangle__cpu<false>));
}
GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("tril", GB_FN(triangle_meta<true>));
  m.impl("triu", GB_FN(triangle_meta<false>));
  m.impl("tril_", GB_FN(triangle__meta<true>));
  m.impl("triu_", GB_FN(triangle__meta<false>));
}

}  // namespace gb
