#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "compile/capture_mode.h"
#include "compile/compiled_graph.h"
#include "compile/logs.h"
#include "compile/lowering/registry.h"
#include "compile/testing.h"
#include "ops/linear/linear.h"
#include "ops/mm/mm.h"
#include "ops/softmax/softmax.h"
#include "tests/golden.h"

namespace gb::compiler {
namespace {

using tests::has;
using tests::max_difference;
using tests::seeded;
using List = std::vector<Tensor>;

// Compiles and runs `fn`; the worst difference from eager over all outputs.
double difference_from_eager(const TensorFunction& fn, const List& inputs) {
  const List expected = fn(inputs), actual = CompiledGraph(capture(fn, inputs)).run(inputs);
  double worst = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    worst = std::max(worst, max_difference(expected[i], actual[i]));
  return worst;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("bias add and softmax share one loop nest") {
  const Tensor x = seeded({2, 64}, 1), w = seeded({600, 64}, 2), b = seeded({600}, 3);
  const TensorFunction fn = [&](const List& in) { return List{softmax(linear(in[0], w, b), -1)}; };
  LogCapture logs;
  const CompiledGraph compiled(capture(fn, {x}, {{"x"}, {{"W", w}, {"b", b}}}));
  tests::check_golden("compile/testdata/linear_softmax.code", compiled.source());
  tests::check_golden("compile/testdata/linear_softmax.fusion", logs.text(CompileLog::fusion));
  CHECK(count(compiled.source(), "for (int64_t i0") == 1);
  CHECK(max_difference(compiled.run({x})[0], fn({x})[0]) <= 1e-6);
}

TEST_CASE("an operator without a lowering is a black box, and the log says why") {
  const Tensor x = seeded({2, 64}, 1), w = seeded({600, 64}, 2), b = seeded({600}, 3);
  const TensorFunction fn = [&](const List& in) {
    return List{tests::opaque_softmax(linear(in[0], w, b)).mul(2)};
  };
  LogCapture logs;
  const CompiledGraph compiled(capture(fn, {x}, {{"x"}, {{"W", w}, {"b", b}}}));
  CHECK(has(logs.text(CompileLog::fusion),
            "no lowering is registered for opaque::softmax: called as a black box; nothing fuses across it"));
  tests::check_golden("compile/testdata/linear_opaque_softmax.code", compiled.source());
  tests::check_golden("compile/testdata/linear_opaque_softmax.fusion", logs.text(CompileLog::fusion));
  CHECK(max_difference(compiled.run({x})[0], fn({x})[0]) <= 1e-6);
}

TEST_CASE("once a lowering is registered for it, it fuses") {
  const Tensor x = seeded({3, 5}, 1);
  const TensorFunction fn = [](const List& in) { return List{tests::opaque_softmax(in[0].mul(2))}; };
  const auto registration = register_lowering("opaque::softmax", [](LoweringContext& ctx) -> LoweringResult {
    const std::vector<int64_t> space = ctx.result().sizes;
    const ExprPtr e = call(ExprOp::kExp, ctx.load(0));
    const Value sum = ctx.reduction("sum", "sum", ReduceOp::kSum, space, {false, true}, e);
    return {{ctx.pointwise("", "divide", call(ExprOp::kDiv, e, LoweringContext::load_value(sum, space)))}};
  });
  const CompiledGraph compiled(capture(fn, {x}));
  CHECK(!has(compiled.source(), "black box"));
  CHECK(count(compiled.source(), "for (int64_t i0") == 1);
  CHECK(max_difference(compiled.run({x})[0], fn({x})[0]) <= 1e-6);
}

TEST_CASE("values agree with eager: shapes, broadcasting, views, reductions") {
  for (const ScalarType dtype : {kFloat, kDouble}) {
    const double bound = dtype == kFloat ? 1e-6 : 1e-13;
    const auto t = [&](IntArrayRef sizes, uint64_t seed) { return seeded(sizes, seed, dtype); };
    const auto check = [&](const TensorFunction& fn, const List& inputs) {
      CHECK(difference_from_eager(fn, inputs) <= bound);
    };
    const Tensor x = t({3, 4}, 1), y = t({4}, 2), z = t({3, 1}, 3);
    check([](const List& in) { return List{in[0].add(in[1], 2).mul(in[2]).sub(1).div(3).neg().exp()}; },
          {x, y, z});
    check([](const List& in) { return List{in[0].exp().log()}; }, {x});
    check([](const List& in) { return List{softmax(in[0], 0)}; }, {x});
    check([](const List& in) { return List{softmax(in[0].t(), -1)}; }, {x});
    check([](const List& in) { return List{softmax(in[0], 1)}; }, {t({2, 3, 4}, 4)});
    check([](const List& in) { return List{in[0].sum(), in[0].mean(), in[0].amax()}; }, {x});
    check(
        [](const List& in) {
          return List{in[0].sum({1}), in[0].mean({0}, true), in[0].amax({1}, true)};
        },
        {x});
    check([](const List& in) { return List{in[0].sub(in[0].mean({1}, true)).mul(in[0])}; }, {x});
    check([](const List& in) { return List{in[0].exp().sum({1}).log()}; }, {x});
    check([](const List& in) { return List{in[0].sum({1, 2}).exp()}; }, {t({2, 3, 4}, 4)});
    check([](const List& in) { return List{in[0].add(in[0].t())}; }, {t({3, 3}, 5)});
    check(
        [](const List& in) {
          const Tensor e = in[0].exp();
          return List{e.add(e.t())};
        },
        {t({3, 3}, 5)});
    check([](const List& in) { return List{in[0].expand({3, 4}).mul(in[1])}; }, {z, x});
    check([](const List& in) { return List{in[0].view({12}).exp().view({2, 6})}; }, {x});
    check([](const List& in) { return List{in[0].mm(in[1]), in[1].t().mm(in[0].t())}; }, {x, t({4, 2}, 6)});
    check([](const List& in) { return List{in[1].addmm(in[0], in[2], 0.5, 2)}; },
          {x, t({2}, 7), t({4, 2}, 6)});
    check([](const List& in) { return List{in[0].exp()}; }, {t({}, 8)});
    check(
        [](const List& in) {
          return List{in[0].exp(), softmax(in[0], 1), in[0].sum({0})};
        },
        {t({0, 4}, 8)});
    check([](const List& in) { return List{softmax(in[0], -1)}; }, {t({4, 1}, 8)});
    check([](const List& in) { return List{in[0].t(), in[0], in[0].neg(), in[0]}; }, {x});
  }
}

TEST_CASE("a NaN stays in its row, in softmax and in amax") {
  const Tensor x = seeded({2, 3}, 1);
  x.mutable_data_ptr<float>()[1] = NAN;
  const TensorFunction fn = [](const List& in) { return List{softmax(in[0], -1), in[0].amax({1})}; };
  const List expected = fn({x}), actual = CompiledGraph(capture(fn, {x})).run({x});
  for (int i = 0; i < 3; ++i) CHECK(std::isnan(actual[0].const_data_ptr<float>()[i]));
  for (int i = 3; i < 6; ++i) {
    CHECK(std::abs(actual[0].const_data_ptr<float>()[i] - expected[0].const_data_ptr<float>()[i]) <= 1e-6);
  }
  CHECK(std::isnan(actual[1].const_data_ptr<float>()[0]));
  CHECK(actual[1].const_data_ptr<float>()[1] == expected[1].const_data_ptr<float>()[1]);
}

TEST_CASE("why not: other positions, other spaces, no shared data, dtypes without loops") {
  const Tensor x = seeded({3, 3}, 1);
  const auto fusion_log = [](const TensorFunction& fn, const List& inputs) {
    LogCapture logs;
    const CompiledGraph compiled(capture(fn, inputs));
    return logs.text(CompileLog::fusion);
  };
  CHECK(has(fusion_log(
                [](const List& in) {
                  const Tensor e = in[0].exp();
                  return List{e.add(e.t())};
                },
                {x}),
            "it reads a result of the nest at other positions than it is written"));
  CHECK(has(fusion_log([](const List& in) { return List{in[0].exp().sum({0}).add(in[0].sum({1}))}; }, {x}),
            "the two reduce different dimensions"));
  CHECK(has(fusion_log(
                [](const List& in) {
                  return List{in[0].exp(), in[1].exp()};
                },
                {x, seeded({3, 3}, 2)}),
            "the two share no data: fusing would save nothing"));
  CHECK(has(fusion_log(
                [](const List& in) {
                  return List{in[0].exp(), in[1].exp()};
                },
                {x, seeded({7}, 2)}),
            "it walks [7], the nest walks [3, 3]"));
  CHECK(has(fusion_log([](const List& in) { return List{in[0].to(kHalf).exp()}; }, {x}),
            "loops are generated for f32 and f64 only, not for f16"));
}

}  // namespace gb::compiler
