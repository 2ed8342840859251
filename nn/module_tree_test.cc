// The tree of modules: buffers, walks, replacing, cloning, printing.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "core/error.h"
#include "nn/cloneable.h"
#include "nn/embedding.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using gb::tests::contains;
using gb::tests::message_of;

namespace {

struct CounterImpl : nn::Cloneable<CounterImpl> {
  CounterImpl() { reset(); }
  void reset() override { count = register_buffer("count", zeros({1}, kLong)); }
  Tensor count;
};
GB_MODULE(Counter);

struct ModelImpl : nn::Cloneable<ModelImpl> {
  ModelImpl() { reset(); }
  void reset() override {
    table = register_module("table", nn::Embedding(5, 3));
    head = register_module("head", nn::Linear(nn::LinearOptions(3, 5).bias(false)));
    seen = register_module("seen", Counter());
    scale = register_parameter("scale", ones({1}));
    shift = register_parameter("shift", ones({1}), /*requires_grad=*/false);
    mask = register_buffer("mask", zeros({2, 2}));
  }
  nn::Embedding table = nullptr;
  nn::Linear head = nullptr;
  Counter seen = nullptr;
  Tensor scale, shift, mask;
};
GB_MODULE(Model);

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("buffers are named like parameters and are not parameters") {
  Model model;
  CHECK(model->named_buffers().keys() == Names{"mask", "seen.count"});
  CHECK(model->named_buffers(/*recurse=*/false).keys() == Names{"mask"});
  CHECK(model->named_parameters().keys() == Names{"scale", "shift", "table.weight", "head.weight"});
  CHECK(!model->mask.requires_grad());
  CHECK(!model->shift.requires_grad());
  CHECK(model->buffers()[1].is_same(model->seen->count));
  model->register_buffer("none", Tensor());
  CHECK(model->buffers().size() == 2);
  CHECK(contains(message_of([&] { model->register_buffer("scale", Tensor()); }), "Buffer 'scale' already defined"));
  CHECK(contains(message_of([&] { model->register_parameter("mask", Tensor()); }), "Parameter 'mask' already defined"));
}

TEST_CASE("modules and apply go from a module to what is below it") {
  Model model;
  CHECK(model->named_modules().keys() == Names{"", "table", "head", "seen"});
  CHECK(model->named_modules("gpt", /*include_self=*/false).keys() == Names{"gpt.table", "gpt.head", "gpt.seen"});
  CHECK(model->modules()[0].get() == model.get());
  CHECK(model->modules(/*include_self=*/false).size() == 3);
  CHECK(model->children()[1].get() == model->head.get());

  Names seen;
  model->apply([&](const std::string& name, nn::Module& m) { seen.push_back(name + ":" + std::to_string(m.parameters().size())); });
  CHECK(seen == Names{":4", "table:1", "head:1", "seen:0"});
  int count = 0;
  model->apply([&](nn::Module& m) { count += m.is_training(); });
  std::as_const(*model).apply([&](const nn::Module& m) { count += m.as<nn::Linear>() != nullptr; });
  CHECK(count == 5);
  model->apply([&](const std::shared_ptr<nn::Module>& m) { count -= m->as<CounterImpl>() != nullptr; });
  CHECK(count == 4);
  CHECK(model->children()[1]->as<nn::Linear>() == model->head.get());
  CHECK(model->children()[1]->as<nn::Embedding>() == nullptr);

  ModelImpl on_stack;
  CHECK(contains(message_of([&] { on_stack.modules(); }), "not stored in a shared_ptr"));
  CHECK(on_stack.modules(/*include_self=*/false).size() == 3);
}

TEST_CASE("replace and unregister: a known name only") {
  Model model;
  model->head = model->replace_module("head", nn::Linear(3, 7));
  CHECK(model->named_children().keys() == Names{"table", "head", "seen"});
  CHECK(model->named_parameters()["head.weight"].size(0) == 7);
  CHECK(contains(message_of([&] { model->replace_module("tail", nn::Linear(1, 1)); }), "key 'tail' is not defined"));
  CHECK(contains(message_of([&] { model->replace_module("head", nn::Linear(nullptr)); }), "Submodule 'head' is empty"));
  model->unregister_module("seen");
  CHECK(model->named_children().keys() == Names{"table", "head"});
  CHECK(contains(message_of([&] { model->unregister_module("seen"); }), "No Module with name `seen` is registered"));
}

TEST_CASE("a clone has the values and none of the tensors") {
  Model model;
  model->eval();
  model->seen->count.fill_(3);
  const auto copy = std::dynamic_pointer_cast<ModelImpl>(model->clone());
  REQUIRE(copy);
  CHECK(copy->named_parameters().keys() == model->named_parameters().keys());
  CHECK(copy->named_buffers().keys() == model->named_buffers().keys());
  const auto originals = model->named_parameters();
  for (const auto& item : copy->named_parameters()) {
    const Tensor& original = originals[item.key()];
    CHECK(!item->is_alias_of(original));
    CHECK(item->requires_grad() == original.requires_grad());
    CHECK(item->is_leaf());
    CHECK(gb::tests::values(*item) == gb::tests::values(original));
  }
  CHECK(copy->head->weight.is_same(copy->named_parameters()["head.weight"]));  // members are the registered tensors
  CHECK(copy->seen->count.item<int64_t>() == 3);
  CHECK(!copy->is_training());
  CHECK(!copy->head->is_training());
  model->seen->count.fill_(4);
  CHECK(copy->seen->count.item<int64_t>() == 3);
}

TEST_CASE("clone refuses what it cannot copy") {
  struct Plain : nn::Module {};
  CHECK(contains(message_of([] { Plain().clone(); }), "clone() has not been implemented for"));
  struct Late : nn::Cloneable<Late> {
    Late() { register_parameter("weight", ones({1})); }
    void reset() override {}
  };
  CHECK(contains(message_of([] { Late().clone(); }), "does not have the same number of parameters"));
  Model model;
  model->replace_module("head", nn::Embedding(2, 2));
  CHECK(contains(message_of([&] { model->clone(); }), "different type than the submodule"));
}

TEST_CASE("printing shows the tree, each class in a line") {
  Model model;
  std::ostringstream text;
  text << *model;
  CHECK(text.str() ==
        "(anonymous namespace)::ModelImpl(\n"
        "  (table): gb::nn::Embedding(num_embeddings=5, embedding_dim=3)\n"
        "  (head): gb::nn::Linear(in_features=3, out_features=5, bias=false)\n"
        "  (seen): (anonymous namespace)::CounterImpl\n"
        ")");
  CHECK(nn::Module("Head").name() == "Head");
}

TEST_CASE("OrderedDict keeps the order of insertion") {
  OrderedDict<std::string, int> dict{{"b", 1}, {"a", 2}};
  dict["b"] = 5;
  dict.update({{"c", 3}});
  CHECK(dict.keys() == Names{"b", "a", "c"});
  CHECK(dict.values() == std::vector<int>{5, 2, 3});
  CHECK(dict.pairs()[2] == std::pair<std::string, int>("c", 3));
  CHECK(dict.front().key() == "b");
  CHECK(*dict.back() == 3);
  CHECK(dict[1].key() == "a");
  CHECK(contains(message_of([&] { dict.update({{"d", 4}, {"a", 4}}); }), "key 'a' already defined"));
  CHECK(dict.size() == 3);
  dict.erase("a");
  CHECK(dict.keys() == Names{"b", "c"});
  CHECK(contains(message_of([&] { dict.erase("a"); }), "key 'a' is not defined"));
  CHECK(contains(message_of([&] { dict[2]; }), "Index 2 is out of bounds"));
  dict.clear();
  CHECK(contains(message_of([&] { dict.back(); }), "empty"));
}
