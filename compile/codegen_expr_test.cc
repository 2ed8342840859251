#include "compile/codegen_expr.h"

#include <doctest/doctest.h>

#include <cmath>

#include "compile/sanitize_name.h"

namespace gb::compiler {
namespace {

ExprPtr load(int buffer) {
  Expr e;
  e.op = ExprOp::kLoad;
  e.buffer = buffer;
  return std::make_shared<const Expr>(e);
}
std::string text(const ExprPtr& e, ScalarType dtype = kFloat) {
  return expression(e, dtype,
                    [](const Expr& l) { return std::string(1, static_cast<char>('a' + l.buffer)); });
}

}  // namespace

TEST_CASE("a literal reads back as the value it stands for, in its type") {
  CHECK(literal(1, kFloat) == "1.0f");
  CHECK(literal(0.1, kFloat) == "0.1f");
  CHECK(literal(0.1, kDouble) == "0.1");
  CHECK(literal(-2, kDouble) == "-2.0");
  CHECK(literal(1e-30, kFloat) == "1e-30f");
  CHECK(literal(INFINITY, kFloat) == "INFINITY");
  CHECK(literal(1e300, kFloat) == "INFINITY");  // as the conversion of the number to float gives
  CHECK(literal(NAN, kDouble) == "NAN");
}

TEST_CASE("parentheses keep the order of the operations") {
  const ExprPtr a = load(0), b = load(1), c = load(2);
  CHECK(text(call(ExprOp::kAdd, call(ExprOp::kAdd, a, b), c)) == "a + b + c");
  CHECK(text(call(ExprOp::kAdd, a, call(ExprOp::kAdd, b, c))) == "a + (b + c)");
  CHECK(text(call(ExprOp::kMul, call(ExprOp::kSub, a, b), c)) == "(a - b) * c");
  CHECK(text(call(ExprOp::kDiv, a, call(ExprOp::kMul, b, c))) == "a / (b * c)");
  CHECK(text(call(ExprOp::kNeg, call(ExprOp::kNeg, a))) == "-(-a)");
  CHECK(text(call(ExprOp::kSub, a, constant(-1))) == "a - (-1.0f)");
  CHECK(text(call(ExprOp::kExp, call(ExprOp::kSub, a, b)), kDouble) == "std::exp(a - b)");
}

TEST_CASE("a position leaves out what does not move it") {
  CHECK(position({600, 1}, {2, 600}, 0) == "i0 * 600 + i1");
  CHECK(position({0, 1}, {2, 600}, 0) == "i1");
  CHECK(position({600, 1}, {1, 600}, 8) == "i1 + 8");
  CHECK(position({}, {}, 0) == "0");
}

TEST_CASE("names become valid in C++") {
  CHECK(sanitize_name("_softmax") == "softmax");
  CHECK(sanitize_name("double") == "double_");
  CHECK(sanitize_name("2x") == "v2x");
  CHECK(sanitize_name("a-b") == "a_b");
  CHECK(sanitize_name("") == "v");
  CHECK(sanitize_name("i0") == "i0_");  // a loop variable of the generated code
}

}  // namespace gb::compiler
