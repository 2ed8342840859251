// Programs of tensors that get other sizes and strides, or other memory, in place: t_, squeeze_ and their like, set_.
#pragma once

#include "tests/libtorch/tape_teller_of.h"

namespace gb::tests::tape {

template <class Api>
class GeometryPrograms : TellerOf<Api> {
 public:
  using typename TellerOf<Api>::Tensor;
  using typename TellerOf<Api>::NoGradGuard;

  Lines run() {
    typename TellerOf<Api>::Silent silent;
    const typename Api::WarningHandlerGuard guard(&silent);
    const std::vector<int64_t> one{1, 3, 1};
    shape("t_", {2, 3}, [](const Tensor& a) { a.t_(); });
    shape("t_ of one dimension", {3}, [](const Tensor& a) { a.t_(); });
    shape("transpose_", {2, 3, 2}, [](const Tensor& a) { a.transpose_(0, -1); });
    shape("transpose_ square", {2, 2}, [](const Tensor& a) { a.transpose_(0, 1); });
    shape("squeeze_", one, [](const Tensor& a) { a.squeeze_(); });
    shape("squeeze_.dim", one, [](const Tensor& a) { a.squeeze_(0); });
    shape("squeeze_.dim of another size", one, [](const Tensor& a) { a.squeeze_(1); });
    shape("squeeze_.dims", one, [](const Tensor& a) { a.squeeze_(typename Api::IntArrayRef{0, 2}); });
    shape("unsqueeze_", {2, 3}, [](const Tensor& a) { a.unsqueeze_(-1); });
    set_plain(), set_recorded(), set_views(), set_outside(), set_refused();
    return std::move(lines_);
  }

 private:
  using TellerOf<Api>::leaf;
  using TellerOf<Api>::number;
  using TellerOf<Api>::title;
  using TellerOf<Api>::say;
  using TellerOf<Api>::value;
  using TellerOf<Api>::attempt;
  using TellerOf<Api>::lines_;

  void geometry(const char* name, const Tensor& t) {
    say(name, t);
    std::ostringstream out;
    out << name << " has sizes";
    for (const int64_t size : t.sizes()) out << " " << size;
    out << ", strides";
    for (const int64_t stride : t.strides()) out << " " << stride;
    out << ", offset " << t.storage_offset();
    lines_.push_back(out.str());
  }
  // 1, 2, 3, ... in the shape of t.
  static Tensor weights(const Tensor& t) {
    const Tensor w = Api::full({t.numel()}, 0);
    for (int64_t i = 0; i < t.numel(); ++i) w[i].fill_(static_cast<double>(i + 1));
    return w.view(t.sizes());
  }
  void gradient(const char* name, const Tensor& of, const Tensor& x) {
    attempt(name, [&] { value(name, Api::grad({(of * weights(of)).sum()}, {x}, {}, true, false)[0]); });
  }

  template <class Change>
  void shape(const char* name, std::vector<int64_t> sizes, const Change& change) {
    title(name);
    const Tensor x = leaf(sizes, 2), h = x * x, v = h.alias();
    change(h);
    geometry("h", h), geometry("a view of h", v);
    gradient("of h", h, x), gradient("of the view of h", v, x);

    const Tensor base = x * x, view = base.alias(), other = base.alias();
    change(view);
    geometry("view", view), geometry("its base", base), geometry("another view", other);
    gradient("of view", view, x), gradient("of its base", base, x), gradient("of another view", other, x);
    view.mul_(number(3));
    geometry("view, written", view), geometry("its base", base);
    gradient("of view", view, x), gradient("of its base", base, x);

    const Tensor saved = x * 1, y = saved * saved;
    change(saved);
    attempt("saved before", [&] { y.sum().backward(); });
    attempt("a leaf", [&] { change(x); });
    attempt("one of several views", [&] { change((x * 1).split(1, 0)[0]); });
    {
      NoGradGuard guard;
      change(x);
    }
    geometry("a leaf in no-grad mode", x);
  }

