#include "labs/minigpt/options.h"

#include <fmt/format.h>

#include "core/error.h"
#include "labs/flags.h"

namespace gb::labs {
namespace {

int64_t parse_count(const std::string& flag, const std::string& value) {
  const uint64_t count = parse_number(flag, value);
  GB_CHECK_OR_THROW(count >= 1 && count <= 1'000'000, ValueError,
                    .what = fmt::format("{}: {} is not between 1 and 1000000", flag, value), .cause = "it counts something",
                    .repair = "see --help", .chapter = chapters::kGrammar);
  return static_cast<int64_t>(count);
}

}  // namespace

TrainingOptions parse_training_options(const std::vector<std::string>& arguments) {
  TrainingOptions options;
  options.help = read_flags(arguments, {"--steps", "--batch", "--seed", "--lr", "--dropout", "--device", "--resume", "--out"},
                            [&](const std::string& flag, const std::string& value) {
                              if (flag == "--steps") options.steps = parse_count(flag, value);
                              if (flag == "--batch") options.batch = parse_count(flag, value);
                              if (flag == "--seed") options.seed = parse_number(flag, value);
                              if (flag == "--lr") options.lr = parse_fraction(flag, value);
                              if (flag == "--dropout") options.dropout = parse_fraction(flag, value);
                              if (flag == "--device") options.device = parse_device(value);
                              if (flag == "--resume") options.resume = value;
                              if (flag == "--out") options.out = value;
                            });
  return options;
}

std::string training_usage() {
  return R"(train_minigpt: the grammar MiniGPT learns the corpus of nn/grammar

  --steps N        in all (default 500)
  --batch N        lines in a step (default 32)
  --seed N         of the weights and of the order of the lines (default 1)
  --lr X           learning rate of AdamW (default 0.003)
  --dropout P      (default 0)
  --device D       cpu or cuda: where the model is (default cpu)
  --resume FILE    go on from a checkpoint: the same bits as without the stop; its own batch, seed, lr and dropout hold
  --out FOLDER     for checkpoint.safetensors and loss.svg (default minigpt)
  --help           this text
)";
}

}  // namespace gb::labs
