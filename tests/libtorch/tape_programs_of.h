// The programs of tape_programs.h, for a library given by its Api: the names of the two are the same but for namespaces.
#pragma once

#include "tests/libtorch/tape_teller_of.h"

namespace gb::tests::tape {

template <class Api>
class Programs : TellerOf<Api> {
 public:
  using typename TellerOf<Api>::Tensor;
  using typename TellerOf<Api>::NoGradGuard;
  using InferenceMode = typename Api::InferenceMode;

  Lines run() {
    typename TellerOf<Api>::Silent silent;
    const typename Api::WarningHandlerGuard guard(&silent);
    view_then_base(), base_then_view(), part(), copied_into_plain(), view_of_view(), create_graph(), no_grad_views();
    inference(), leaves(), hooks(), hooks_and_writes(), answers(), detached(), saved_and_written(), unrecorded(), retained();
    return std::move(lines_);
  }

 private:
  using TellerOf<Api>::leaf;
  using TellerOf<Api>::number;
  using TellerOf<Api>::row;
  using TellerOf<Api>::values;
  using TellerOf<Api>::title;
  using TellerOf<Api>::say;
  using TellerOf<Api>::value;
  using TellerOf<Api>::attempt;
  using TellerOf<Api>::backward;
  using TellerOf<Api>::lines_;

  void view_then_base() {
    title("a view, then a write to the base");
    const Tensor x = leaf({4}), b = Api::full({4}, 0), v = b.view({2, 2});
    say("v", v);
    b.add_(x);
    say("v", v), say("b", b);
    v.mul_(number(3));
    say("v", v), say("b", b);
    backward(v * v, x);
  }

  void base_then_view() {
    title("two views, both written");
    const Tensor x = leaf({2, 2}), k = leaf({2}, 3);
    const Tensor y = x * 2, whole = y.view({4}), first = row(y, 0);
    first.mul_(k);
    say("y", y), say("whole", whole), say("first", first);
    const Tensor two = whole.as_strided({2}, {1}, 1);
    two.mul_(two.clone());
    say("y", y), say("whole", whole), say("two", two), say("first", first);
    attempt("backward", [&] { whole.sum().backward(); });
    value("x", x.grad()), value("k", k.grad());
  }

  void part() {
    title("a part is written, the rest keeps its gradient");
    const Tensor x = leaf({2, 3}), y = x * 2;
    row(y, 1).div_(number(4));
    backward(y, x);
    const Tensor t = (x * 1).t();
    say("t", t);
    t.copy_(Api::full({3, 2}, 5));
    say("t", t), say("base", Tensor(t._base()));
    const Tensor expanded = (x * 1).expand({2, 2, 3});
    attempt("expanded", [&] { expanded.mul_(number(2)); });
  }

  void copied_into_plain() {
    title("copied into a part of a tensor without history");
    const Tensor x = leaf({3}), b = Api::full({2, 3}, 0), r = row(b, 0);
    r.copy_(x * 4);
    say("b", b), say("r", r);
    lines_.push_back(b.grad_fn()->next_edge(0).is_valid() ? "edge" : "no edge");
    backward(b * b, x);
  }

  void view_of_view() {
    title("a view of a view, zeroed and filled");
    const Tensor x = leaf({2, 2}), y = x * 1, w = y.view({4}).view({2, 2}).t();
    w.zero_();
    say("w", w), say("y", y);
    row(w, 1).fill_(7);
    say("w", w), say("y", y);
    backward(y * x, x);
  }

  void create_graph() {
    title("second derivative through a written view");
    const Tensor x = leaf({2, 2}, 3), y = x * x;
    row(y, 0).mul_(row(x, 1));
    const Tensor g = Api::grad({(y * y).sum()}, {x}, {}, true, true)[0];
    Api::grad({g.sum()}, {x}, {}, true, false);
    lines_.push_back("g requires_grad " + std::to_string(g.requires_grad()));
    for (double v : values(g)) lines_.push_back(std::to_string(v));
    for (double v : values(Api::grad({g.sum()}, {x}, {}, false, false)[0])) lines_.push_back(std::to_string(v));
  }

  void no_grad_views() {
    title("views made in no-grad mode");
    const Tensor x = leaf({4});
    const Tensor y = x * 2, w = y.view({4});
    Tensor of_leaf, of_y, of_w;
    {
      NoGradGuard guard;
      of_leaf = x.view({2, 2}), of_y = y.view({2, 2}), of_w = w.view({2, 2});
    }
    say("of leaf", of_leaf), say("of y", of_y);
    const Tensor used = of_leaf * 2;
    say("used", used);
    backward(used, x);
    attempt("of y written", [&] { of_y.mul_(number(2)); });
    attempt("a view of a view written", [&] { of_w.view({4}).mul_(number(2)); });
    attempt("its base written", [&] { y.mul_(number(2)); });
    attempt("of y used", [&] { of_y * 2; });
    say("of y", of_y);
    {
      NoGradGuard guard;
      x.add_(number(1));
    }
    say("of leaf", of_leaf);
    attempt("requires_grad_", [&] { of_leaf.requires_grad_(true); });
  }

