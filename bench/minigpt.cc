// A training step of the grammar MiniGPT, glassbox and LibTorch (eager, with its fused attention) taking turns: the same
// weights, 32 lines of 32 words, float32, one thread. Rows: forward, backward, update (clipping and AdamW), and the step.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "bench/report.h"
#include "core/error.h"
#include "kernels/cpu/capability.h"
#include "tests/libtorch/minigpt_trainer.h"

namespace gb::bench {
namespace {

using tests::libtorch::MiniGptBatch;
using tests::libtorch::MiniGptTrainer;

constexpr const char* kUsage =
    "minigpt: time of a training step of the grammar MiniGPT, glassbox against LibTorch\n"
    "  --json FILE    also write the rows as JSON\n"
    "  --quick        fewer steps\n"
    "  --write        bench/results/minigpt.md and .json (under the workspace or the caller's folder)\n";
constexpr double kGoal = 1.0;

// Milliseconds of each part, the least of all steps; and of whole steps.
struct Times {
  double forward = 1e300, backward = 1e300, update = 1e300, step = 1e300;
};

void run_step(MiniGptTrainer& trainer, const MiniGptBatch& batch, Times& least) {
  using Clock = std::chrono::steady_clock;
  const auto milliseconds = [](Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); };
  const Clock::time_point start = Clock::now();
  trainer.forward(batch);
  const Clock::time_point forward = Clock::now();
  trainer.backward();
  const Clock::time_point backward = Clock::now();
  trainer.update();
  const Clock::time_point end = Clock::now();
  least.forward = std::min(least.forward, milliseconds(forward - start));
  least.backward = std::min(least.backward, milliseconds(backward - forward));
  least.update = std::min(least.update, milliseconds(end - backward));
  least.step = std::min(least.step, milliseconds(end - start));
}

int run(int argc, char** argv) {
  const Flags flags = parse_flags(argc, argv);
  if (flags.help) return std::fputs(kUsage, stdout), 0;
  bool quick = false, write = false;
  for (const std::string& flag : flags.others) {
    GB_CHECK_OR_THROW(flag == "--quick" || flag == "--write", ValueError, .what = fmt::format("minigpt: unknown flag {}", flag),
                      .cause = "it is not one of its flags", .repair = "see --help", .chapter = chapters::kKernels);
    (flag == "--quick" ? quick : write) = true;
  }
  const int warm_up = 5, steps = quick ? 20 : 200;
  const std::string text = heading("minigpt: a training step, glassbox against LibTorch",
                                   {{"compiler", "g++ " __VERSION__},
                                    {"glassbox", fmt::format("kernels for {}", toString(cpu_capability()))},
                                    {"model", "d_model 64, 4 heads, 2 layers, d_ff 256, 600 words; 32 lines of 32; float32"},
                                    {"threads", "1"},
                                    {"ms", fmt::format("least of {} steps, the two taking turns", steps)}});
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  tests::libtorch::MiniGptSetup setup;
  const auto ours = tests::libtorch::make_glassbox_trainer(setup);
  const auto theirs = tests::libtorch::make_libtorch_trainer(setup);
  Times our_times, their_times;
  for (int step = 0; step < warm_up + steps; ++step) {
    if (step == warm_up) our_times = their_times = {};
    const MiniGptBatch batch = tests::libtorch::grammar_batch(step);
    run_step(*ours, batch, our_times);
    run_step(*theirs, batch, their_times);
  }
  const std::vector<Row> rows{{"forward", "ms", our_times.forward, their_times.forward},
                              {"backward", "ms", our_times.backward, their_times.backward},
                              {"update", "ms", our_times.update, their_times.update},
                              {"training step", "ms", our_times.step, their_times.step, kGoal}};
  std::fputs(table(rows).c_str(), stdout);
  if (!flags.json.empty()) write_json(flags.json, rows);
  if (write) write_results("minigpt", fmt::format("```\n{}```\n\n{}", text, markdown(rows, "LibTorch")), rows);
  return 0;
}

}  // namespace
}  // namespace gb::bench

int main(int argc, char** argv) { return gb::bench::run_benchmark(gb::bench::run, argc, argv); }
