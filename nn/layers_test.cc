// Layers without a story of their own: activations, LayerNorm, Dropout, losses, and their functional forms.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/activation.h"
#include "nn/containers/sequential.h"
#include "nn/dropout.h"
#include "nn/functional.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"
#include "nn/loss.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
namespace F = gb::nn::functional;
using gb::tests::check_values;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::noise;
using gb::tests::values;

namespace {

std::string printed(const nn::Module& module) {
  std::ostringstream text;
  text << module;
  return text.str();
}

}  // namespace

TEST_CASE("activations") {
  const Tensor x = tensor({{-1.0, 0.0, 2.0}}, kDouble);
  check_values(nn::ReLU()(x), {0, 0, 2});
  check_values(nn::Tanh()(x), {std::tanh(-1.0), 0, std::tanh(2.0)}, 1e-15);
  check_values(nn::Sigmoid()(x), {1 / (1 + std::exp(1.0)), 0.5, 1 / (1 + std::exp(-2.0))}, 1e-15);
  const auto gelu = [](double v) { return 0.5 * v * (1 + std::erf(v / std::sqrt(2.0))); };
  check_values(nn::GELU()(x), {gelu(-1), 0, gelu(2)}, 1e-15);
  const double c = std::sqrt(2 / 3.14159265358979323846) * (2 + 0.044715 * 8);
  CHECK(std::abs(values(nn::GELU(nn::GELUOptions().approximate("tanh"))(x))[2] - (1 + std::tanh(c))) < 1e-14);
  const double total = std::exp(-1.0) + 1 + std::exp(2.0);
  check_values(nn::Softmax(1)(x), {std::exp(-1.0) / total, 1 / total, std::exp(2.0) / total}, 1e-15);
  check_values(nn::LogSoftmax(-1)(x), {-1 - std::log(total), -std::log(total), 2 - std::log(total)}, 1e-14);
  CHECK(values(F::relu(x)) == values(nn::ReLU()(x)));
  CHECK(values(F::gelu(x)) == values(nn::GELU()(x)));
  CHECK((F::softmax(x, F::SoftmaxFuncOptions(1).dtype(kFloat)).scalar_type() == kFloat));
  nn::Sequential model(nn::Linear(3, 2), nn::GELU(), nn::LogSoftmax(1));
  CHECK(contains(printed(*model), "(1): gb::nn::GELU(approximate=none)"));
  CHECK(contains(printed(*model), "(2): gb::nn::LogSoftmax(dim=1)"));
}

TEST_CASE("LayerNorm: rows of mean 0 and variance 1, then weight and bias") {
  nn::LayerNorm norm(nn::LayerNormOptions({2}).eps(0));
  CHECK(norm->named_parameters().keys() == std::vector<std::string>{"weight", "bias"});
  const Tensor x = tensor({{1.0, 3.0}, {-2.0, 4.0}}, kFloat);
  check_values(norm(x), {-1, 1, -1, 1}, 1e-6);
  {
    NoGradGuard unrecorded;
    norm->weight.fill_(3);
    norm->bias.fill_(0.5);
  }
  check_values(norm(x), {-2.5, 3.5, -2.5, 3.5}, 1e-6);
  nn::LayerNorm plain(nn::LayerNormOptions({2}).elementwise_affine(false));
  CHECK(plain->parameters().empty());
  CHECK(contains(printed(*plain), "gb::nn::LayerNorm([2], eps=1e-05, elementwise_affine=false)"));
  CHECK(std::abs(values(plain(x))[1] - 1) < 1e-4);
  CHECK(contains(message_of([&] { norm(ones({2, 3})); }), "normalized_shape"));
}

TEST_CASE("Dropout: zeros and scaled values in training, the input itself in evaluation") {
  manual_seed(1);
  nn::Dropout dropout(0.25);
  const Tensor x = ones({1000});
  int zeros = 0;
  for (double v : values(dropout(x))) {
    CHECK((v == 0 || std::abs(v - 1 / 0.75) < 1e-6));
    zeros += v == 0;
  }
  CHECK(zeros > 190);
  CHECK(zeros < 310);
  dropout->eval();
  CHECK(values(dropout(x)) == values(x));
  CHECK(values(F::dropout(x)) == values(x));
  CHECK(contains(message_of([] { nn::Dropout(1.5); }), "dropout probability has to be between 0 and 1, but got 1.5"));
  CHECK(printed(*dropout) == "gb::nn::Dropout(p=0.25)");
}

TEST_CASE("losses: values by hand, reductions, ignored rows, weights") {
  const Tensor logits = tensor({{1.0, 2.0, 0.0}, {0.0, 0.0, 0.0}, {5.0, 1.0, 1.0}}, kDouble);
  const Tensor target = tensor({1, 2, -100});
  const double first = std::log(std::exp(1.0) + std::exp(2.0) + 1) - 2, second = std::log(3.0);
  CHECK(std::abs(nn::CrossEntropyLoss()(logits, target).item<double>() - (first + second) / 2) < 1e-14);
  using Options = nn::CrossEntropyLossOptions;
  CHECK(std::abs(nn::CrossEntropyLoss(Options().reduction(kSum))(logits, target).item<double>() - (first + second)) < 1e-14);
  check_values(F::cross_entropy(logits, target, Options().reduction(kNone)), {first, second, 0}, 1e-14);
  const Tensor weight = tensor({1.0, 2.0, 3.0}, kDouble);
  nn::CrossEntropyLoss weighted(Options().weight(weight));
  CHECK(std::abs(weighted(logits, target).item<double>() - (2 * first + 3 * second) / 5) < 1e-14);
  CHECK(weighted->named_buffers().keys() == std::vector<std::string>{"weight"});
  const Tensor logs = F::log_softmax(logits, F::LogSoftmaxFuncOptions(1));
  CHECK(std::abs(nn::NLLLoss()(logs, target).item<double>() - (first + second) / 2) < 1e-14);

  const Tensor a = tensor({1.0, 2.0}, kDouble), b = tensor({0.0, 4.0}, kDouble);
  CHECK(nn::MSELoss()(a, b).item<double>() == 2.5);
  CHECK(F::mse_loss(a, b, kSum).item<double>() == 5);
  check_values(F::mse_loss(a, b, kNone), {1, 4});
}

TEST_CASE("functional forms of the layers") {
  nn::Linear fc(3, 2);
  const Tensor x = noise({4, 3}, 1, kFloat);
  CHECK(values(F::linear(x, fc->weight, fc->bias)) == values(fc(x)));
  nn::LayerNorm norm(std::vector<int64_t>{3});
  CHECK(values(F::layer_norm(x, F::LayerNormFuncOptions({3}))) == values(norm(x)));
  const Tensor table = noise({5, 2}), ids = tensor({4, 0});
  CHECK(values(F::embedding(ids, table)) == values(gb::embedding(table, ids)));
}
