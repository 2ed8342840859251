#include "nn/gpt.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "nn/checkpoint.h"
#include "nn/functional.h"
#include "nn/init.h"
#include "ops/ops.h"

namespace gb::nn {
namespace {

constexpr double kGptStd = 0.02;

}  // namespace

void MLPImpl::reset() {
  c_fc = register_module("c_fc", Linear(options.d_model(), options.d_ff()));
  c_proj = register_module("c_proj", Linear(options.d_ff(), options.d_model()));
  dropout = register_module("dropout", Dropout(options.dropout()));
}

Tensor MLPImpl::forward(const Tensor& x) const { return dropout(c_proj(functional::gelu(c_fc(x)))); }

CausalSelfAttentionImpl::CausalSelfAttentionImpl(MiniGPTOptions o) : options(o) {
  GB_CHECK_OR_THROW(o.heads() > 0 && o.d_model() % o.heads() == 0, ValueError,
                    .what = "CausalSelfAttention: the number of heads must divide d_model",
                    .cause = fmt::format("d_model is {}, and there are {} heads", o.d_model(), o.heads()),
                    .repair = "choose a divisor", .chapter = chapters::kGrammar);
  reset();
}

void CausalSelfAttentionImpl::reset() {
  c_attn = register_module("c_attn", Linear(options.d_model(), 3 * options.d_model()));
  c_proj = register_module("c_proj", Linear(options.d_model(), options.d_model()));
  dropout = register_module("dropout", Dropout(options.dropout()));
}

Tensor CausalSelfAttentionImpl::forward(const Tensor& x) const {
  const int64_t batch = x.size(0), length = x.size(1), width = x.size(2), heads = options.heads();
  const auto by_head = [&](const Tensor& t) {  // [B, T, C] -> [B, H, T, C / H]
    return t.view({batch, length, heads, width / heads}).transpose(1, 2);
  };
  const std::vector<Tensor> qkv = c_attn(x).split(width, 2);
  const Tensor mixed = scaled_dot_product_attention(by_head(qkv[0]), by_head(qkv[1]), by_head(qkv[2]), /*attn_mask=*/{},
                                                    is_training() ? options.dropout() : 0.0, /*is_causal=*/true);
  return dropout(c_proj(mixed.transpose(1, 2).reshape({batch, length, width})));
}

void BlockImpl::reset() {
  ln_1 = register_module("ln_1", LayerNorm(std::vector{options.d_model()}));
  attn = register_module("attn", CausalSelfAttention(options));
  ln_2 = register_module("ln_2", LayerNorm(std::vector{options.d_model()}));
  mlp = register_module("mlp", MLP(options));
}

Tensor BlockImpl::forward(const Tensor& x) const {
  const Tensor y = x + attn(ln_1(x));
  return y + mlp(ln_2(y));
}

void MiniGPTImpl::reset() {
  wte = register_module("wte", Embedding(options.vocabulary(), options.d_model()));
  wpe = register_module("wpe", Embedding(options.context(), options.d_model()));
  drop = register_module("drop", Dropout(options.dropout()));
  h = register_module("h", ModuleList());
  for (int64_t i = 0; i < options.layers(); ++i) h->push_back(Block(options));
  ln_f = register_module("ln_f", LayerNorm(std::vector{options.d_model()}));
  reset_parameters();
}

void MiniGPTImpl::reset_parameters(std::optional<Generator> generator) {
  const double branch_std = kGptStd / std::sqrt(2.0 * static_cast<double>(options.layers()));
  for (const auto& item : named_parameters()) {
    const std::string& name = item.key();
    if (name.find("ln_") != std::string::npos) continue;  // 1 and 0 already
    if (name.ends_with("bias")) {
      init::zeros_(*item);
    } else {
      init::normal_(*item, 0, name.ends_with("c_proj.weight") ? branch_std : kGptStd, generator);
    }
  }
}

Tensor MiniGPTImpl::forward(const Tensor& ids) const {
  GB_CHECK_OR_THROW(ids.dim() == 2 && ids.size(1) <= options.context(), ValueError,
                    .what = "MiniGPT: expected ids of sizes [B, T] with T within the context",
                    .cause = fmt::format("the sizes are {}, the context is {}", to_string(ids.sizes()), options.context()),
                    .repair = "cut the text, or make a model with more context", .chapter = chapters::kGrammar);
  const Tensor positions = arange(ids.size(1), TensorOptions(kLong).device(ids.device()));
  Tensor x = drop(wte(ids) + wpe(positions));
  for (size_t i = 0; i < h->size(); ++i) {
    const auto forward = [block = h->ptr(i)](const Tensor& y) { return block->as<BlockImpl>()->forward(y); };
    x = options.checkpoint() ? checkpoint(forward, x) : forward(x);
  }
  return functional::linear(ln_f(x), wte->weight);
}

Tensor MiniGPTImpl::loss(const Tensor& ids, const Tensor& targets) const {
  return functional::cross_entropy(forward(ids).view({-1, options.vocabulary()}), targets.reshape({-1}));
}

}  // namespace gb::nn
