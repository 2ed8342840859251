// The MiniGPT learns on CUDA what it learns on the CPU: the same numbers up to the rounding of sums, from the same seeds.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "core/device_hooks.h"
#include "labs/minigpt/questions.h"
#include "labs/minigpt/training.h"
#include "nn/grammar/split.h"
#include "ops/ops.h"
#include "tests/skip.h"

using namespace gb;
using labs::Training;
using labs::TrainingOptions;

#define GB_NEEDS_GPU() \
  if (!cuda::is_available()) GB_SKIP("no GPU")

namespace {

#ifdef GB_UNDER_SIMT
constexpr int kSteps = 5, kBatch = 4;
#else
constexpr int kSteps = 50, kBatch = 32;
#endif

TrainingOptions options_on(Device device, double dropout) {
  TrainingOptions options;
  options.batch = kBatch;
  options.dropout = dropout;
  options.device = device;
  return options;
}

}  // namespace

TEST_CASE("the loss curve on CUDA is the CPU's") {
  GB_NEEDS_GPU();
  for (double dropout : {0.0, 0.1}) {
    CAPTURE(dropout);
    Training on_cpu(options_on(Device(kCPU), dropout)), on_gpu(options_on(Device(kCUDA, 0), dropout));
    CHECK(on_gpu.model()->wte->weight.is_cuda());
    for (int i = 0; i < kSteps; ++i) {
      manual_seed(static_cast<uint64_t>(i));  // what dropout draws from: one generator for both
      const double expected = on_cpu.step();
      manual_seed(static_cast<uint64_t>(i));
      const double loss = on_gpu.step();
      CAPTURE(i);
      CHECK(std::abs(loss - expected) <= 1e-3 * expected);
    }
  }
}

// Matrix products in a half type, the loss and layer norms in float32: so every kernel of a step is there for it.
TEST_CASE("a step under autocast: near the float32 one, gradients of the parameters' dtype") {
  GB_NEEDS_GPU();
  Training run(options_on(Device(kCUDA, 0), 0.1));
  const nn::MiniGPT& model = run.model();
  const Tensor ids = arange(24, TensorOptions(kLong).device(kCUDA)).view({2, 12});
  manual_seed(7);  // dropout draws the same for every loss
  const double expected = model->loss(ids, ids).item<double>();
  for (const ScalarType dtype : {kBFloat16, kHalf}) {
    CAPTURE(std::string(toString(dtype)));
    Tensor loss;
    {
      const autocast::AutocastGuard region(kCUDA, dtype);
      CHECK((model->forward(ids).scalar_type() == dtype));
      manual_seed(7);
      loss = model->loss(ids, ids);
    }
    loss.backward();
    CHECK((loss.scalar_type() == kFloat));
    CHECK(std::abs(loss.item<double>() - expected) <= 0.01 * expected);
    for (const Tensor& parameter : model->parameters()) {
      CHECK((parameter.grad().scalar_type() == kFloat));
      CHECK(std::isfinite(parameter.grad().abs().sum().item<double>()));
    }
  }
}

TEST_CASE("a run on CUDA is saved, resumed and asked") {
  GB_NEEDS_GPU();
  const std::string path = std::string(std::getenv("TEST_TMPDIR") ? std::getenv("TEST_TMPDIR") : "/tmp") + "/checkpoint";
  Training run(options_on(Device(kCUDA, 0), 0));
  run.step();
  run.save(path);
  const double next = run.step();
  Training on_gpu = Training::resumed(path, Device(kCUDA, 0)), on_cpu = Training::resumed(path, Device(kCPU));
  CHECK(on_gpu.model()->wte->weight.is_cuda());
  CHECK(on_gpu.step() == doctest::Approx(next).epsilon(1e-6));
  CHECK(on_cpu.step() == doctest::Approx(next).epsilon(1e-3));
  nn::grammar::Sentences some(run.split().held_out.begin(), run.split().held_out.begin() + 4);
  CHECK(labs::perplexity(on_gpu.model(), some) ==
        doctest::Approx(labs::perplexity(on_cpu.model(), some)).epsilon(1e-3));
#ifndef GB_UNDER_SIMT
  CHECK(labs::complete(on_gpu.model(), "i eat").starts_with("i eat"));
  std::vector<nn::grammar::MinimalPair> pairs = nn::grammar::minimal_pairs(run.split());
  pairs.resize(20);
  CHECK(labs::prefers_right(on_gpu.model(), pairs).pairs == 20);
#endif
}
