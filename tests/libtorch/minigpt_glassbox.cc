// The grammar MiniGPT of nn/gpt.h, behind the same interface.
#include "nn/gpt.h"
#include "nn/grammar/batches.h"
#include "nn/grammar/tokenizer.h"
#include "nn/optim/adamw.h"
#include "nn/utils/clip_grad.h"
#include "ops/ops.h"
#include "tests/libtorch/minigpt_trainer.h"

namespace gb::tests::libtorch {
namespace {

std::vector<double> numbers_of(const Tensor& t) {
  const Tensor flat = t.detach().to(kDouble).contiguous();
  const double* data = flat.const_data_ptr<double>();
  return {data, data + flat.numel()};
}

nn::MiniGPT make_model(MiniGptSetup& setup) {
  nn::MiniGPT model(
      nn::MiniGPTOptions(nn::grammar::Tokenizer::instance().size()).heads(setup.heads).layers(setup.layers));
  model->reset_parameters(Generator(1));
  model->to(setup.single_precision ? kFloat : kDouble);
  setup.weights.clear();
  for (const auto& item : model->named_parameters()) {
    setup.weights.push_back({item.key(), item->sizes().vec(), numbers_of(*item)});
  }
  return model;
}

class GlassboxTrainer final : public MiniGptTrainer {
 public:
  explicit GlassboxTrainer(MiniGptSetup& setup)
      : model_(make_model(setup)),
        parameters_(model_->parameters()),
        optimizer_(parameters_, optim::AdamWOptions(setup.lr).weight_decay(setup.weight_decay)),
        max_norm_(setup.max_norm) {}

  double forward(const MiniGptBatch& batch) override {
    const auto matrix = [&](const std::vector<int64_t>& numbers) {
      return tensor(numbers).view({batch.rows, batch.length});
    };
    loss_ = model_->loss(matrix(batch.ids), matrix(batch.targets));
    return loss_.item<double>();
  }
  void backward() override {
    loss_.backward();
    loss_.reset();
  }
  void update() override {
    nn::utils::clip_grad_norm_(parameters_, max_norm_);
    optimizer_.step();
    optimizer_.zero_grad();
  }

 private:
  nn::MiniGPT model_;
  std::vector<Tensor> parameters_;
  optim::AdamW optimizer_;
  double max_norm_;
  Tensor loss_;
};

std::vector<int64_t> integers(const Tensor& t) {
  const int64_t* data = t.const_data_ptr<int64_t>();
  return {data, data + t.numel()};
}

}  // namespace

std::unique_ptr<MiniGptTrainer> make_glassbox_trainer(MiniGptSetup& setup) {
  return std::make_unique<GlassboxTrainer>(setup);
}

MiniGptBatch grammar_batch(int64_t step) {
  static const nn::grammar::Batches batches(nn::grammar::split_corpus().train, 32, 32, /*seed=*/1);
  const nn::grammar::Batch batch = batches.at(step);
  return {32, 32, integers(batch.input), integers(batch.target)};
}

}  // namespace gb::tests::libtorch
