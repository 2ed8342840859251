// train_minigpt: trains, shows how it goes, asks the model a few questions, and leaves a checkpoint.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "labs/minigpt/curve.h"
#include "labs/minigpt/questions.h"
#include "labs/minigpt/training.h"
#include "nn/serialize/atomic_file.h"

namespace {

using namespace gb;
using Clock = std::chrono::steady_clock;

constexpr int64_t kPrintEvery = 10, kSaveEvery = 100;

// A relative path is one from where `bazel run` was typed.
std::string absolute(const std::string& path) {
  const char* caller = std::getenv("BUILD_WORKING_DIRECTORY");
  return caller ? (std::filesystem::path(caller) / path).string() : path;
}

void train(labs::Training& run, int64_t steps, const std::string& checkpoint) {
  const Clock::time_point start = Clock::now();
  const int64_t first = run.steps_done();
  int64_t tokens = 0;
  while (run.steps_done() < steps) {
    const double loss = run.step();
    tokens += run.tokens_in_last_step();
    const int64_t done = run.steps_done();
    if (done % kPrintEvery == 0 || done == steps) {
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      const double left = seconds / static_cast<double>(done - first) * static_cast<double>(steps - done);
      fmt::print("step {:5}  loss {:7.4f}  {:7.0f} tokens/s  {:4.0f} s left\n", done, loss,
                 static_cast<double>(tokens) / seconds, left);
      std::fflush(stdout);
    }
    if (done % kSaveEvery == 0 || done == steps) run.save(checkpoint);
  }
}

void ask(const labs::Training& run) {
  const std::vector<nn::grammar::MinimalPair> pairs = nn::grammar::minimal_pairs(run.split());
  std::vector<nn::grammar::MinimalPair> unseen;
  for (const auto& pair : pairs) {
    if (pair.held_out) unseen.push_back(pair);
  }
  fmt::print("\nheld-out perplexity: {:.2f} ({} sentences; {:.2f} on those trained on)\n",
             labs::perplexity(run.model(), run.split().held_out), run.split().held_out.size(),
             labs::perplexity(run.model(), run.split().train));
  const labs::Accuracy all = labs::prefers_right(run.model(), pairs), held_out = labs::prefers_right(run.model(), unseen);
  fmt::print("right conjugation preferred to the marked wrong one: {} of {} ({:.1f}%); held out: {} of {} ({:.1f}%)\n\n",
             all.right, all.pairs, 100 * all.share(), held_out.right, held_out.pairs, 100 * held_out.share());
  for (const char* beginning : {"i eat", "she has", "you would"}) {
    fmt::print("  {} ...\n    {}\n", beginning, labs::complete(run.model(), beginning));
  }
}

void run(const labs::TrainingOptions& options) {
  const std::string folder = absolute(options.out), checkpoint = folder + "/checkpoint.safetensors";
  std::filesystem::create_directories(folder);
  labs::Training training =
      options.resume.empty() ? labs::Training(options) : labs::Training::resumed(absolute(options.resume), options.device);
  int64_t parameters = 0;
  for (const Tensor& p : training.model()->parameters()) parameters += p.numel();
  fmt::print("MiniGPT: {} parameters; {} sentences to learn, {} held out; from step {}\n", parameters,
             training.split().train.size(), training.split().held_out.size(), training.steps_done());
  train(training, options.steps, checkpoint);
  fmt::print("\n{}", labs::ascii_curve(training.losses()));
  ask(training);
  nn::write_file_atomically(folder + "/loss.svg", {labs::svg_curve(training.losses())});
  fmt::print("\nwritten: {0}/checkpoint.safetensors, {0}/loss.svg\n", folder);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const labs::TrainingOptions options = labs::parse_training_options({argv + 1, argv + argc});
    if (options.help) {
      fmt::print("{}", labs::training_usage());
      return 0;
    }
    run(options);
    return 0;
  } catch (const std::exception& e) {
    std::fflush(stdout);
    const auto* error = dynamic_cast<const gb::Error*>(&e);
    fmt::print(stderr, "train_minigpt: {}\n", error ? error->what_without_backtrace() : e.what());
    return 2;
  }
}
