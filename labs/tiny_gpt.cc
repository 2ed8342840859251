#include "labs/tiny_gpt.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "autograd/saved_variable.h"
#include "core/error.h"
#include "ops/ops.h"

namespace gb::labs {

TinyGpt::TinyGpt(const TinySizes& sizes) : sizes_(sizes) {
  const auto& [batch, length, width, heads, inner, vocabulary] = sizes_;
  x_ = full({batch, length, width}, 0.1, requires_grad(true));
  names_.emplace_back(x_, "x");
  add("wte", {vocabulary, width});
  add("wpe", {length, width});
  for (const char* norm : {"ln_1", "ln_2", "ln_f"}) {
    add(norm + std::string(".weight"), {width});
    add(norm + std::string(".bias"), {width});
  }
  const auto add_linear = [&](const std::string& name, int64_t in, int64_t out) {
    add(name + ".weight", {out, in});
    add(name + ".bias", {out});
  };
  add_linear("attn.c_attn", width, 3 * width);
  add_linear("attn.c_proj", width, width);
  add_linear("mlp.c_fc", width, inner);
  add_linear("mlp.c_proj", inner, width);
}

void TinyGpt::add(const std::string& name, IntArrayRef sizes) {
  names_.emplace_back(full(sizes, 0.1, requires_grad(true)), name);
}

const Tensor& TinyGpt::parameter(const std::string& name) const {
  for (const auto& [tensor, its_name] : names_) {
    if (its_name == name) return tensor;
  }
  GB_THROW(ValueError, .what = "TinyGpt: there is no parameter " + name, .cause = "it was never added",
           .repair = "add it in the constructor", .chapter = chapters::kGrammar);
}

Tensor TinyGpt::norm(const Tensor& x, const std::string& name) const {
  return layer_norm(x, {sizes_.width}, parameter(name + ".weight"), parameter(name + ".bias"));
}

Tensor TinyGpt::linear_of(const Tensor& x, const std::string& name) const {
  return linear(x, parameter(name + ".weight"), parameter(name + ".bias"));
}

// [anchor: attention]
Tensor TinyGpt::attention(const Tensor& x) const {
  const auto by_head = [&](const Tensor& t) {  // [B, T, C] -> [B, H, T, C / H]
    return t.view({sizes_.batch, sizes_.length, sizes_.heads, sizes_.width / sizes_.heads}).transpose(1, 2);
  };
  const std::vector<Tensor> qkv = linear_of(x, "attn.c_attn").split(sizes_.width, 2);
  const Tensor q = by_head(qkv[0]), k = by_head(qkv[1]), v = by_head(qkv[2]);
  const double scale = 1 / std::sqrt(static_cast<double>(sizes_.width / sizes_.heads));
  const Tensor scores = matmul(q, k.transpose(2, 3)) * scale;  // [B, H, T, T]
  const Tensor later = ones({sizes_.length, sizes_.length}).triu(1).ne(0);
  const Tensor p = softmax(masked_fill(scores, later, -std::numeric_limits<double>::infinity()), -1);
  const Tensor mixed = matmul(p, v).transpose(1, 2).reshape({sizes_.batch, sizes_.length, sizes_.width});
  return linear_of(mixed, "attn.c_proj");
}

Tensor TinyGpt::mlp(const Tensor& x) const { return linear_of(gelu(linear_of(x, "mlp.c_fc")), "mlp.c_proj"); }

// [anchor: block]
Tensor TinyGpt::block(const Tensor& x) const {
  const Tensor y = x + attention(norm(x, "ln_1"));
  return y + mlp(norm(y, "ln_2"));
}

Tensor TinyGpt::loss() const {
  const Tensor words =
      arange(sizes_.batch * (sizes_.length + 1), kLong).view({sizes_.batch, sizes_.length + 1});
  const Tensor ids = words.narrow(1, 0, sizes_.length), next = words.narrow(1, 1, sizes_.length);
  const Tensor x =
      embedding(parameter("wte"), ids) + embedding(parameter("wpe"), arange(sizes_.length, kLong));
  const Tensor logits = linear(norm(block(x), "ln_f"), parameter("wte"));
  return cross_entropy_loss(logits.view({-1, sizes_.vocabulary}), next.reshape({-1}));
}

std::string kept_for_backward(const Tensor& root, const autograd::LeafNames& names) {
  struct Row {
    size_t nodes = 0, tensors = 0, bytes = 0;
  };
  std::map<std::string, Row> rows;
  Row sum;
  std::set<const StorageImpl*> seen;
  for (const auto& [tensor, name] : names) seen.insert(tensor.storage().unsafeGetStorageImpl());
  const std::vector<autograd::Node*> nodes = autograd::nodes_in_order(root.grad_fn().get());
  for (size_t i = nodes.size(); i-- > 0;) {  // the order of forward
    Row& row = rows[nodes[i]->name()];
    ++row.nodes;
    for (const autograd::SavedField& field : nodes[i]->saved()) {
      if (!field.variable || !field.variable->peek().defined()) continue;
      const Storage& storage = field.variable->peek().storage();
      ++row.tensors;
      if (seen.insert(storage.unsafeGetStorageImpl()).second) row.bytes += storage.nbytes();
    }
  }
  std::string text = "node                            nodes  saved tensors  bytes\n";
  const auto add = [&](const std::string& name, const Row& row) {
    text += fmt::format("{:<30} {:>6} {:>14} {:>6}\n", name, row.nodes, row.tensors, row.bytes);
  };
  for (const auto& [name, row] : rows) {
    add(name, row);
    sum = {sum.nodes + row.nodes, sum.tensors + row.tensors, sum.bytes + row.bytes};
  }
  add("together", sum);
  return text;
}

}  // namespace gb::labs
