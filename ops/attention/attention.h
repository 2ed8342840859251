// scaled_dot_product_attention: each query takes a mean of the values, weighted by how well it meets the keys.
//
//   query [..., L, E], key [..., S, E], value [..., S, V]  ->  softmax(query key^T * scale + mask) value  [..., L, V]
//
// scale is 1 / sqrt(E) unless given; its square root goes to each factor, which keeps products of half types small.
// attn_mask broadcasts to [..., L, S]: bool says what may be looked at, a floating one is added. is_causal: query i looks
// at keys 0 to i. A row that may look at nothing gives 0. Made of other operators, which are recorded one by one.
// LibTorch's CPU has one fused operator with a node of its own for this (a listed difference: same values, another
// tape). Source: _scaled_dot_product_attention_math in ATen/native/transformers/attention.cpp.
#pragma once

#include "core/tensor.h"
#include "ops/common/operator.h"

namespace gb {

// Throws ValueError where both attn_mask and is_causal are given, NotImplementedError for enable_gqa.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    const std::optional<Tensor>& attn_mask = {}, double dropout_p = 0.0,
                                    bool is_causal = false, std::optional<double> scale = std::nullopt,
                                    bool enable_gqa = false);

inline const auto& scaled_dot_product_attention_op() {
  return operator_of<"aten::scaled_dot_product_attention",
                     Tensor(const Tensor&, const Tensor&, const Tensor&, const std::optional<Tensor>&, double, bool,
                            std::optional<double>, bool)>();
}

}  // namespace gb
