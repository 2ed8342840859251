#include <doctest/doctest.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "compile/compile.h"
#include "compile/testing.h"
#include "core/error.h"
#include "dispatcher/library.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

using tests::has;
using tests::max_difference;
using tests::seeded;
using Tensors = std::vector<Tensor>;

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}

Tensor lying_cpu(const Tensor& x) { return x.clone(); }
Tensor lying_meta(const Tensor& x) { return empty_on(kMeta, {x.numel() + 1}, x.scalar_type()); }
Tensor failing_cpu(const Tensor&) {
  GB_THROW(ValueError, .what = "opaque::failing: no", .cause = "it always fails", .repair = "do not call it",
           .chapter = chapters::kCustomOps);
}

Tensor call_by_name(const char* name, const Tensor& x) {
  Stack stack{IValue(x)};
  Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(stack);
  return stack[0].toTensor();
}

}  // namespace

TEST_CASE("a fake kernel that disagrees with the real one") {
  auto fragment = MAKE_GB_LIBRARY_FRAGMENT(opaque);
  fragment.def("lying(Tensor x) -> Tensor");
  fragment.impl("lying", DispatchKey::CPU, GB_FN(lying_cpu));
  fragment.impl("lying", DispatchKey::Meta, GB_FN(lying_meta));
  const CompiledFunction f = compile([](const Tensor& x) { return call_by_name("opaque::lying", x); });
  const std::string message = message_of([&] { f(seeded({3}, 1)); });
  CHECK(has(message, "gb::compile: the fake kernel of opaque::lying disagrees with its real one"));
  CHECK(has(message, "result 0: the fake kernel said f32[4], the real one returned f32[3]"));
  CHECK(has(message, "register_fake"));
}

TEST_CASE("an error of a black box passes through the generated code") {
  auto fragment = MAKE_GB_LIBRARY_FRAGMENT(opaque);
  fragment.def("failing(Tensor x) -> Tensor");
  fragment.impl("failing", DispatchKey::CPU, GB_FN(failing_cpu));
  fragment.impl("failing", DispatchKey::Meta, GB_FN(lying_cpu));
  const CompiledFunction f =
      compile([](const Tensor& x) { return call_by_name("opaque::failing", x.exp()); });
  CHECK_THROWS_AS(f(seeded({3}, 1)), ValueError);
  CHECK(f.stats().compiles == 1);
}

TEST_CASE("no compiler: the call fails, nothing is kept, and the next call tries again") {
  const CompiledFunction f = compile([](const Tensor& x) { return x.mul(12345); });
  const Tensor x = seeded({3}, 1);
  setenv("GB_CXX", "no-such-compiler", 1);
  const std::string message = message_of([&] { f(x); });
  unsetenv("GB_CXX");
  CHECK(has(message, "gb::compile: no C++ compiler"));
  CHECK(f.stats().compiles == 0);
  CHECK(max_difference(f(x), x.mul(12345)) <= 1e-2);
  CHECK(f.stats().compiles == 1);
  CHECK(f.stats().recompiles == 0);
}

TEST_CASE("a callable that writes: refused, and eager still works") {
  const auto fn = [](const Tensor& x) { return x.mul_(x); };
  const CompiledFunction f = compile(fn);
  const Tensor x = seeded({3}, 1), before = x.clone();
  CHECK(has(message_of([&] { f(x); }),
            "aten::mul_.Tensor writes to one of its arguments, which is not supported yet"));
  CHECK(max_difference(x, before) == 0);
  CHECK(max_difference(fn(x), before.mul(before)) == 0);
}

TEST_CASE("bad calls") {
  const CompiledFunction pair = compile([](const Tensors& in) { return Tensors{in[0], in[0].exp()}; });
  CHECK(has(message_of([&] { pair(Tensor()); }), "gb::compile: an input is an undefined tensor"));
  CHECK(has(message_of([&] { pair(seeded({2}, 1)); }), "the callable returned 2 tensors"));
  const CompiledFunction::Function none;
  CHECK(has(message_of([&] { CompiledFunction(none, {}); }), "gb::compile: the callable is empty"));
  const CompiledFunction undefined = compile([](const Tensor&) { return Tensor(); });
  CHECK(has(message_of([&] { undefined(seeded({2}, 1)); }),
            "gb::compile: the callable returned an undefined tensor"));
  const CompiledFunction two = compile([](const Tensors& in) { return Tensors{in[0].exp()}; });
  CHECK(has(message_of([&] {
              two({seeded({2}, 1), empty_on(kMeta, {2}, kFloat)});
            }),
            "x1 is on meta, the tensors before it are on cpu"));
  // An error of the callable itself says where it happened.
  const CompiledFunction wrong = compile([](const Tensor& x) { return x.view({7}); });
  CHECK(has(message_of([&] { wrong(seeded({2}, 1)); }), "while gb::compile captured the callable"));
}

}  // namespace gb