  void inference() {
    title("inference mode");
    const Tensor x = leaf({4}), y = x * 2, plain = Api::full({4}, 1);
    Tensor i, of_y, of_plain;
    {
      InferenceMode guard;
      i = Api::full({4}, 1), of_y = y.view({2, 2}), of_plain = plain.view({2, 2});
      i.mul_(number(2)), y.mul_(number(2));
    }
    say("i", i), say("view of i", i.view({2, 2})), say("of y", of_y), say("y", y);
    attempt("i used", [&] { x * i; });
    attempt("i required", [&] { i.detach().mul(i); });
    attempt("of y written", [&] { of_y.mul_(number(2)); });
    of_plain.mul_(number(2));
    say("of plain", of_plain);
    attempt("of plain written with x", [&] { of_plain.mul_(x.view({2, 2})); });
    say("of plain", of_plain);
  }

  void leaves() {
    title("leaves");
    const Tensor x = leaf({4}), v = x.view({2, 2}), plain = Api::full({4}, 0), w = plain.view({4});
    attempt("leaf", [&] { x.mul_(number(2)); });
    attempt("view of a leaf", [&] { v.mul_(number(2)); });
    {
      NoGradGuard guard;
      v.mul_(number(2));
    }
    say("x", x), say("v", v);
    backward(v, x);
    w.requires_grad_();
    say("w", w), say("plain", plain);
    attempt("w written", [&] { w.mul_(number(2)); });
    attempt("plain written", [&] { plain.add_(number(2)); });
    say("w", w);
  }

  void hooks() {
    title("hooks");
    const Tensor x = leaf({2}), h = x * 2;
    const auto note = [this](const char* text) { return [this, text](const Tensor&) { lines_.push_back(text); }; };
    const unsigned a = h.register_hook(note("a"));
    h.retain_grad();
    h.register_hook([this](const Tensor& g) {
      value("b sees", g);
      return g * 10;
    });
    x.register_hook([this](const Tensor& g) {
      value("x sees", g);
      return g + 1;
    });
    const Tensor y = (h * h).sum();
    y.backward({}, true);
    value("h.grad", h.grad()), value("x.grad", x.grad());
    h.remove_hook(a);
    attempt("remove 5", [&] { h.remove_hook(5); });
    y.backward();
    value("h.grad", h.grad()), value("x.grad", x.grad());
    attempt("no gradient", [&] { Api::full({2}, 1).register_hook(note("never")); });
    attempt("no gradient to retain", [&] { Api::full({2}, 1).retain_grad(); });
    const Tensor k = x * 2;
    k.register_hook([](const Tensor&) { return Api::full({3}, 1); });
    attempt("another size", [&] { k.sum().backward(); });
  }

  void hooks_and_writes() {
    title("hooks before and after a write");
    const Tensor x = leaf({2}), h = x * 2;
    h.register_hook([this](const Tensor& g) { value("old", g); });
    h.retain_grad();
    h.mul_(number(3));
    h.register_hook([this](const Tensor& g) { value("new", g); });
    (h * 1).sum().backward();
    value("h.grad", h.grad()), value("x.grad", x.grad());
    const Tensor b = x * 1, v = b.as_strided({1}, {1}, 1);
    b.retain_grad();
    b.register_hook([this](const Tensor& g) { value("b old", g); });
    v.mul_(number(5));
    b.register_hook([this](const Tensor& g) { value("b new", g); });
    (b * 2).sum().backward();
    value("b.grad", b.grad()), value("x.grad", x.grad());
  }

  void answers() {
    title("what grad returns where hooks are");
    const Tensor x = leaf({2}), h = x * 2;
    h.register_hook([](const Tensor& g) { return g * 10; });
    const Tensor y = (h * h).sum();
    for (const Tensor& g : Api::grad({y}, {h, x}, {}, true, false)) value("both", g);
    for (const Tensor& g : Api::grad({y}, {h}, {}, true, false)) value("h", g);
  }

  void detached() {
    title("detach_");
    const Tensor x = leaf({4}), h = x * 3, z = h * h, before = h * 2;
    attempt("view", [&] { h.view({2, 2}).detach_(); });
    h.detach_();
    say("h", h), say("z", z);
    backward(before, x);
    attempt("backward", [&] { z.sum().backward(); });
    const Tensor l = leaf({2});
    l.detach_();
    say("l", l);
  }

  void saved_and_written() {
    title("saved, then written");
    const Tensor x = leaf({2}), h = x * 2, y = h * h, e = (x * 1).exp(), z = e * 1, s = x * 1, w = s * s;
    h.add_(number(1)), e.add_(number(1)), s.view({2, 1}).add_(number(1));
    backward(y, x), backward(z, x), backward(w, x);
    const Tensor twice = (x * x).sum();
    twice.backward();
    attempt("twice", [&] { twice.backward(); });
  }

  void unrecorded() {
    title("a write that is not recorded");
    const Tensor x = leaf({4}), y = x * 1, v = y.view({4});
    v.detach().zero_();
    say("v", v), say("y", y);
    const Tensor w = v * 2;
    say("w", w);
    lines_.push_back("topological " + std::to_string(w.grad_fn()->topological_nr()));
    backward(w, x);
  }

  void retained() {
    title("retain_grad on a view that is written");
    const Tensor x = leaf({3}), b = x * 1, v = b.as_strided({1}, {1}, 1);
    v.retain_grad();
    v.mul_(number(5));
    lines_.push_back("retains " + std::to_string(v.retains_grad()));
    backward(b, x);
    lines_.push_back("v.grad " + std::to_string(v.grad().defined()));
  }
};

}  // namespace gb::tests::tape
