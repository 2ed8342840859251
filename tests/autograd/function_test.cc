#include "autograd/function.h"

#include "autograd/autograd.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;
using namespace gb::autograd;

namespace {

Tensor leaf(double value) { return full({2}, value, kDouble).requires_grad_(); }

struct Square : Function<Square> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, double scale) {
    ctx->save_for_backward({x});
    ctx->saved_data["scale"] = scale;
    CHECK_FALSE(GradMode::is_enabled());
    return x * x * scale;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {grads[0] * x * (2 * ctx->saved_data["scale"].toDouble()), Tensor()};
  }
};

// Runs a backward pass inside of its backward, `depth` deep.
struct Deep : Function<Deep> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x, int64_t depth) {
    ctx->saved_data["depth"] = depth;
    return x * 1;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    const int64_t depth = ctx->saved_data["depth"].toInt();
    ++runs;
    if (depth == 0) return {grads[0], Tensor()};
    const AutoGradMode on(true);
    const Tensor inner = full({2}, 1, kDouble).requires_grad_();
    Deep::apply(inner, depth - 1).sum().backward();
    return {grads[0] * inner.grad(), Tensor()};
  }
  static inline int64_t runs = 0;
};

struct Two : Function<Two> {
  static variable_list forward(AutogradContext* ctx, const Tensor& x, const Tensor& y, bool materialize) {
    ctx->set_materialize_grads(materialize);
    const Tensor third = x * 4;
    ctx->mark_non_differentiable({third});
    return {x * 2, y * 3, third};
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    second_defined = grads[1].defined();
    needs = {ctx->needs_input_grad(0), ctx->needs_input_grad(1)};
    return {grads[0] * 2, Tensor(), Tensor()};
  }
  static inline bool second_defined = false;
  static inline std::pair<bool, bool> needs;
};

}  // namespace

TEST_CASE("Function: gradient, second derivative, name") {
  const Tensor x = leaf(3);
  const Tensor y = Square::apply(x, 5.0);
  CHECK(contains(y.grad_fn()->name(), "CppNode<"));
  CHECK(contains(y.grad_fn()->name(), "Square"));
  const Tensor g = grad({y.sum()}, {x}, {}, {}, true)[0];
  CHECK(values(g) == std::vector<double>{30, 30});
  CHECK(values(grad({g.sum()}, {x})[0]) == std::vector<double>{10, 10});
}

TEST_CASE("Function: backward twice, no grad, nothing requires grad") {
  const Tensor x = leaf(3);
  const Tensor y = Square::apply(x, 1.0).sum();
  y.backward();
  CHECK(contains(message_of([&] { y.backward(); }), "Trying to backward through the graph a second time"));
  CHECK_FALSE(Square::apply(ones({2}, kDouble), 1.0).requires_grad());
  const NoGradGuard guard;
  CHECK_FALSE(Square::apply(x, 1.0).requires_grad());
}

TEST_CASE("Function: saves its output, without a cycle") {
  struct Exp : Function<Exp> {
    static Tensor forward(AutogradContext* ctx, const Tensor& x) {
      Tensor y = x.exp();
      ctx->save_for_backward({y, Tensor()});
      return y;
    }
    static variable_list backward(AutogradContext* ctx, variable_list grads) {
      const variable_list saved = ctx->get_saved_variables();
      CHECK_FALSE(saved[1].defined());
      return {grads[0] * saved[0]};
    }
  };
  const Tensor x = leaf(0);
  std::weak_ptr<Node> node;
  {
    const Tensor y = Exp::apply(x);
    node = y.grad_fn();
    const Tensor g = grad({y.sum()}, {x}, {}, {}, true)[0];  // exp again
    CHECK(values(grad({g.sum()}, {x})[0]) == std::vector<double>{1, 1});
  }
  CHECK(node.expired());
}

TEST_CASE(
    "Function: outputs without gradients are zeros, or undefined on request; not differentiable; "
    "needs_input_grad") {
#define RUN(materialize)                                     \
  do {                                                       \
    const Tensor x = leaf(1), y = ones({2}, kDouble);        \
    const variable_list out = Two::apply(x, y, materialize); \
    CHECK_FALSE(out[2].requires_grad());                     \
    CHECK(out[1].output_nr() == 1);                          \
    out[0].sum().backward();                                 \
    CHECK(values(x.grad()) == std::vector<double>{2, 2});    \
    CHECK(Two::second_defined == (materialize));             \
    CHECK((Two::needs == std::pair(true, false)));           \
  } while (0)
  RUN(true);
  RUN(false);
#undef RUN
}

