// The grammar MiniGPT in LibTorch, from its operators: eager mode, with LibTorch's fused attention.
#include <ATen/Parallel.h>
#include <torch/nn/utils/clip_grad.h>
#include <torch/optim/adamw.h>

#include <map>

#include "tests/libtorch/minigpt_trainer.h"

namespace gb::tests::libtorch {
namespace {

using torch::Tensor;

class Model {
 public:
  explicit Model(const MiniGptSetup& setup) : heads_(setup.heads), layers_(setup.layers) {
    const auto dtype = setup.single_precision ? torch::kFloat32 : torch::kFloat64;
    for (const MiniGptWeight& weight : setup.weights) {
      Tensor leaf = torch::tensor(weight.values, torch::kFloat64).reshape(weight.sizes).to(dtype).requires_grad_();
      parameters.push_back(leaf);
      weights_[weight.name] = leaf;
    }
  }

  Tensor loss(const Tensor& ids, const Tensor& targets) const {
    Tensor x = torch::embedding(at("wte.weight"), ids) + torch::embedding(at("wpe.weight"), torch::arange(ids.size(1)));
    for (int64_t i = 0; i < layers_; ++i) {
      const std::string block = "h." + std::to_string(i) + ".";
      x = x + attention(block + "attn.", norm(block + "ln_1", x));
      x = x + linear(block + "mlp.c_proj", torch::gelu(linear(block + "mlp.c_fc", norm(block + "ln_2", x))));
    }
    const Tensor logits = torch::linear(norm("ln_f", x), at("wte.weight"));
    return torch::cross_entropy_loss(logits.view({-1, logits.size(2)}), targets.reshape({-1}));
  }

  std::vector<Tensor> parameters;

 private:
  const Tensor& at(const std::string& name) const { return weights_.at(name); }
  Tensor linear(const std::string& name, const Tensor& x) const {
    return torch::linear(x, at(name + ".weight"), at(name + ".bias"));
  }
  Tensor norm(const std::string& name, const Tensor& x) const {
    return torch::layer_norm(x, {x.size(-1)}, at(name + ".weight"), at(name + ".bias"));
  }
  Tensor attention(const std::string& name, const Tensor& x) const {
    const int64_t batch = x.size(0), length = x.size(1), width = x.size(2);
    const auto qkv = linear(name + "c_attn", x).split(width, 2);
    const auto by_head = [&](const Tensor& t) {
      return t.view({batch, length, heads_, width / heads_}).transpose(1, 2);
    };
    const Tensor mixed = at::scaled_dot_product_attention(by_head(qkv[0]), by_head(qkv[1]), by_head(qkv[2]), {}, 0.0,
                                                          /*is_causal=*/true);
    return linear(name + "c_proj", mixed.transpose(1, 2).reshape({batch, length, width}));
  }

  int64_t heads_, layers_;
  std::map<std::string, Tensor> weights_;
};

class LibTorchTrainer final : public MiniGptTrainer {
 public:
  explicit LibTorchTrainer(const MiniGptSetup& setup)
      : model_(setup),
        optimizer_(model_.parameters, torch::optim::AdamWOptions(setup.lr).weight_decay(setup.weight_decay)),
        max_norm_(setup.max_norm) {}

  double forward(const MiniGptBatch& batch) override {
    const auto tensor = [&](const std::vector<int64_t>& numbers) {
      return torch::tensor(numbers, torch::kInt64).reshape({batch.rows, batch.length});
    };
    loss_ = model_.loss(tensor(batch.ids), tensor(batch.targets));
    return loss_.item<double>();
  }
  void backward() override {
    loss_.backward();
    loss_.reset();
  }
  void update() override {
    torch::nn::utils::clip_grad_norm_(model_.parameters, max_norm_);
    optimizer_.step();
    optimizer_.zero_grad();
  }

 private:
  Model model_;
  torch::optim::AdamW optimizer_;
  double max_norm_;
  Tensor loss_;
};

}  // namespace

std::unique_ptr<MiniGptTrainer> make_libtorch_trainer(const MiniGptSetup& setup) {
  at::set_num_threads(1);
  return std::make_unique<LibTorchTrainer>(setup);
}

}  // namespace gb::tests::libtorch
