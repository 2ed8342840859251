#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <tuple>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/containers/functional.h"
#include "nn/containers/module_list.h"
#include "nn/containers/sequential.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;
using gb::tests::values;
using nn::Functional;
using nn::Linear;
using nn::ModuleList;
using nn::Sequential;

namespace {

using Names = std::vector<std::string>;

// Takes two tensors, gives a pair of them.
struct SwapImpl : nn::Module {
  std::pair<Tensor, Tensor> forward(const Tensor& a, Tensor b) const { return {b, a}; }
};
GB_MODULE(Swap);
struct FirstImpl : nn::Module {
  Tensor forward(std::pair<Tensor, Tensor> both) { return both.first; }
};
GB_MODULE(First);

bool same_values(const Tensor& a, const Tensor& b) { return values(a) == values(b); }
Tensor twice(const Tensor& t) { return t.mul(2); }

}  // namespace

TEST_CASE("Sequential hands each output to the next module") {
  Linear fc(3, 4), head(4, 2);
  Sequential model(fc, Functional(twice), head);
  const Tensor x = ones({5, 3});
  NoGradGuard unrecorded;
  CHECK(same_values(model(x), head(fc(x).mul(2))));
  CHECK(model->named_parameters().keys() == Names{"0.weight", "0.bias", "2.weight", "2.bias"});
  CHECK(model->at<nn::LinearImpl>(2).weight.is_same(head->weight));
  CHECK(model->ptr<nn::LinearImpl>(0) == fc.ptr());
  CHECK((*model)[1]->as<Functional>() != nullptr);
  model->push_back("last", Functional([](Tensor t, int64_t dim) { return t.softmax(dim); }, -1));
  CHECK(model->size() == 4);
  CHECK(same_values(model(x), head(fc(x).mul(2)).softmax(-1)));
}

TEST_CASE("Sequential with names, several inputs and values that are not tensors") {
  Sequential named({{"swap", Swap()}, {"first", First()}, {"fc", Linear(2, 3)}});
  CHECK(named->named_children().keys() == Names{"swap", "first", "fc"});
  const Tensor a = ones({1, 2}), b = zeros({1, 2});
  CHECK(same_values(named->forward(a, b), named->at<nn::LinearImpl>(2).forward(b)));
  Sequential open(Swap{});
  const auto both = open->forward<std::pair<Tensor, Tensor>>(a, b);
  CHECK(both.first.is_same(b));
  Sequential longer;
  longer->extend(*open);
  longer->extend(std::vector<First>{First()});
  CHECK(longer->forward(a, b).is_same(b));
}

TEST_CASE("Sequential refuses what does not fit") {
  Sequential model(Linear(2, 2), Swap());
  const Tensor x = ones({1, 2});
  CHECK(contains(message_of([&] { Sequential()->forward(x); }), "Cannot call forward() on an empty Sequential"));
  CHECK(contains(message_of([&] { model->forward(x); }), "SwapImpl's forward() method expects 2 argument(s), but received 1"));
  CHECK(contains(message_of([&] { model->forward(3); }), "Expected argument #0 to be of type gb::Tensor, but received value of type int"));
  CHECK(contains(message_of([&] { Sequential(Linear(2, 2))->forward<int>(x); }), "but you asked for type int"));
  CHECK(contains(message_of([&] { model->at<SwapImpl>(0); }), "Attempted to cast module of type gb::nn::LinearImpl to type"));
  CHECK(contains(message_of([&] { model->ptr(2); }), "Index out of range"));
  CHECK(contains(message_of([&] { model->push_back("0", Swap()); }), "Submodule '0' already defined"));
  CHECK(contains(message_of([&] { model->push_back(Swap(nullptr)); }), "Submodule '2' is empty"));
  CHECK(model->size() == 2);
}

TEST_CASE("ModuleList numbers modules") {
  ModuleList list(Linear(1, 1), Linear(2, 2));
  list->push_back(Linear(3, 3));
  list->insert(1, Linear(9, 9));
  CHECK(list->named_children().keys() == Names{"0", "1", "2", "3"});
  Names sizes;
  for (const auto& module : list->children()) sizes.push_back(std::to_string(module->as<Linear>()->options.in_features()));
  CHECK(sizes == Names{"1", "9", "2", "3"});
  CHECK(list->at<nn::LinearImpl>(3).weight.size(0) == 3);
  CHECK(contains(message_of([&] { list->at<nn::LinearImpl>(4); }), "ModuleList: Index out of range"));
  CHECK(contains(message_of([&] { list->at<SwapImpl>(0); }), "Unable to cast module[0] to"));
  CHECK(contains(message_of([&] { list->insert(9, Linear(1, 1)); }), "ModuleList: Index out of range"));
  CHECK(list->ptr<SwapImpl>(0) == nullptr);
}

TEST_CASE("containers clone and print") {
  Sequential model({{"fc", Linear(2, 2)}, {"twice", Functional(twice)}});
  model->eval();
  const auto copy = std::dynamic_pointer_cast<nn::SequentialImpl>(model->clone());
  REQUIRE(copy);
  CHECK(copy->named_parameters().keys() == Names{"fc.weight", "fc.bias"});
  CHECK(!copy->at<nn::LinearImpl>(0).weight.is_alias_of(model->at<nn::LinearImpl>(0).weight));
  const Tensor x = ones({1, 2});
  NoGradGuard unrecorded;
  CHECK(same_values(copy->forward(x), model(x)));
  CHECK(!copy->is_training());
  CHECK(ModuleList(model, model)->clone()->children().size() == 2);

  std::ostringstream text;
  text << *ModuleList(model);
  CHECK(text.str() ==
        "gb::nn::ModuleList(\n"
        "  (0): gb::nn::Sequential(\n"
        "    (fc): gb::nn::Linear(in_features=2, out_features=2, bias=true)\n"
        "    (twice): gb::nn::Functional()\n"
        "  )\n"
        ")");
}
