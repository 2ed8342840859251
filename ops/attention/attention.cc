#include "ops/attention/attention.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "dispatcher/library.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/common/checks.h"
#include "ops/dropout/dropout.h"
#include "ops/factories/factories.h"
#include "ops/matmul/matmul.h"
#include "ops/pointwise/pointwise.h"
#include "ops/softmax/softmax.h"
#include "ops/t/t.h"
#include "ops/triangle/triangle.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0.0, "
      "bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor");
}

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa) {
  GB_RETURN_CALL(scaled_dot_product_attention_op(), query, key, value, attn_mask, dropout_p, is_causal, scale,
                 enable_gqa);
}

namespace {

void check_attention(const Tensor& query, const Tensor& key, const Tensor& value, bool has_mask, bool is_causal,
                     bool enable_gqa) {
  constexpr const char* kOp = "scaled_dot_product_attention";
  check_defined(query, kOp, "query");
  check_defined(key, kOp, "key");
  check_defined(value, kOp, "value");
  GB_CHECK_OR_THROW(query.dim() >= 2 && key.dim() >= 2 && value.dim() >= 2, Error,
                    .what = fmt::format("gb::{}: Expected query, key, and value to all be at least 2 dimensional", kOp),
                    .cause = fmt::format("they have {}, {} and {} dimensions", query.dim(), key.dim(), value.dim()),
                    .repair = "the last two are the length and the width", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(query.scalar_type() == key.scalar_type() && key.scalar_type() == value.scalar_type(), Error,
                    .what = fmt::format("gb::{}: Expected query, key, and value to have the same dtype", kOp),
                    .cause = fmt::format("they are {}, {} and {}", toString(query.scalar_type()),
                                         toString(key.scalar_type()), toString(value.scalar_type())),
                    .repair = "convert with .to(dtype)", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(!(has_mask && is_causal), ValueError,
                    .what = fmt::format("gb::{}: Explicit attn_mask should not be set when is_causal=True", kOp),
                    .cause = "is_causal makes the mask itself", .repair = "give one of the two",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(!enable_gqa, NotImplementedError,
                    .what = fmt::format("gb::{}: enable_gqa=True is not implemented", kOp),
                    .cause = "fewer heads of keys than of queries", .repair = "repeat the keys' and values' heads first",
                    .chapter = chapters::kTensors);
}

// A mask to be added: 0 where `may_look` is true, -inf elsewhere.
Tensor to_be_added(const Tensor& may_look, ScalarType dtype) {
  const Tensor none = zeros({}, TensorOptions(dtype).device(may_look.device()));
  return gb::where(may_look, none, full_like(none, -std::numeric_limits<double>::infinity()));
}

Tensor attention_from_parts(const Tensor& query, const Tensor& key, const Tensor& value,
                            const std::optional<Tensor>& attn_mask, double dropout_p, bool is_causal,
                            std::optional<double> scale, bool enable_gqa) {
  std::optional<Tensor> mask = attn_mask && attn_mask->defined() ? attn_mask : std::nullopt;
  check_attention(query, key, value, mask.has_value(), is_causal, enable_gqa);
  const double product = scale.value_or(1 / std::sqrt(static_cast<double>(query.size(-1))));
  const double factor = std::sqrt(std::abs(product));
  const Tensor keys = transpose(key, -2, -1).mul(factor);
  Tensor scores = gb::matmul(query.mul(product < 0 ? -factor : factor), keys);  // [..., L, S]
  if (is_causal) mask = tril(ones({query.size(-2), key.size(-2)}, TensorOptions(kBool).device(query.device())));
  if (mask && mask->scalar_type() == kBool) mask = to_be_added(*mask, query.scalar_type());
  if (mask) scores = scores.add(*mask);
  // A causal query looks at key 0 at least; under a mask of the caller's it may look at nothing.
  Tensor weights = mask && !is_causal ? gb::_safe_softmax(scores, -1) : gb::softmax(scores, -1);
  if (dropout_p > 0) weights = gb::dropout(weights, dropout_p, /*train=*/true);
  return gb::matmul(weights, value);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("scaled_dot_product_attention", GB_FN(attention_from_parts));
}

}  // namespace gb
