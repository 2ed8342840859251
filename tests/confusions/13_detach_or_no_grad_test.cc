// "detach(), .data, no_grad, inference_mode: which one?" Each answers another question: does the result share
// memory, does it share the version (so that a write through it is noticed), is it recorded, is it a view,
// may it be used in a graph later? Every cell of the table is found by an experiment.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "autograd/autograd.h"
#include "autograd/inference_mode.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

struct Way {
  const char* name;
  Tensor (*from)(const Tensor& h);
};

Tensor in_no_grad(const Tensor& h) {
  const NoGradGuard guard;
  return h.view({2, 2});
}
Tensor computed_in_no_grad(const Tensor& h) {
  const NoGradGuard guard;
  return h * 2;
}
Tensor in_inference_mode(const Tensor& h) {
  const InferenceMode guard;
  return h.view({2, 2});
}
Tensor computed_in_inference_mode(const Tensor& h) {
  const InferenceMode guard;
  return h * 2;
}

const Way ways[] = {
    {"h.view",
     [](const Tensor& h) {
       return h.view({2, 2});
     }},
    {"h.clone()", [](const Tensor& h) { return h.clone(); }},
    {"h.detach()", [](const Tensor& h) { return h.detach(); }},
    {"h.data()", [](const Tensor& h) { return h.data(); }},
    {"no_grad: h.view", in_no_grad},
    {"no_grad: h * 2", computed_in_no_grad},
    {"inference: h.view", in_inference_mode},
    {"inference: h * 2", computed_in_inference_mode},
};

const char* word(bool yes) { return yes ? "yes" : "no"; }

// h is computed from x, so that writes to it are allowed, and saved by h * h.
struct Experiment {
  Tensor x = ones({4}, requires_grad(true));
  Tensor h = x * 1, y = h * h;
};

// What a recorded write to `t` comes to: "refused", or whether backward of y notices it.
std::string write_and_look(const Experiment& e, const Tensor& t) {
  const std::string refused = error_of([&] { t.mul_(2); });
  if (refused != "no error") return "refused";
  const std::string error = error_of([&] { e.y.sum().backward(); });
  return contains(error, "modified by an inplace operation") ? "noticed"
         : error == "no error"                               ? "not noticed"
                                                             : error;
}

std::string shares_version(const Experiment& e, const Tensor& t) {
  if (t.is_inference()) return "none";
  const int64_t before = e.h._version();
  const NoGradGuard guard;
  t.zero_();
  return word(e.h._version() == before + 1);
}

std::string row(const Way& way) {
  const Experiment e, to_count, to_write;
  const Tensor t = way.from(e.h);
  return fmt::format("{:<18} {:<7} {:<8} {:<9} {:<9} {:<7} {:<10} {}", way.name, word(t.is_alias_of(e.h)),
                     shares_version(to_count, way.from(to_count.h)), word(t.grad_fn() != nullptr),
                     word(t.requires_grad()), word(t.is_view()), word(t.is_inference()),
                     write_and_look(to_write, way.from(to_write.h)));
}

}  // namespace

TEST_CASE("detach, data, no_grad, inference_mode: the table") {
  std::string text =
      "result of          memory  version  recorded  requires is_view  inference  a write in grad mode\n"
      "                   shared  shared             grad\n";
  for (const Way& way : ways) text += row(way) + "\n";
  check_golden("13_table", text);
}

TEST_CASE("detach: shares the version, so a write is noticed; data: does not, and the gradient is wrong") {
  const Experiment a;
  a.h.detach().mul_(2);
  CHECK(contains(error_of([&] { a.y.sum().backward(); }), "modified by an inplace operation"));
  const Experiment b;
  b.h.data().mul_(2);
  b.y.sum().backward();
  CHECK(sum_of(b.x.grad()) == 16);  // 2 h = 2 for each of four is right
}

TEST_CASE("no_grad: a result is a leaf, but a view still requires what its base does, and leads nowhere") {
  const Experiment e;
  const Tensor v = in_no_grad(e.h), c = computed_in_no_grad(e.h);
  CHECK(v.requires_grad());
  CHECK(v.is_view());
  CHECK_FALSE(c.requires_grad());
  CHECK(c.is_leaf());
  c.requires_grad_();  // may become a leaf with a gradient of its own
  (c * 3).sum().backward();
  CHECK(c.grad().defined());
  CHECK_FALSE(e.x.grad().defined());
}

TEST_CASE("inference_mode: what is made inside cannot be saved for backward later; a clone can") {
  const Experiment e;
  const Tensor i = computed_in_inference_mode(e.h);
  CHECK(i.is_inference());
  CHECK(contains(error_of([&] { i._version(); }), "version"));
  CHECK(contains(error_of([&] { e.x* i; }), "Inference tensors cannot be saved for backward"));
  CHECK((e.x + i).requires_grad());  // an addition saves nothing
  (e.x * i.clone()).sum().backward();
  CHECK(sum_of(e.x.grad()) == 8);
}
