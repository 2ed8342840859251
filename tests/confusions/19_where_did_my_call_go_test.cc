// "Where did my call go?" The trace is in every build. Each hop has the keys of every argument, what the
// thread added and took away, the mask, the key, the reason for the slot and the place of the kernel. explain
// says the same without calling.
#include <doctest/doctest.h>

#include "dispatcher/explain.h"
#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("where did my call go? the trace of linear, gradients on") {
  const Tensor x = ones({2, 3}), w = ones({4, 3}, requires_grad(true)), b = zeros({4});
  const trace::Recorder recorder;
  linear(x, w, b);
  const std::string tree = without_lines(recorder.tree());
  CHECK(contains(tree, "redispatch aten::addmm("));
  check_golden("19_trace", tree);
  CHECK(contains(recorder.json_lines(), "\"op\":\"aten::linear\""));
}

TEST_CASE("where did my call go? what explain foretells is what the trace then shows") {
  const Tensor x = ones({2, 2});
  const auto foretold = explain_dispatch(find("aten::mm"), {{"self", x.key_set()}, {"mat2", x.key_set()}});
  const trace::Recorder recorder;
  x.mm(x);
  const std::string first = recorder.tree().substr(0, recorder.tree().find('\n'));
  CHECK(contains(first, std::string("=> ") + toString(foretold.key) + " : " + toString(foretold.reason)));
  CHECK(contains(first, foretold.registered));
  check_golden("19_explain", without_lines(foretold.text()));
}
