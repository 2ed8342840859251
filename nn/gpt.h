// MiniGPT: the grammar model, a GPT-2 in small. Token and position vectors, then blocks, then the logits of the next word.
//
//   ids [B, T] --wte + wpe--> x [B, T, C];   per block:  x += attn(ln_1(x));  x += mlp(ln_2(x));   ln_f(x) wte^T -> [B, T, V]
//
// Layer norms stand before what they feed (pre-LayerNorm). The head has no weight of its own: it is wte.weight, so the
// parameter has one name, and one gradient with two contributions. Names of modules and parameters are GPT-2's.
#pragma once

#include <optional>

#include "core/generator.h"
#include "nn/containers/module_list.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/options.h"

namespace gb::nn {

struct MiniGPTOptions {
  explicit MiniGPTOptions(int64_t vocabulary) : vocabulary_(vocabulary) {}
  GB_ARG(int64_t, vocabulary);    // V
  GB_ARG(int64_t, d_model) = 64;  // C
  GB_ARG(int64_t, heads) = 4;     // H, a divisor of C
  GB_ARG(int64_t, layers) = 2;
  GB_ARG(int64_t, d_ff) = 256;
  GB_ARG(int64_t, context) = 32;  // the largest T
  GB_ARG(double, dropout) = 0;
  GB_ARG(bool, checkpoint) = false;  // backward runs each block again instead of keeping its inner values
};

// [B, T, C] -> [B, T, d_ff] -> [B, T, C]
class MLPImpl : public Cloneable<MLPImpl> {
 public:
  explicit MLPImpl(MiniGPTOptions options_) : options(options_) { reset(); }
  Tensor forward(const Tensor& x) const;
  void reset() override;

  MiniGPTOptions options;
  Linear c_fc = nullptr, c_proj = nullptr;
  Dropout dropout = nullptr;
};
GB_MODULE(MLP);

// Each position mixes what earlier positions and itself offer, in H heads of C / H numbers.
class CausalSelfAttentionImpl : public Cloneable<CausalSelfAttentionImpl> {
 public:
  explicit CausalSelfAttentionImpl(MiniGPTOptions options);  // throws ValueError where H does not divide C
  Tensor forward(const Tensor& x) const;
  void reset() override;

  MiniGPTOptions options;
  Linear c_attn = nullptr, c_proj = nullptr;  // [C, 3 C]: query, key and value; [C, C]
  Dropout dropout = nullptr;
};
GB_MODULE(CausalSelfAttention);

class BlockImpl : public Cloneable<BlockImpl> {
 public:
  explicit BlockImpl(MiniGPTOptions options_) : options(options_) { reset(); }
  Tensor forward(const Tensor& x) const;
  void reset() override;

  MiniGPTOptions options;
  LayerNorm ln_1 = nullptr, ln_2 = nullptr;
  CausalSelfAttention attn = nullptr;
  MLP mlp = nullptr;
};
GB_MODULE(Block);

class MiniGPTImpl : public Cloneable<MiniGPTImpl> {
 public:
  explicit MiniGPTImpl(MiniGPTOptions options_) : options(options_) { reset(); }

  Tensor forward(const Tensor& ids) const;  // [B, T] int64 -> [B, T, V]; throws ValueError for a T above the context
  // Mean over the positions whose target is not -100. targets [B, T].
  Tensor loss(const Tensor& ids, const Tensor& targets) const;
  // GPT-2's rule: weights normal with deviation 0.02, those that end a branch 0.02 / sqrt(2 layers); biases 0.
  void reset_parameters(std::optional<Generator> generator = std::nullopt);
  void reset() override;

  MiniGPTOptions options;
  Embedding wte = nullptr, wpe = nullptr;  // [V, C] and [context, C]
  Dropout drop = nullptr;
  ModuleList h = nullptr;  // the blocks
  LayerNorm ln_f = nullptr;
};
GB_MODULE(MiniGPT);

}  // namespace gb::nn
