// The table of type promotion: seven dtypes by seven, each operand a tensor with dimensions, a 0-d tensor or a plain
// number, for add, sub, mul, div and a comparison. Both libraries give the same dtype, the same values, or both refuse.
#include <doctest/doctest.h>

#include "tests/libtorch/bridge.h"
#include "tests/libtorch/compare.h"
#include "tests/op_case.h"

namespace gb::tests {
namespace {

enum class Kind { kDimensions, kZeroDim, kNumber };

TensorSpec operand(Kind kind, ScalarType dtype) {
  TensorSpec spec = input(kind == Kind::kDimensions ? std::vector<int64_t>{3} : std::vector<int64_t>{});
  spec = spec.as(dtype).between(1, 3);
  spec.wrapped_number = kind == Kind::kNumber;
  return spec;
}

const char* name_of(Kind kind) {
  return kind == Kind::kDimensions ? "[3]" : kind == Kind::kZeroDim ? "0-d" : "number";
}

constexpr ScalarType kAllTypes[] = {kFloat, kDouble, kHalf, kBFloat16, kLong, kInt, kBool};
constexpr Kind kKinds[] = {Kind::kDimensions, Kind::kZeroDim, Kind::kNumber};

void compare_table(const std::string& op_name) {
  for (const Kind left_kind : kKinds)
    for (const Kind right_kind : kKinds)
      for (const ScalarType left : kAllTypes)
        for (const ScalarType right : kAllTypes) {
          const auto is_number = [](ScalarType t) { return t == kDouble || t == kLong || t == kBool; };
          if ((left_kind == Kind::kNumber && !is_number(left)) || (right_kind == Kind::kNumber && !is_number(right)))
            continue;  // a plain number is one of these three
          const OpCase op_case = op(op_name).on(operand(left_kind, left), operand(right_kind, right));
          const Question question{.op = op_name, .arguments = make_arguments(op_case, {}), .requires_grad = {}};
          const auto text = difference(ask_glassbox(question), libtorch::ask(question));
          CHECK_MESSAGE(!text, op_name, ": ", name_of(left_kind), " ", toString(left), " with ", name_of(right_kind), " ",
                        toString(right), ": ", text.value_or(""));
        }
}

TEST_CASE("add") { compare_table("aten::add.Tensor"); }
TEST_CASE("sub") { compare_table("aten::sub.Tensor"); }
TEST_CASE("mul") { compare_table("aten::mul.Tensor"); }
TEST_CASE("div") { compare_table("aten::div.Tensor"); }
TEST_CASE("eq") { compare_table("aten::eq.Tensor"); }
TEST_CASE("lt") { compare_table("aten::lt.Tensor"); }
TEST_CASE("add_, mul_ and div_: what may be stored where") {
  for (const char* name : {"aten::add_.Tensor", "aten::mul_.Tensor", "aten::div_.Tensor", "aten::copy_"}) compare_table(name);
}

}  // namespace
}  // namespace gb::tests
