// The programs of tape_programs.h, for a library given by its Api: the names of the two are the same but for namespaces.
#pragma once

#include <sstream>

#include "tests/libtorch/tape_programs.h"

namespace gb::tests::tape {

template <class Api>
class Programs {
 public:
  using Tensor = typename Api::Tensor;
  using NoGradGuard = typename Api::NoGradGuard;
  using InferenceMode = typename Api::InferenceMode;

  Lines run() {
    Silent silent;
    const typename Api::WarningHandlerGuard guard(&silent);
    view_then_base(), base_then_view(), part(), copied_into_plain(), view_of_view(), create_graph(), no_grad_views();
    inference(), leaves(), hooks(), hooks_and_writes(), answers(), detached(), saved_and_written(), unrecorded(), retained();
    return std::move(lines_);
  }

 private:
  struct Silent : Api::WarningHandler {
    void process(const typename Api::Warning&) override {}
  };

  static Tensor leaf(std::vector<int64_t> sizes, double value = 1) { return Api::full(sizes, value).requires_grad_(); }
  static Tensor number(double value) { return Api::full({}, value); }
  static Tensor row(const Tensor& t, int64_t i) {
    return t.as_strided({t.size(1)}, {t.stride(1)}, t.storage_offset() + i * t.stride(0));
  }

  static std::vector<double> values(const Tensor& t) {
    const Tensor flat = t.detach().contiguous();
    const double* p = flat.template const_data_ptr<double>();
    return {p, p + flat.numel()};
  }

  void title(const char* text) { lines_.push_back(std::string("-- ") + text); }

  // grad_fn first: asking for it may change the rest.
  void say(const char* name, const Tensor& t) {
    std::ostringstream out;
    out << name << ": ";
    try {
      out << "leaf " << t.is_leaf();
      std::string node = t.grad_fn() ? t.grad_fn()->name() : "none";
      if (const size_t at = node.rfind("::"); at != std::string::npos) node = node.substr(at + 2);
      out << ", grad_fn " << node << ", leaf " << t.is_leaf() << ", output " << t.output_nr() << ", requires_grad "
          << t.requires_grad() << ", view " << t.is_view() << ", version " << t._version();
    } catch (const std::exception& e) {
      out << ", refused: " << reason(e);
    }
    out << ", values";
    for (double v : values(t)) out << " " << v;
    lines_.push_back(out.str());
  }

  // A gradient: its version says how it was added up, which is each library's own affair.
  void value(const char* name, const Tensor& t) {
    std::ostringstream out;
    out << name << ": requires_grad " << t.requires_grad() << ", values";
    for (double v : values(t)) out << " " << v;
    lines_.push_back(out.str());
  }

  template <class F>
  void attempt(const char* name, F&& f) {
    try {
      f();
      lines_.push_back(std::string(name) + ": done");
    } catch (const std::exception& e) {
      lines_.push_back(std::string(name) + ": refused: " + reason(e));
    }
  }

  static std::string reason(const std::exception& e) {
    const std::string text = e.what();
    static const char* const kWords[] = {
        "a view of a leaf Variable that requires grad", "a leaf Variable that requires grad",
        "is a view of a view which was created in no_grad mode and is being",
        "A view was created in no_grad mode and is being", "A view was created in no_grad mode and its base or another",
        "A view was created in inference mode and is being", "A view was created in inference mode and its base or another",
        "Inplace update to inference tensor outside InferenceMode is not allowed", "Inference tensors cannot be saved",
        "Inference tensors do not track version counter", "a second time", "detached in-place",
        "has changed the size of value", "has changed the type of value", "no hook at position", "that doesn't require gradient",
        "can't retain_grad on Tensor", "Can't detach views in-place", "does not require grad", "single memory location"};
    for (const char* words : kWords) {
      if (text.find(words) != std::string::npos) return words;
    }
    const size_t at = text.find("has been modified by an inplace operation");
    if (at == std::string::npos) return "other: " + text;
    std::string words = text.substr(at, text.find(" instead", at) - at);  // with the tensor, its author and both versions
    const std::string space = "torch::autograd::";
    if (const size_t from = words.find(space); from != std::string::npos) words.erase(from, space.size());
    return words;
  }

  void backward(const Tensor& root, const Tensor& of) {
    attempt("backward", [&] { root.sum().backward(); });
    value("gradient", of.grad().defined() ? of.grad() : number(-1));
  }

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

  Lines lines_;
};

}  // namespace gb::tests::tape
