#include "nn/grammar/model.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/autograd_state.h"
#include "core/error.h"

using namespace gb;
using namespace gb::nn::grammar;

namespace {
const double* data(const Tensor& t) { return t.const_data_ptr<double>(); }
}  // namespace

TEST_CASE("the head: shapes, leaves, and GPT's initial weights") {
  const LmHead head = make_lm_head(0, kDouble);
  CHECK(head.embedding.sizes().vec() == std::vector<int64_t>{600, 64});
  CHECK(head.weight.sizes().vec() == std::vector<int64_t>{600, 64});
  CHECK(head.bias.sizes().vec() == std::vector<int64_t>{600});
  CHECK(!head.embedding.requires_grad());
  CHECK(head.weight.requires_grad());
  CHECK(head.weight.is_leaf());
  CHECK(head.bias.requires_grad());
  for (const Tensor& w : {head.embedding, head.weight}) {
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < w.numel(); ++i) {
      sum += data(w)[i];
      squares += data(w)[i] * data(w)[i];
    }
    const double n = static_cast<double>(w.numel());
    CHECK(std::abs(sum / n) < 5 * 0.02 / std::sqrt(n));
    CHECK(std::sqrt(squares / n) == doctest::Approx(0.02).epsilon(5 / std::sqrt(2 * n)));
  }
  CHECK(data(head.embedding)[0] != data(head.weight)[0]);
  for (int64_t i = 0; i < 600; ++i) CHECK(data(head.bias)[i] == 0);
}

TEST_CASE("a seed names one model; float32 is the rounded float64 one") {
  const LmHead a = make_lm_head(5, kDouble), b = make_lm_head(5, kFloat), c = make_lm_head(6, kDouble);
  bool differs = false;
  for (int64_t i = 0; i < a.weight.numel(); ++i) {
    REQUIRE(static_cast<float>(data(a.weight)[i]) == b.weight.const_data_ptr<float>()[i]);
    differs |= data(a.weight)[i] != data(c.weight)[i];
  }
  CHECK(differs);
  CHECK_THROWS_AS(make_lm_head(0, kLong), NotImplementedError);
}

TEST_CASE("an example: x holds the rows of the tokens, as a leaf of its own") {
  const LmHead head = make_lm_head(0, kDouble);
  const Example example = make_example("i eat", head);
  REQUIRE(example.ids.size() == 2);
  CHECK(example.next_ids.size() == 2);
  CHECK(example.next_ids[0] == example.ids[1]);
  CHECK(example.next.sizes().vec() == std::vector<int64_t>{2});
  CHECK((example.next.scalar_type() == kLong));
  CHECK(example.next.const_data_ptr<int64_t>()[1] == example.next_ids[1]);
  CHECK(example.x.sizes().vec() == std::vector<int64_t>{2, 64});
  CHECK(example.x.requires_grad());
  CHECK(example.x.is_leaf());
  CHECK(GradMode::is_enabled());
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t d = 0; d < 64; ++d) {
      CHECK(data(example.x)[row * 64 + d] == data(head.embedding)[example.ids[static_cast<size_t>(row)] * 64 + d]);
    }
  }
}

TEST_CASE("text without tokens and unknown words are errors") {
  const LmHead head = make_lm_head(0);
  CHECK_THROWS_WITH_AS(make_example("  ", head), doctest::Contains("the text has no tokens"), ValueError);
  CHECK_THROWS_AS(make_example("i qwerty", head), ValueError);
}
