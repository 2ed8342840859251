// Every error of the schema parser with its full text: testdata/schema_errors.golden.
// To re-record: GB_UPDATE_GOLDEN=1 bazel run //dispatcher:schema_errors_test
#include <doctest/doctest.h>

#include "dispatcher/schema_parser.h"
#include "dispatcher/testing.h"
#include "tests/golden.h"

namespace {

// One per error, in the order of the grammar: names, frame, arguments, types, annotations, defaults, returns, lexer.
const char* const kBad[] = {
    "",
    "::f() -> ()",
    "aten::",
    "a::b::c() -> ()",
    "a::f.",
    "a::f.default(Tensor x) -> ()",
    "a::f.__dunder(Tensor x) -> ()",
    "a::f",
    "a::f(Tensor x -> Tensor",
    "a::f(Tensor x)",
    "a::f(Tensor x) -> Tensor y z",
    "a::f(Tensor) -> Tensor",
    "a::f(Tensor x,) -> Tensor",
    "a::f(Tensor x, int x) -> Tensor",
    "a::f(int y=3, Tensor z) -> ()",
    "a::f(*, *) -> ()",
    "a::f(..., int x) -> ()",
    "a::f(Tensr x) -> Tensor",
    "a::f(Dict(str) x) -> ()",
    "a::f(__torch__.3 x) -> ()",
    "a::f(int?? x) -> ()",
    "a::f(int[2][3] x) -> ()",
    "a::f(int[x] x) -> ()",
    "a::f(int[9999999999] x) -> ()",
    "a::f(int[2.5] x) -> ()",
    "a::f(Tensor(a x) -> ()",
    "a::f(Tensor() x) -> ()",
    "a::f(Tensor(a|) x) -> ()",
    "a::f(Tensor(a -> ) x) -> ()",
    "a::f(int(a!) x) -> ()",
    "a::f(bool! x) -> ()",
    "a::f(Tensor x=3) -> ()",
    "a::f(int x=None) -> ()",
    "a::f(int x=) -> ()",
    "a::f(int x=1.5) -> ()",
    "a::f(int x=99999999999999999999) -> ()",
    "a::f(float x=1e999) -> ()",
    "a::f(float x=one) -> ()",
    "a::f(bool x=1) -> ()",
    "a::f(str x=word) -> ()",
    "a::f(Device d=cpu) -> ()",
    "a::f(Device d=\"abacus\") -> ()",
    "a::f(Generator g=3) -> ()",
    "a::f(int[] x=1) -> ()",
    "a::f(int[2] x=[1, 2) -> ()",
    "a::f(int[][] x=[[1]]) -> ()",
    "a::f(Tensor x) -> Tensor(b)",
    "a::f(Tensor(a) x) -> (Tensor(a), Tensor(b)[])",
    "a::f(Tensor x) -> (..., Tensor)",
    "a::f(Tensor x) ->",
    "a::f(str x=\"abc) -> ()",
    "a::f(float x=1e) -> ()",
    "a::f(Tensor @x) -> ()",
};

}  // namespace

TEST_CASE("schema errors: each shows the text, a caret under the mistake, and a repair") {
  std::string all;
  for (const char* text : kBad) {
    const std::string error = gb::testing::error_of([&] { gb::jit::parseSchema(text); });
    CAPTURE(text);
    CHECK(gb::testing::starts_with(error, "schema: "));
    CHECK(gb::testing::contains(error, "\n  repair:  "));
    all += error + "\n\n";
  }
  all += gb::testing::error_of([] { gb::jit::parseSchema("a::f(t x) -> t", false); }) + "\n\n";
  all += gb::testing::error_of([] { gb::jit::parseName("a::f(Tensor x)"); }) + "\n\n";
  all += gb::testing::error_of([] { gb::jit::parseSchema("a::f(" + std::string(70, '(')); }) + "\n";
  gb::tests::check_golden("dispatcher/testdata/schema_errors.golden", all);
}