TEST_CASE("Function: an input returned as it is, a tensor returned twice, an input written in place") {
  struct Same : Function<Same> {
    static variable_list forward(AutogradContext*, const Tensor& x) { return {x, x}; }
    static variable_list backward(AutogradContext*, variable_list grads) {
      return {grads[0] * 10 + grads[1]};
    }
  };
  const Tensor x = leaf(1);
  const variable_list out = Same::apply(x);
  CHECK(x.is_leaf());
  CHECK(out[0].is_view());
  CHECK_FALSE(out[0].is_same(x));
  out[0].sum().backward({}, true);
  CHECK(values(x.grad()) == std::vector<double>{10, 10});
  out[1].sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{11, 11});

  struct Double : Function<Double> {
    static Tensor forward(AutogradContext* ctx, Tensor t) {
      t.mul_(full({}, 2, kDouble));
      ctx->mark_dirty({t});
      return t;
    }
    static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0] * 2}; }
  };
  const Tensor z = leaf(1), h = z * 3;
  const Tensor doubled = Double::apply(h);
  CHECK(doubled.is_same(h));
  h.sum().backward();
  CHECK(values(z.grad()) == std::vector<double>{6, 6});
}

TEST_CASE("Function: wrong number of gradients, a gradient for a number, a wrong shape") {
  struct TooFew : Function<TooFew> {
    static Tensor forward(AutogradContext*, const Tensor& x, const Tensor&) { return x * 1; }
    static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0]}; }
  };
  struct ForNumber : Function<ForNumber> {
    static Tensor forward(AutogradContext*, const Tensor& x, double) { return x * 1; }
    static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0], grads[0]}; }
  };
  struct WrongShape : Function<WrongShape> {
    static Tensor forward(AutogradContext*, const Tensor& x) { return x * 1; }
    static variable_list backward(AutogradContext*, variable_list) {
      return {ones({7}, kDouble), Tensor(), Tensor()};
    }
  };
  const Tensor x = leaf(1);
  CHECK(contains(message_of([&] { TooFew::apply(x, x).sum().backward(); }),
                 "incorrect number of gradients (expected 2, got 1)"));
  CHECK(contains(message_of([&] { ForNumber::apply(x, 1.0).sum().backward(); }),
                 "position 1, but the corresponding forward input was not a Variable"));
  CHECK(contains(message_of([&] { WrongShape::apply(x).sum().backward(); }),
                 "got [7] but expected shape compatible with [2]"));
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("Function: lists and optional tensors are differentiable inputs") {
  struct SumAll : Function<SumAll> {
    static Tensor forward(AutogradContext*, const variable_list& list, const std::optional<Tensor>& extra) {
      return list[0] + list[1] + (extra ? *extra : zeros({2}, kDouble));
    }
    static variable_list backward(AutogradContext*, variable_list grads) {
      return {grads[0], grads[0] * 2, Tensor()};
    }
  };
  const variable_list list{leaf(1), leaf(2)};
  SumAll::apply(list, std::optional<Tensor>()).sum().backward();
  CHECK(values(list[1].grad()) == std::vector<double>{2, 2});
}

TEST_CASE("re-entrant backward, 4000 deep") {
  Deep::runs = 0;
  const Tensor x = leaf(1);
  Deep::apply(x, int64_t{4000}).sum().backward();
  CHECK(Deep::runs == 4001);
  CHECK(values(x.grad()) == std::vector<double>{1, 1});
}

TEST_CASE("Function: a view that comes out of it may not be written in place; through it, a view may") {
  struct AsRow : Function<AsRow> {
    static Tensor forward(AutogradContext*, const Tensor& x) { return x.view({1, 2}); }
    static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0].view({2}) * 10}; }
  };
  const Tensor x = leaf(3);
  const Tensor y = x * 1, r = AsRow::apply(y);
  CHECK(r.is_view());
  CHECK(contains(r.grad_fn()->name(), "AsRow"));
  CHECK(contains(message_of([&] { r.add_(ones({1, 2}, kDouble)); }), "This view was created inside a custom Function"));
  r.sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{10, 10});

  struct Doubles : Function<Doubles> {
    static variable_list forward(AutogradContext* ctx, const Tensor& t, bool twice) {
      t.add_(t.clone());
      ctx->mark_dirty({t});
      return twice ? variable_list{t, t.clone()} : variable_list{t};
    }
    static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0] * 2, Tensor()}; }
  };
  const Tensor w = leaf(3);
  const Tensor z = w * 1, part = z.as_strided({1}, {1}, 1);
  CHECK(contains(message_of([&] { Doubles::apply(part, true); }), "your Function cannot return more than one Tensor"));
  const Tensor u = w * 1, last = u.as_strided({1}, {1}, 1);
  Doubles::apply(last, false);
  CHECK(u.grad_fn()->name() == "CopySlices");
  u.sum().backward();
  CHECK(values(w.grad()) == std::vector<double>{1, 2});
}
