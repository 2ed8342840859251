#include "compile/compile.h"

#include <doctest/doctest.h>

#include "compile/testing.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "core/warning.h"
#include "ops/linear/linear.h"
#include "ops/softmax/softmax.h"
#include "tests/golden.h"

namespace gb {
namespace {

using tests::has;
using tests::max_difference;
using tests::seeded;
using Tensors = std::vector<Tensor>;

struct Warnings : WarningHandler {
  void process(const Warning& warning) override { texts.push_back(warning.msg()); }
  std::vector<std::string> texts;
};

}  // namespace

TEST_CASE("the second call runs the code of the first; another batch size recompiles once") {
  const Tensor w = seeded({600, 64}, 2), b = seeded({600}, 3);
  const auto eager = [&](const Tensor& x) { return softmax(linear(x, w, b), -1); };
  const CompiledFunction compiled = compile(eager, {{"x"}, {{"W", w}, {"b", b}}});
  const Tensor x = seeded({2, 64}, 1);
  CHECK(max_difference(compiled(x), eager(x)) <= 1e-6);
  CHECK(max_difference(compiled(seeded({2, 64}, 9)), eager(seeded({2, 64}, 9))) <= 1e-6);
  CHECK(compiled.stats().compiles == 1);
  CHECK(compiled.stats().recompiles == 0);
  CHECK(compiled.stats().calls == 2);
  CHECK(compiled.stats().last_guard_failure == "");

  LogCapture logs;
  const Tensor longer = seeded({3, 64}, 4);
  CHECK(max_difference(compiled(longer), eager(longer)) <= 1e-6);
  CHECK(compiled.stats().recompiles == 1);
  CHECK(compiled.stats().last_guard_failure == "size of input 0 (x) at dimension 0: expected 2, actual 3");
  CHECK(logs.text(CompileLog::recompiles) ==
        "recompile 1: size of input 0 (x) at dimension 0: expected 2, actual 3\n");
  tests::check_golden("compile/testdata/guards.log", logs.text(CompileLog::guards));

  compiled(x), compiled(longer);  // both versions are kept
  CHECK(compiled.stats().compiles == 2);
  CHECK(compiled.stats().eager_calls == 0);
  CHECK(has(compiled.stats().graph, "softmax: f32[3, 600] = aten::_softmax(addmm, -1, False)"));
  CHECK(has(compiled.stats().code, "for (int64_t i0 = 0; i0 < 3; ++i0)"));
}

TEST_CASE("a second callable with the same graph finds the library of the first") {
  const auto fn = [](const Tensor& x) { return x.exp().mul(3); };
  const CompiledFunction first = compile(fn), second = compile(fn);
  const Tensor x = seeded({5}, 1);
  first(x);
  LogCapture logs;
  CHECK(max_difference(second(x), fn(x)) <= 1e-6);
  CHECK(second.stats().cache_hits == 1);
  CHECK(has(logs.text(CompileLog::cache), "loaded already"));
  CHECK(first.stats().library == second.stats().library);
}

TEST_CASE("every kind of guard") {
  const CompiledFunction f = compile([](const Tensors& in) { return Tensors{in[0].mul(2)}; });
  const auto failure_of = [&](const Tensors& in) {
    f(in);
    return f.stats().last_guard_failure;
  };
  const Tensor x = seeded({3, 3}, 1);
  f({x});
  CHECK(failure_of({x, x}) == "number of inputs: expected 1, actual 2");
  CHECK(failure_of({seeded({3}, 1)}) == "number of inputs: expected 2, actual 1");  // of the newest version
  CHECK(failure_of({seeded({3}, 1, kDouble)}) == "dtype of input 0 (x): expected Float, actual Double");
  CHECK(failure_of({seeded({3, 3}, 1, kDouble)}) == "rank of input 0 (x): expected 1, actual 2");
  CHECK(failure_of({seeded({3, 3}, 1, kDouble).t()}) ==
        "stride of input 0 (x) at dimension 0: expected 3, actual 1");
  {
    const NoGradGuard no_grad;
    CHECK(failure_of({seeded({3, 3}, 1, kDouble).t()}) == "grad mode: expected on, actual off");
  }
  const Tensor wants = seeded({3, 3}, 1, kDouble);
  wants.requires_grad_();
  const CompiledFunction g = compile([](const Tensor& t) { return t.mul(2); });
  g(seeded({3, 3}, 1, kDouble));
  g(wants);
  CHECK(g.stats().last_guard_failure == "requires_grad of input 0 (x): expected False, actual True");
}

TEST_CASE("past the limit calls run eagerly, with one warning") {
  const CompiledFunction f = compile([](const Tensor& x) { return x.mul(2); },
                                     {.input_names = {}, .parameter_names = {}, .recompile_limit = 2});
  Warnings warnings;
  const WarningUtils::WarningHandlerGuard guard(&warnings);
  for (int64_t n : {1, 2, 3, 4}) CHECK(max_difference(f(seeded({n}, 1)), seeded({n}, 1).mul(2)) == 0);
  CHECK(f.stats().compiles == 2);
  CHECK(f.stats().recompiles == 1);
  CHECK(f.stats().eager_calls == 2);
  REQUIRE(warnings.texts.size() == 1);
  CHECK(has(warnings.texts[0], "the callable has 2 compiled versions, the recompile_limit"));
  CHECK(has(warnings.texts[0], "size of input 0 (x) at dimension 0: expected 2, actual 3"));
}

TEST_CASE("a parameter is read at every run; a compiled callable inside another is captured with it") {
  const Tensor w = seeded({3}, 2);
  const CompiledFunction inner = compile([&](const Tensor& x) { return x.mul(w); });
  const CompiledFunction outer = compile([&](const Tensor& x) { return inner(x).exp(); });
  const Tensor x = seeded({3}, 1);
  CHECK(max_difference(outer(x), x.mul(w).exp()) <= 1e-6);
  w.mul_(w);
  CHECK(max_difference(outer(x), x.mul(w).exp()) <= 1e-6);
  CHECK(outer.stats().compiles == 1);
  CHECK(inner.stats().calls == 0);
  CHECK(has(outer.stats().graph, "aten::exp(mul)"));
}

TEST_CASE("an output that is a view of an input shares its memory, as in eager") {
  const CompiledFunction f = compile([](const Tensor& x) { return x.t(); });
  const Tensor x = seeded({2, 3}, 1);
  const Tensor y = f(x);
  CHECK(y.is_alias_of(x));
  CHECK(y.strides() == IntArrayRef({1, 3}));
}

}  // namespace gb
