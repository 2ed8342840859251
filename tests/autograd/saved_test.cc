#include "autograd/saved_variable.h"

#include "autograd/autograd.h"
#include "autograd/formula.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using autograd::SavedVariable;
using autograd::variable_list;

namespace {

Tensor leaf() { return full({2}, 3, kDouble).requires_grad_(); }

// y = x^2, x saved in a node whose saved variable the test can reach.
struct SquareBackward final : autograd::Node {
  variable_list apply(variable_list&& grads) override { return {grads[0] * self_.unpack(getptr()) * 2}; }
  void release_variables() override { self_.reset_data(); }
  std::vector<autograd::SavedField> saved() const override { return {{"self", &self_}}; }
  SavedVariable self_;
};
struct Square {
  explicit Square(const Tensor& x) : node(std::make_shared<SquareBackward>()) {
    node->set_next_edges(autograd::collect_next_edges(x));
    node->self_ = SavedVariable(x, false);
    result = x.detach().mul(x.detach());
    autograd::set_history(result, node);
  }
  std::shared_ptr<SquareBackward> node;
  Tensor result;
};

struct Halves final : autograd::SavedVariableHooks {
  void call_pack_hook(const Tensor& t) override {
    requires_grad_at_pack = t.requires_grad();
    packed = t.to(kFloat);
  }
  Tensor call_unpack_hook() override { return packed.to(kDouble); }
  Tensor packed;
  bool requires_grad_at_pack = false;
};
struct Vandal final : autograd::SavedVariableHooks {
  void call_pack_hook(const Tensor& t) override { t.zero_(); }
  Tensor call_unpack_hook() override { return {}; }
};

}  // namespace

TEST_CASE("saved: the version error names the saver, its field, the last writer and both versions") {
  const Tensor x = leaf();
  const Tensor h = x * 2, y = h * x;
  h.add_(ones({2}, kDouble));
  h.unsafeGetTensorImpl()->bump_version(intern_writer("aten::mul_.Tensor"));
  const std::string message = message_of([&] { y.sum().backward(); });
  CHECK(contains(message,
                 "one of the variables needed for gradient computation has been modified by an inplace operation: "
                 "[CPUDoubleType [2]], which is output 0 of AddBackward0, is at version 2; expected version 0 instead"));
  CHECK(contains(message, "MulBackward0 saved it as 'self'; aten::mul_.Tensor wrote it last"));
  CHECK(contains(message, "DetectAnomalyGuard"));
}

TEST_CASE("saved: a version with its writer, alone and shared") {
  const uint32_t add = intern_writer("test::add_"), mul = intern_writer("test::mul_");
  CHECK(add != mul);
  CHECK(intern_writer("test::add_") == add);
  CHECK(writer_name(mul) == "test::mul_");
  CHECK(writer_name(kUnknownWriter).empty());
  VariableVersion version(0);
  CHECK(version.last_writer() == kUnknownWriter);
  version.bump(add);
  CHECK(version.current_version() == 1);
  CHECK(version.last_writer() == add);
  const VariableVersion shared(version);
  CHECK(shared.last_writer() == add);
  version.bump(mul);
  version.bump();
  CHECK(shared.current_version() == 3);
  CHECK(shared.last_writer() == kUnknownWriter);
}

TEST_CASE("saved: an operand that was detached in place is refused by every product") {
  const Tensor x = noise({2, 2}).requires_grad_(), other = noise({2, 2}, 2).requires_grad_();
  const auto refusal = [&](const auto& product) {
    const Tensor h = x * 1, y = product(h).sum();
    h.detach_();
    return message_of([&] { y.backward(); });
  };
  const char* words = "detached in-place, i.e. with .detach_()";
  CHECK(contains(refusal([&](const Tensor& h) { return h * other; }), words));
  CHECK(contains(refusal([&](const Tensor& h) { return h.mm(other); }), words));
  CHECK(contains(refusal([&](const Tensor& h) { return other.mm(h); }), words));
  CHECK(contains(refusal([&](const Tensor& h) { return addmm(other, h, other); }), words));
  CHECK(contains(refusal([&](const Tensor& h) { return addmm(other, other, h); }), words));
}

TEST_CASE("saved: hooks are given the tensor without history, and their result stands for it") {
  const Tensor x = leaf();
  const Tensor h = x * 1;
  Square square(h);
  auto hooks = std::make_unique<Halves>();
  const Halves& seen = *hooks;
  square.node->self_.register_hooks(std::move(hooks));
  CHECK(square.node->self_.has_hooks());
  CHECK_FALSE(seen.requires_grad_at_pack);
  h.add_(ones({2}, kDouble));  // the hook has a copy: no version is checked
  const Tensor g = autograd::grad({square.result.sum()}, {x}, {}, true, /*create_graph=*/true)[0];
  CHECK(values(g) == std::vector<double>{6, 6});
  CHECK(values(autograd::grad({g.sum()}, {x})[0]) == std::vector<double>{2, 2});  // the history is put back
}

TEST_CASE("saved: hooks of a leaf put the leaf's own accumulator back") {
  const Tensor x = leaf();
  Square square(x);
  square.node->self_.register_hooks(std::make_unique<Halves>());
  const Tensor g = autograd::grad({square.result.sum()}, {x}, {}, true, true)[0];
  g.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{2, 2});
}

TEST_CASE("saved: what register_hooks refuses") {
  const Tensor x = leaf();
  Square square(x);
  SavedVariable& saved = square.node->self_;
  CHECK(contains(message_of([&] { saved.register_hooks(std::make_unique<Vandal>()); }),
                 "A saved tensor pack hook is modifying its input in place"));
  saved = SavedVariable(x, false);
  saved.register_hooks(std::make_unique<Halves>());
  CHECK(contains(message_of([&] { saved.register_hooks(std::make_unique<Halves>()); }),
                 "Calling register_hooks on a saved tensor whose hooks have already been set"));
  square.result.sum().backward();
  CHECK(contains(message_of([&] { saved.register_hooks(std::make_unique<Halves>()); }), "after it has been freed"));
  SavedVariable none(Tensor(), false);
  CHECK(contains(message_of([&] { none.register_hooks(std::make_unique<Halves>()); }), "with value None is forbidden"));
}

TEST_CASE("saved: the output of a write to a view comes back with the view's history, and makes no cycle") {
  const Tensor x = leaf();
  std::weak_ptr<autograd::Node> alive;
  {
    const Tensor y = x * 2, v = y.view({2, 1});
    const auto node = std::make_shared<SquareBackward>();
    node->set_next_edges(autograd::collect_next_edges(v));
    autograd::increment_version(v);
    autograd::rebase_history(v, node);
    node->self_ = SavedVariable(v, /*is_output=*/true);
    const Tensor back = node->self_.unpack(node);
    CHECK(back.grad_fn() == v.grad_fn());
    CHECK(back.grad_fn()->name() == "AsStridedBackward0");
    alive = node;
  }
  CHECK(alive.expired());
}
