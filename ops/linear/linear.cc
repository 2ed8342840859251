#include "ops/linear/linear.h"

#include <fmt/format.h>

#include <vector>

#include "dispatcher/library.h"
#include "ops/addmm/addmm.h"
#include "ops/common/checks.h"
#include "ops/view/view.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) { m.def("linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor"); }

const TypedOperatorHandle<Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&)>& linear_op() {
  static const auto op = Dispatcher::singleton()
                             .findSchemaOrThrow("aten::linear", "")
                             .typed<Tensor(const Tensor&, const Tensor&, const std::optional<Tensor>&)>();
  return op;
}

Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  GB_RETURN_CALL(linear_op(), input, weight, bias);
}

namespace {

Tensor linear_composite(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  check_defined(input, "linear", "input");
  check_defined(weight, "linear", "weight");
  const bool has_bias = bias && bias->defined();
  if (input.dim() == 2) return has_bias ? addmm(*bias, input, weight.t()) : input.mm(weight.t());

  GB_CHECK_OR_THROW(
      input.dim() > 0 && weight.dim() == 2, Error,
      .what = input.dim() == 0
                  ? "gb::linear: both arguments need to be at least 1D, but input is 0D"
                  : fmt::format("gb::linear: weight must be a matrix, got {}-D tensor", weight.dim()),
      .cause = fmt::format("input has sizes {}, weight has sizes {}", to_string(input.sizes()),
                           to_string(weight.sizes())),
      .repair = "give an input [..., in] and a weight [out, in]", .chapter = chapters::kTensors);
  std::vector<int64_t> sizes = input.sizes().vec();
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < sizes.size(); ++d) rows *= sizes[d];
  const Tensor matrix = input.reshape({rows, sizes.back()});
  sizes.back() = weight.sizes()[0];
  if (has_bias) return addmm(*bias, matrix, weight.t()).view(sizes);
  return _unsafe_view(matrix.mm(weight.t()), sizes);  // matmul's way: the product is nobody else's
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("linear", GB_FN(linear_composite)); }

}  // namespace gb
