#include "nn/module.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/embedding.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "ops/common/empty.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;

namespace {

struct TwoLayersImpl : nn::Module {
  TwoLayersImpl() : Module("TwoLayers") {
    first = register_module("first", nn::Linear(3, 4));
    second = register_module("second", nn::Linear(nn::LinearOptions(4, 2).bias(false)));
    scale = register_parameter("scale", empty_cpu({1}, kFloat));
    nn::init::ones_(scale);
  }
  Tensor forward(const Tensor& x) { return second(first(x)) * scale; }
  using Module::register_parameter;
  template <class M>
  void add(std::string name, M module) { register_module(std::move(name), std::move(module)); }

  nn::Linear first = nullptr, second = nullptr;
  Tensor scale;
};
GB_MODULE(TwoLayers);

}  // namespace

TEST_CASE("parameters come with dotted names, a module's own first, undefined ones left out") {
  TwoLayers model;
  CHECK(model->named_parameters().keys() ==
        std::vector<std::string>{"scale", "first.weight", "first.bias", "second.weight"});
  CHECK(model->named_parameters(/*recurse=*/false).keys() == std::vector<std::string>{"scale"});
  CHECK(model->parameters().size() == 4);
  CHECK(model->named_children().keys() == std::vector<std::string>{"first", "second"});
  CHECK(model->named_parameters()["first.weight"].is_same(model->first->weight));
  for (const Tensor& p : model->parameters()) {
    CHECK(p.requires_grad());
    CHECK(p.is_leaf());
  }
}

TEST_CASE("bad names are refused, and nothing is registered") {
  TwoLayers model;
  const Tensor t = empty_cpu({2}, kFloat);
  CHECK(contains(message_of([&] { model->register_parameter("a.b", t); }), "Parameter name must not contain a dot (got 'a.b')"));
  CHECK(contains(message_of([&] { model->register_parameter("", t); }), "Parameter name must not be empty"));
  CHECK(contains(message_of([&] { model->register_parameter("scale", t); }), "Parameter 'scale' already defined"));
  CHECK(contains(message_of([&] { model->register_parameter("first", t); }), "Parameter 'first' already defined"));
  CHECK(contains(message_of([&] { model->add("scale", nn::Linear(1, 1)); }), "Submodule 'scale' already defined"));
  CHECK(contains(message_of([&] { model->add("third", nn::Linear(nullptr)); }), "Submodule 'third' is empty"));
  CHECK(contains(message_of([&] { model->register_parameter("whole", empty_cpu({2}, kLong)); }), "require"));
  CHECK(model->parameters().size() == 4);
  CHECK(!t.requires_grad());
  CHECK(contains(message_of([&] { model->named_parameters()["third.weight"]; }), "key 'third.weight' is not defined"));
}

TEST_CASE("train and eval reach the submodules") {
  TwoLayers model;
  CHECK(model->first->is_training());
  model->eval();
  CHECK(!model->is_training());
  CHECK(!model->first->is_training());
  model->train();
  CHECK(model->second->is_training());
}

TEST_CASE("Linear computes x W^T + b; zero_grad takes the gradients away") {
  nn::Linear fc(2, 3);
  {
    NoGradGuard unrecorded;
    float* w = fc->weight.mutable_data_ptr<float>();
    for (int i = 0; i < 6; ++i) w[i] = static_cast<float>(i + 1);  // {{1, 2}, {3, 4}, {5, 6}}
    nn::init::constant_(fc->bias, 10);
  }
  const Tensor x = empty_cpu({1, 2}, kFloat);
  x.mutable_data_ptr<float>()[0] = 1;
  x.mutable_data_ptr<float>()[1] = -1;
  const Tensor y = fc(x);
  CHECK(y.sizes().vec() == std::vector<int64_t>{1, 3});
  for (int i = 0; i < 3; ++i) CHECK(y.const_data_ptr<float>()[i] == 9);

  y.sum().backward();
  CHECK(fc->weight.grad().const_data_ptr<float>()[3] == -1);
  fc->zero_grad(/*set_to_none=*/false);
  CHECK(fc->weight.grad().const_data_ptr<float>()[3] == 0);
  fc->zero_grad();
  CHECK(!fc->weight.grad().defined());
  CHECK(contains(message_of([] { nn::Linear(-1, 2); }), "nn::Linear(-1, 2): sizes must not be negative"));
}

TEST_CASE("Embedding looks rows up") {
  nn::Embedding table(5, 3);
  const Tensor ids = empty_cpu({2}, kLong);
  ids.mutable_data_ptr<int64_t>()[0] = 4;
  ids.mutable_data_ptr<int64_t>()[1] = 0;
  NoGradGuard unrecorded;
  const Tensor rows = table(ids);
  CHECK(rows.sizes().vec() == std::vector<int64_t>{2, 3});
  for (int i = 0; i < 3; ++i) CHECK(rows.const_data_ptr<float>()[i] == table->weight.const_data_ptr<float>()[12 + i]);
}

TEST_CASE("Embedding: the padding row is zero and gets no gradient; a row chosen twice can count once") {
  nn::Embedding table(nn::EmbeddingOptions(3, 2).padding_idx(-1).scale_grad_by_freq(true));
  CHECK(*table->options.padding_idx() == 2);
  const Tensor ids = empty_cpu({3}, kLong);
  for (int i = 0; i < 3; ++i) ids.mutable_data_ptr<int64_t>()[i] = i == 2 ? 2 : 1;
  const Tensor rows = table(ids);
  CHECK(rows.const_data_ptr<float>()[4] == 0);
  CHECK(rows.const_data_ptr<float>()[5] == 0);
  rows.sum().backward();
  tests::check_values(table->weight.grad(), {0, 0, 1, 1, 0, 0});
  CHECK(contains(message_of([] { nn::Embedding(nn::EmbeddingOptions(3, 2).padding_idx(3)); }),
                 "Padding_idx must be within num_embeddings"));
}

TEST_CASE("initial weights: the same numbers whatever the dtype, and bad requests refused") {
  const Tensor wide = nn::init::normal_(empty_cpu({4, 5}, kDouble), 1, 0.5, Generator(3));
  const Tensor narrow = nn::init::normal_(empty_cpu({4, 5}, kFloat), 1, 0.5, Generator(3));
  for (int i = 0; i < 20; ++i) {
    CHECK(static_cast<float>(wide.const_data_ptr<double>()[i]) == narrow.const_data_ptr<float>()[i]);
  }
  const Tensor w = empty_cpu({100}, kFloat);
  w.set_requires_grad(true);
  nn::init::uniform_(w, -0.25, 0.25);  // unrecorded, although w is a leaf that requires grad
  CHECK(w.is_leaf());
  for (int i = 0; i < 100; ++i) CHECK(std::abs(w.const_data_ptr<float>()[i]) <= 0.25f);
  CHECK(contains(message_of([] { nn::init::normal_(empty_cpu({2}, kLong)); }), "normal_: not implemented for"));
  CHECK(contains(message_of([&] { nn::init::normal_(w, 0, -1); }), "normal expects std >= 0.0, but found std -1"));
  CHECK(contains(message_of([&] { nn::init::uniform_(w, 2, 1); }), "found from=2 > to=1"));
}
