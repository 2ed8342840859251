#include "labs/minigpt/training.h"

#include <fmt/format.h>

#include "core/error.h"
#include "labs/flags.h"
#include "nn/grammar/tokenizer.h"
#include "nn/serialize/safetensors.h"
#include "nn/utils/clip_grad.h"
#include "ops/ops.h"

namespace gb::labs {
namespace {

constexpr const char* kFormat = "glassbox train_minigpt 1";
constexpr double kMaxNorm = 1;

nn::MiniGPTOptions model_options(const TrainingOptions& options) {
  return nn::MiniGPTOptions(nn::grammar::Tokenizer::instance().size()).dropout(options.dropout);
}

// The tensors of `all` whose names begin with `prefix`, without it.
nn::TensorDict part(const nn::TensorDict& all, const std::string& prefix) {
  nn::TensorDict found;
  for (const auto& item : all) {
    if (item.key().starts_with(prefix)) found.insert(item.key().substr(prefix.size()), *item);
  }
  return found;
}

void add_part(nn::TensorDict& all, const std::string& prefix, const nn::TensorDict& tensors) {
  for (const auto& item : tensors) all.insert(prefix + item.key(), *item);
}

}  // namespace

Training::Training(const TrainingOptions& options)
    : options_(options),
      split_(nn::grammar::split_corpus()),
      batches_(split_.train, options.batch, model_options(options).context(), options.seed),
      model_(model_options(options)) {
  manual_seed(options.seed);  // what dropout draws from
  model_->reset_parameters(Generator(options.seed));
  model_->to(options.device);  // before the optimizer: its state lies where the parameters do
  optimizer_ = std::make_unique<optim::AdamW>(model_->parameters(), optim::AdamWOptions(options.lr));
}

double Training::step() {
  const nn::grammar::Batch batch = batches_.at(steps_done());
  tokens_ = batch.target.ne(nn::grammar::kNoTarget).sum().item<int64_t>();
  optimizer_->zero_grad();
  const Tensor loss = model_->loss(batch.input.to(TensorOptions(options_.device)), batch.target.to(TensorOptions(options_.device)));
  loss.backward();
  nn::utils::clip_grad_norm_(model_->parameters(), kMaxNorm);
  optimizer_->step();
  losses_.push_back(loss.item<double>());
  return losses_.back();
}

void Training::save(const std::string& checkpoint) const {
  nn::TensorDict all;
  add_part(all, "model.", nn::state_dict(*model_));
  add_part(all, "optimizer.", optimizer_->state_dict());
  all.insert("generator.state", default_generator().get_state());
  all.insert("losses", tensor(losses_, kDouble));
  nn::save_file(all, checkpoint,
                {{"format", kFormat},
                 {"batch", std::to_string(options_.batch)},
                 {"seed", std::to_string(options_.seed)},
                 {"lr", fmt::format("{}", options_.lr)},
                 {"dropout", fmt::format("{}", options_.dropout)}});
}

Training Training::resumed(const std::string& checkpoint, Device device) {
  const nn::TensorFile file = nn::load_file(checkpoint);
  const std::string* format = file.metadata.find("format");
  const Tensor *losses = file.tensors.find("losses"), *generator = file.tensors.find("generator.state");
  GB_CHECK_OR_THROW(format && *format == kFormat && losses && losses->scalar_type() == kDouble && generator, ValueError,
                    .what = fmt::format("{} is not a checkpoint of train_minigpt", checkpoint),
                    .cause = fmt::format("its format is '{}', not '{}'", format ? *format : "(none)", kFormat),
                    .repair = "name a checkpoint.safetensors that train_minigpt wrote", .chapter = chapters::kGrammar);
  TrainingOptions options;
  options.device = device;
  options.batch = static_cast<int64_t>(parse_number("batch", file.metadata["batch"]));
  options.seed = parse_number("seed", file.metadata["seed"]);
  options.lr = parse_fraction("lr", file.metadata["lr"]);
  options.dropout = parse_fraction("dropout", file.metadata["dropout"]);
  Training run(options);
  nn::copy_into(part(file.tensors, "model."), nn::state_dict(*run.model_));
  run.optimizer_->load_state_dict(part(file.tensors, "optimizer."));
  default_generator().set_state(*generator);
  const double* numbers = losses->const_data_ptr<double>();
  run.losses_.assign(numbers, numbers + losses->numel());
  return run;
}

}  // namespace gb::labs
