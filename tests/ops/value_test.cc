// Every case: does the call succeed or fail as it should, are the arguments it may not write left alone, and where the
// operator has a naive reference, are the values its?
#include <doctest/doctest.h>

#include <cmath>

#include "dispatcher/dispatcher.h"
#include "tests/op_cases.h"
#include "tests/ops/naive.h"
#include "tests/ops/run_case.h"

namespace gb::tests {
namespace {

double tolerance_of(ScalarType dtype) {
  return dtype == kDouble ? 1e-12 : dtype == kFloat ? 2e-6 : dtype == kHalf ? 2e-3 : dtype == kBFloat16 ? 1.6e-2 : 0;
}

// The first element where the two differ, or -1.
int64_t first_difference(const Tensor& a, const Tensor& b, double tolerance) {
  for (int64_t i = 0; i < a.numel(); ++i) {
    const double x = element(a, i), y = element(b, i);
    if (x == y || (std::isnan(x) && std::isnan(y))) continue;
    if (!(std::abs(x - y) <= tolerance * (1 + std::abs(y)))) return i;
  }
  return -1;
}

bool same_values(const IValue& a, const IValue& b) {
  if (!a.isTensor() || !a.toTensor().defined()) return true;
  return a.toTensor().sizes() == b.toTensor().sizes() && first_difference(a.toTensor(), b.toTensor(), 0) == -1;
}

TEST_CASE("every case runs, or is refused as it says") {
  for (const OpCase& op_case : all_op_cases()) {
    for (const ScalarType dtype : op_case.dtypes) {
      CAPTURE(describe(op_case, dtype));
      const Run result = run(op_case, {.dtype = dtype});
      if (op_case.expects_error) {
        CHECK_MESSAGE(result.error.has_value(), "no error");
        continue;
      }
      CHECK_MESSAGE(!result.error, result.error.value_or(""));
    }
  }
}

// Bad input changes nothing, and good input only what the schema says.
TEST_CASE("arguments that the schema does not mark as written keep their values and version") {
  for (const OpCase& op_case : all_op_cases()) {
    CAPTURE(op_case.title());
    const Stack before = make_arguments(op_case, {});
    const Run result = run(op_case, {});
    const size_t dot = op_case.op.find('.');
    const FunctionSchema& schema =
        Dispatcher::singleton()
            .findSchemaOrThrow(op_case.op.substr(0, dot).c_str(),
                               dot == std::string::npos ? "" : op_case.op.c_str() + dot + 1)
            .schema();
    for (size_t i = 0; i < before.size(); ++i) {
      CAPTURE(i);
      if (!result.arguments[i].isTensor() || !result.arguments[i].toTensor().defined()) continue;
      const bool written = schema.arguments()[i].is_write() && !result.error;
      // detach_ writes the history, not the data.
      const bool bumped = written && op_case.op != "aten::detach_";
      CHECK(result.arguments[i].toTensor()._version() == (bumped ? 1 : 0));
      if (!written) CHECK(same_values(result.arguments[i], before[i]));
    }
  }
}

TEST_CASE("values are those of the naive reference") {
  size_t compared = 0;
  for (const OpCase& op_case : all_op_cases()) {
    const auto naive = naive_references().find(op_case.op);
    if (naive == naive_references().end() || op_case.expects_error) continue;
    for (const ScalarType dtype : op_case.dtypes) {
      CAPTURE(describe(op_case, dtype));
      const Tensor expected = naive->second(make_arguments(op_case, {.dtype = dtype}));
      const Run result = run(op_case, {.dtype = dtype});
      REQUIRE(result.results.size() == 1);
      const Tensor& actual = result.results[0].toTensor();
      REQUIRE(actual.sizes() == expected.sizes());
      // The result may be narrower than the input: exp of integers is float32.
      const double tolerance = std::max(tolerance_of(dtype), tolerance_of(actual.scalar_type()));
      const int64_t at = first_difference(actual, expected, tolerance * op_case.tolerance);
      CHECK_MESSAGE(at == -1, "element ", at, ": ", at < 0 ? 0 : element(actual, at), " instead of ",
                    at < 0 ? 0 : element(expected, at));
      ++compared;
    }
  }
  CHECK(compared >= 2 * naive_references().size());  // every reference was used, in two dtypes
}

TEST_CASE("two runs give the same bits") {
  for (const OpCase& op_case : all_op_cases()) {
    if (op_case.expects_error || !op_case.defines_values) continue;
    CAPTURE(op_case.title());
    const Run first = run(op_case, {.dtype = kFloat}), second = run(op_case, {.dtype = kFloat});
    REQUIRE(first.results.size() == second.results.size());
    for (size_t i = 0; i < first.results.size(); ++i) CHECK(same_values(first.results[i], second.results[i]));
  }
}

}  // namespace
}  // namespace gb::tests
