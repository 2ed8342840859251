#include "nn/gpt.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/optim/adamw.h"
#include "nn/serialize/safetensors.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::values;

namespace {

nn::MiniGPT small(uint64_t seed = 1) {
  nn::MiniGPT model(nn::MiniGPTOptions(20).d_model(8).heads(2).layers(2).d_ff(16).context(6));
  model->reset_parameters(Generator(seed));
  return model;
}

const Tensor& ids() {
  static const Tensor ids = tensor({{3, 7, 1, 0, 5, 2}, {9, 9, 4, 11, 19, 8}});
  return ids;
}

}  // namespace

TEST_CASE("names are GPT-2's, and the head is the token table") {
  const nn::MiniGPT model = small();
  const std::vector<std::string> keys = model->named_parameters().keys();
  CHECK(keys.size() == 2 + 2 * 12 + 2);
  CHECK(keys[0] == "wte.weight");
  CHECK(keys[1] == "wpe.weight");
  CHECK(keys[2] == "h.0.ln_1.weight");
  CHECK(model->named_parameters().contains("h.1.attn.c_attn.bias"));
  CHECK(model->named_parameters().contains("h.1.mlp.c_proj.weight"));
  CHECK(keys.back() == "ln_f.bias");
  int64_t numbers = 0;
  for (const Tensor& p : nn::MiniGPT(nn::MiniGPTOptions(600))->parameters()) numbers += p.numel();
  CHECK(numbers == 140544);  // 600 * 64 + 32 * 64 + 2 * (4 * 64 * 64 + 4 * 64 + 2 * 64 * 256 + 256 + 64 + 4 * 64) + 2 * 64
}

TEST_CASE("GPT-2's weights: deviation 0.02, less at the end of a branch") {
  nn::MiniGPT model(nn::MiniGPTOptions(600));
  model->reset_parameters(Generator(5));
  const auto deviation = [](const Tensor& t) {
    double sum = 0;
    for (double v : values(t)) sum += v * v;
    return std::sqrt(sum / static_cast<double>(t.numel()));
  };
  const auto parameters = model->named_parameters();
  CHECK(std::abs(deviation(parameters["wte.weight"]) - 0.02) < 0.001);
  CHECK(std::abs(deviation(parameters["h.0.mlp.c_fc.weight"]) - 0.02) < 0.001);
  CHECK(std::abs(deviation(parameters["h.0.mlp.c_proj.weight"]) - 0.01) < 0.0005);
  CHECK(deviation(parameters["h.0.mlp.c_fc.bias"]) == 0);
  CHECK(deviation(parameters["ln_f.weight"]) == 1);
  CHECK(values(small(2)->wte->weight) == values(small(2)->wte->weight));
  CHECK(values(small(2)->wte->weight) != values(small(3)->wte->weight));
}

TEST_CASE("a position depends on itself and on earlier ones only") {
  NoGradGuard unrecorded;
  const nn::MiniGPT model = small();
  const Tensor changed = ids().clone();
  changed.mutable_data_ptr<int64_t>()[4] = 13;  // row 0, position 4
  const std::vector<double> before = values(model(ids())), after = values(model(changed));
  CHECK(before.size() == 2 * 6 * 20);
  for (size_t i = 0; i < before.size(); ++i) {
    const bool may_differ = i >= 4 * 20 && i < 6 * 20;
    if (!may_differ) CHECK(before[i] == after[i]);
  }
  CHECK(before[4 * 20] != after[4 * 20]);
  CHECK(before[5 * 20] != after[5 * 20]);
  const std::vector<double> shorter = values(model(tensor({{3, 7, 1}})));
  for (size_t i = 0; i < shorter.size(); ++i) CHECK(std::abs(shorter[i] - before[i]) < 1e-6);
}

TEST_CASE("every parameter gets a gradient; the tied table gets one from both its uses") {
  nn::MiniGPT model = small();
  model->to(kDouble);
  model->loss(ids(), ids()).backward();
  for (const auto& item : model->named_parameters()) {
    CAPTURE(item.key());
    CHECK(item->grad().defined());
  }
  // A word that no input has gets its gradient from the head alone.
  double unused = 0;
  for (int64_t i = 0; i < 8; ++i) unused += std::abs(model->wte->weight.grad().const_data_ptr<double>()[15 * 8 + i]);
  CHECK(unused > 0);
  // The whole against a difference, in one direction.
  const Tensor direction = tests::noise({20, 8}, 3);
  const double slope = model->wte->weight.grad().mul(direction).sum().item<double>(), h = 1e-5;
  NoGradGuard unrecorded;
  model->wte->weight.add_(direction, h);
  const double above = model->loss(ids(), ids()).item<double>();
  model->wte->weight.add_(direction, -2 * h);
  const double below = model->loss(ids(), ids()).item<double>();
  CHECK(std::abs((above - below) / (2 * h) - slope) < 1e-7);
}

TEST_CASE("it learns two lines by heart, and a clone and a file hold what it learned") {
  nn::MiniGPT model = small();
  const Tensor target = tensor({{7, 1, 0, 5, 2, -100}, {9, 4, 11, 19, 8, -100}});
  optim::AdamW optimizer(model->parameters(), optim::AdamWOptions(1e-2));
  for (int i = 0; i < 150; ++i) {
    optimizer.zero_grad();
    model->loss(ids(), target).backward();
    optimizer.step();
  }
  const double learned = model->loss(ids(), target).item<double>();
  CHECK(learned < 0.1);

  const auto copy = std::dynamic_pointer_cast<nn::MiniGPTImpl>(model->clone());
  REQUIRE(copy);
  CHECK(copy->loss(ids(), target).item<double>() == learned);
  const std::string path = std::string(std::getenv("TEST_TMPDIR")) + "/gpt.safetensors";
  save(model, path);
  nn::MiniGPT other = small(9);
  load(other, path);
  CHECK(other->loss(ids(), target).item<double>() == learned);
}

TEST_CASE("bad sizes are refused") {
  CHECK(contains(message_of([] { nn::MiniGPT(nn::MiniGPTOptions(20).heads(3)); }), "heads must divide d_model"));
  const nn::MiniGPT model = small();
  CHECK(contains(message_of([&] { model(zeros({1, 7}, kLong)); }), "T within the context"));
  CHECK(contains(message_of([&] { model(zeros({7}, kLong)); }), "T within the context"));
}