  void set_plain() {
    title("set_ of plain tensors");
    const Tensor a = Api::full({2, 3}, 1), was = a.view({6}), b = weights(Api::full({4}, 0)), d = a.detach();
    a.set_(b);
    geometry("a", a), geometry("its old view", was), geometry("detached", d), geometry("b", b);
    b.mul_(number(2));
    geometry("a", a), geometry("b", b);
    a.set_(b, 1, {2}, {2}), geometry("part of b", a);
    a.set_(b.storage(), 1, {3}), geometry("without strides", a);
    a.set_(b.storage()), geometry("all of it", a);
    a.set_(a), geometry("itself", a);
    a.set_(), geometry("nothing", a);
    const Tensor small = Api::full({2}, 1), larger = Api::full({1}, 1);
    larger.set_(small.storage(), 1, {3});
    lines_.push_back("bytes " + std::to_string(small.storage().nbytes()));
  }

  void set_recorded() {
    title("set_ of computed tensors");
    const Tensor x = leaf({2, 3}), b = Api::full({4}, 3), k = leaf({4}, 5);
    const Tensor h = x * 2, y = h * h, before = h * 3;
    h.set_(b);
    geometry("h", h);
    attempt("after", [&] { h.sum().backward(); });
    attempt("saved before", [&] { y.sum().backward(); });
    attempt("used before", [&] { before.sum().backward(); });
    value("x", x.grad());
    const Tensor storage = x * 2, part = x * 2, nothing = x * 2, plain = Api::full({2}, 1), unrecorded = x * 2;
    storage.set_(b.storage()), part.set_(b.storage(), 1, {2}), nothing.set_(), plain.set_(k);
    geometry("storage", storage), geometry("part", part), geometry("nothing", nothing), geometry("plain", plain);
    attempt("plain", [&] { plain.sum().backward(); });
    {
      NoGradGuard guard;
      unrecorded.set_(b), x.set_(b);
    }
    geometry("in no-grad mode", unrecorded), geometry("a leaf in no-grad mode", x);
  }

  void set_views() {
    title("set_ and views");
    const Tensor x = leaf({2, 3}), b = Api::full({4}, 3);
    const Tensor base = x * 2, view = base.select(0, 0);
    view.set_(b);
    geometry("view", view), geometry("its base", base);
    const Tensor other = x * 2, of_other = other.select(0, 0);
    other.set_(b);
    geometry("base", other), geometry("its view", of_other);
  }

  // The new geometry does not fit into the memory of the base.
  void set_outside() {
    title("set_ outside of the base's memory");
    const Tensor x = leaf({2, 3}), large = weights(Api::full({40}, 0)), one = Api::full({1}, 3);
    const Tensor base = x * 2, view = base.select(0, 0), another = base.select(0, 1);
    view.set_(large);
    geometry("view", view), geometry("its base", base), geometry("another view", another);
    gradient("of view", view, x), gradient("of its base", base, x), gradient("of another view", another, x);
    const Tensor small = x * 2, of_small = small.select(0, 1);
    small.set_(one);
    geometry("base", small), geometry("its view", of_small);
    gradient("of base", small, x), gradient("of its view", of_small, x);
    const Tensor quiet = x * 2, part = quiet.select(0, 1), whole = quiet.select(0, 1), shrunk = x * 2, seen = shrunk.select(0, 1);
    {
      NoGradGuard guard;
      part.set_(large, 4, {3}, {1}), whole.set_(large), shrunk.set_(one);
    }
    geometry("in no-grad mode: part", part), geometry("whole", whole), geometry("shrunk", shrunk), geometry("seen", seen);
    gradient("of part", part, x), gradient("of whole", whole, x), gradient("of seen", seen, x);
  }

  void set_refused() {
    title("set_, refused");
    const Tensor x = leaf({2, 3}), b = Api::full({4}, 3), a = Api::full({2, 3}, 1);
    attempt("a leaf", [&] { x.set_(b); });
    attempt("a view of a leaf", [&] { x.select(0, 0).set_(b); });
    attempt("one of several views", [&] { (x * 1).split(1, 0)[0].set_(b); });
    attempt("negative offset", [&] { a.set_(b.storage(), -1, {2}); });
    attempt("another device", [&] { a.set_(Api::on_meta({2})); });
    geometry("a", a);
  }
};

}  // namespace gb::tests::tape
