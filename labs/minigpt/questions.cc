#include "labs/minigpt/questions.h"

#include <algorithm>
#include <cmath>

#include "core/autograd_state.h"
#include "nn/functional.h"
#include "nn/grammar/batches.h"
#include "nn/grammar/tokenizer.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

// Evaluation: no gradients, no dropout; training is resumed at the end.
class Evaluating {
 public:
  explicit Evaluating(const nn::MiniGPT& model) : model_(model), was_training_(model->is_training()) { model_->eval(); }
  ~Evaluating() { model_->train(was_training_); }

 private:
  NoGradGuard unrecorded_;
  const nn::MiniGPT& model_;
  bool was_training_;
};

// `t` where the model is.
Tensor to_model(const nn::MiniGPT& model, const Tensor& t) { return t.to(TensorOptions(model->wte->weight.device())); }

// The loss of each position, 0 where nothing is asked. [rows, length]
Tensor losses(const nn::MiniGPT& model, const nn::grammar::Batch& batch) {
  const Tensor logits = model->forward(to_model(model, batch.input)), target = to_model(model, batch.target);
  const Tensor flat = nn::functional::cross_entropy(logits.view({-1, logits.size(2)}), target.view({-1}),
                                                    nn::functional::CrossEntropyFuncOptions().reduction(kNone));
  return flat.view(batch.target.sizes());
}

}  // namespace

double perplexity(const nn::MiniGPT& model, const nn::grammar::Sentences& sentences) {
  const Evaluating mode(model);
  const nn::grammar::Batch batch = nn::grammar::make_batch(sentences, model->options.context());
  const double tokens = batch.target.ne(nn::grammar::kNoTarget).sum().item<double>();
  return std::exp(losses(model, batch).sum(kDouble).item<double>() / tokens);
}

Accuracy prefers_right(const nn::MiniGPT& model, const std::vector<nn::grammar::MinimalPair>& pairs) {
  const Evaluating mode(model);
  Accuracy accuracy;
  for (const nn::grammar::MinimalPair& pair : pairs) {
    const nn::grammar::Sentence wrong = nn::grammar::unmarked(*pair.wrong);
    const nn::grammar::Batch batch = nn::grammar::make_batch({pair.right, &wrong}, model->options.context());
    const Tensor lines = losses(model, batch).sum({1}, false, kDouble).cpu();
    accuracy.right += lines.const_data_ptr<double>()[0] < lines.const_data_ptr<double>()[1];
    ++accuracy.pairs;
  }
  return accuracy;
}

std::string complete(const nn::MiniGPT& model, const std::string& beginning) {
  const Evaluating mode(model);
  const nn::grammar::Tokenizer& tokenizer = nn::grammar::Tokenizer::instance();
  std::vector<int64_t> ids = tokenizer.encode(beginning);
  ids.insert(ids.begin(), nn::grammar::kBos);
  while (static_cast<int64_t>(ids.size()) < model->options.context()) {
    const int64_t length = static_cast<int64_t>(ids.size());
    const Tensor logits = model->forward(to_model(model, tensor(ids).view({1, length}))).cpu().contiguous();
    const float* last = logits.const_data_ptr<float>() + (length - 1) * logits.size(2);
    const int64_t next = std::max_element(last, last + logits.size(2)) - last;
    if (next == nn::grammar::kEos) break;
    ids.push_back(next);
  }
  ids.erase(ids.begin());
  return tokenizer.decode(ids);
}

}  // namespace gb::labs
