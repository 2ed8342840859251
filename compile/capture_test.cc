#include <doctest/doctest.h>

#include "compile/capture_mode.h"
#include "compile/testing.h"
#include "core/error.h"
#include "dispatcher/dispatch_mode.h"
#include "dispatcher/library.h"
#include "ops/common/empty.h"
#include "ops/linear/linear.h"
#include "ops/ops.h"
#include "ops/softmax/softmax.h"
#include "tests/golden.h"

namespace gb::compiler {
namespace {

using tests::has;
using tests::seeded;
using List = std::vector<Tensor>;

Tensor first_of(TensorList list) { return empty_on(kMeta, list[0].sizes(), list[0].scalar_type()); }

std::string message_of(const TensorFunction& fn, const List& inputs) {
  try {
    capture(fn, inputs);
  } catch (const Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}

}  // namespace

TEST_CASE("linear arrives as t and addmm, softmax as _softmax; parameters are lifted") {
  const Tensor x = seeded({2, 64}, 1), w = seeded({600, 64}, 2), b = seeded({600}, 3);
  const Graph native = capture([&](const List& in) { return List{softmax(linear(in[0], w, b), -1)}; }, {x},
                               {{"x"}, {{"W", w}, {"b", b}}});
  tests::check_golden("compile/testdata/linear_softmax.graph", to_string(native));
  CHECK(!native.inputs[0].lifted);
  CHECK(native.inputs[1].tensor.is_same(w));

  const Graph custom =
      capture([&](const List& in) { return List{tests::opaque_softmax(linear(in[0], w, b))}; }, {x},
              {{"x"}, {{"W", w}, {"b", b}}});
  tests::check_golden("compile/testdata/linear_opaque_softmax.graph", to_string(custom));
}

TEST_CASE("capture computes nothing and leaves no mode behind") {
  const Tensor x = seeded({2, 3}, 1);
  bool meta = false;
  capture(
      [&](const List& in) {
        meta = in[0].is_meta() && active_dispatch_mode() && is_capturing();
        return List{in[0].exp()};
      },
      {x});
  CHECK(meta);
  CHECK(active_dispatch_mode() == nullptr);
  CHECK_THROWS_AS(capture([](const List&) -> List { throw std::runtime_error("no"); }, {x}),
                  std::runtime_error);
  CHECK(active_dispatch_mode() == nullptr);
}

TEST_CASE("names: x alone, x0 and x1 for several; a result used nowhere is dropped") {
  const Tensor x = seeded({2, 3}, 1);
  const Graph g = capture(
      [](const List& in) {
        in[0].exp();
        return List{in[0].add(in[1]).add(in[1])};
      },
      {x, x});
  CHECK(to_string(g) ==
        "graph(x0: f32[2, 3], x1: f32[2, 3]) on cpu:\n"
        "  add: f32[2, 3] = aten::add.Tensor(x0, x1, alpha=1)\n"
        "  add_1: f32[2, 3] = aten::add.Tensor(add, x1, alpha=1)\n"
        "  return add_1\n");
}

TEST_CASE("strides are kept, and printed where they are not contiguous") {
  const Tensor x = seeded({2, 3}, 1).t();
  const Graph g = capture([](const List& in) { return List{in[0].neg()}; }, {x});
  CHECK(has(to_string(g), "graph(x: f32[3, 2] strides [1, 3])"));
}

TEST_CASE("a list argument refers to several values") {
  auto fragment = MAKE_GB_LIBRARY_FRAGMENT(opaque);
  fragment.def("first_of(Tensor[] list) -> Tensor");
  auto kernels = MAKE_GB_LIBRARY_IMPL(opaque, Meta);
  kernels.impl("first_of", GB_FN(first_of));
  const auto op = Dispatcher::singleton().findSchemaOrThrow("opaque::first_of", "");
  const Tensor x = seeded({2, 3}, 1), held = seeded({4}, 2);
  const Graph g = capture(
      [&](const List& in) {
        Stack stack{IValue(List{in[0], held})};
        op.callBoxed(stack);
        return List{stack[0].toTensor()};
      },
      {x});
  CHECK(has(to_string(g), "opaque::first_of([x, lifted])"));
}

TEST_CASE("an operator that writes is refused, and nothing is written") {
  const Tensor x = seeded({2, 3}, 1);
  const Tensor before = x.clone();
  const std::string message = message_of(
      [](const List& in) {
        in[0].add_(in[0]);
        return in;
      },
      {x});
  CHECK(has(message,
            "gb::compile: aten::add_.Tensor writes to one of its arguments, which is not supported yet"));
  CHECK(has(message, "Tensor(a!) self"));
  CHECK(has(message, "while gb::compile captured the callable"));
  CHECK(tests::max_difference(x, before) == 0);
  x.add_(x);  // eager is unaffected
  CHECK(tests::max_difference(x, before.add(before)) == 0);
}

TEST_CASE("a geometry that changes in place is a view in the graph; of an input it is a write") {
  const Tensor v = seeded({3}, 1), m = seeded({3, 2}, 2);
  const Graph graph = capture([](const List& in) { return List{in[0].matmul(in[1])}; }, {v, m});
  CHECK(has(to_string(graph), "squeeze"));
  CHECK_FALSE(has(to_string(graph), "squeeze_"));
  CHECK(graph.nodes.back().results[0].sizes == std::vector<int64_t>{2});
  CHECK(has(message_of([](const List& in) { return List{in[0].t_()}; }, {m}), "aten::t_ writes to one of its arguments"));
  CHECK((m.sizes() == IntArrayRef{3, 2}));
}

TEST_CASE("an operator without a Meta kernel: the error says who asked") {
  auto fragment = MAKE_GB_LIBRARY_FRAGMENT(opaque);
  fragment.def("no_fake(Tensor x) -> Tensor");
  const auto op = Dispatcher::singleton().findSchemaOrThrow("opaque::no_fake", "");
  const std::string message = message_of(
      [&](const List& in) {
        Stack stack{IValue(in[0])};
        op.callBoxed(stack);
        return in;
      },
      {seeded({2}, 1)});
  CHECK(has(message, "opaque::no_fake"));
  CHECK(has(message,
            "while gb::compile asked opaque::no_fake for the shape of its result, on fake (Meta) tensors"));
}

}  // namespace gb::compiler
