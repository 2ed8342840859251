// The Meta kernels against the real ones: the same geometry, dtype and sharing of memory, and the same refusals.
#include <doctest/doctest.h>

#include "tests/op_cases.h"
#include "tests/ops/run_case.h"

namespace gb::tests {
namespace {

// Which argument each result shares memory with, or "-".
std::string aliasing(const Run& run, const Stack& arguments) {
  std::string text;
  for (const IValue& result : run.results) {
    std::string alias = "-";
    for (size_t i = 0; i < arguments.size(); ++i)
      if (result.isTensor() && arguments[i].isTensor() && arguments[i].toTensor().defined() &&
          result.toTensor().storage().is_alias_of(arguments[i].toTensor().storage()))
        alias = std::to_string(i);
    text += alias + " ";
  }
  return text;
}

TEST_CASE("a Meta kernel gives the geometry that the real one gives") {
  int compared = 0;
  for (const OpCase& op_case : all_op_cases()) {
    if (!op_case.has_meta || op_case.expects_error) continue;
    for (const ScalarType dtype : op_case.dtypes) {
      CAPTURE(describe(op_case, dtype));
      const Run real = run(op_case, {.dtype = dtype}), meta = run(op_case, {.dtype = dtype, .on_meta = true});
      REQUIRE_MESSAGE(!real.error, real.error.value_or(""));
      CHECK_MESSAGE(!meta.error, meta.error.value_or(""));
      if (meta.error) continue;
      CHECK(geometry(meta.results) == geometry(real.results));
      CHECK(aliasing(meta, meta.arguments) == aliasing(real, real.arguments));
      for (const IValue& result : meta.results)
        if (result.isTensor() && result.toTensor().defined()) CHECK(result.toTensor().is_meta());
      ++compared;
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("what is refused by shape or dtype is refused on Meta too") {
  for (const OpCase& op_case : all_op_cases()) {
    if (!op_case.has_meta || !op_case.expects_error) continue;
    CAPTURE(op_case.title());
    const Run meta = run(op_case, {.on_meta = true});
    CHECK_MESSAGE(meta.error.has_value(), "no error");
  }
}

}  // namespace
}  // namespace gb::tests
