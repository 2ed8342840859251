#include "compile/codegen_expr.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"

namespace gb::compiler {
namespace {

enum Precedence { kSumLevel = 1, kProductLevel = 2, kAtom = 3 };

struct Text {
  std::string text;
  Precedence level;
};

std::string at_least(const Text& t, Precedence level) {
  return t.level >= level ? t.text : "(" + t.text + ")";
}

Text text_of(const ExprPtr& e, ScalarType dtype, const std::function<std::string(const Expr&)>& load) {
  const auto arg = [&](size_t i) { return text_of(e->args[i], dtype, load); };
  // Floating-point arithmetic is not associative: the right operand keeps its parentheses on the same level.
  const auto infix = [&](const char* sign, Precedence level) {
    const auto above = static_cast<Precedence>(level + 1);
    return Text{fmt::format("{} {} {}", at_least(arg(0), level), sign, at_least(arg(1), above)), level};
  };
  switch (e->op) {
    case ExprOp::kLoad:
      return {load(*e), kAtom};
    case ExprOp::kConstant:
      return {literal(e->constant, dtype), e->constant < 0 ? kSumLevel : kAtom};
    case ExprOp::kAdd:
      return infix("+", kSumLevel);
    case ExprOp::kSub:
      return infix("-", kSumLevel);
    case ExprOp::kMul:
      return infix("*", kProductLevel);
    case ExprOp::kDiv:
      return infix("/", kProductLevel);
    case ExprOp::kNeg:
      return {"-" + at_least(arg(0), kAtom), kProductLevel};
    case ExprOp::kExp:
      return {fmt::format("std::exp({})", arg(0).text), kAtom};
    case ExprOp::kLog:
      return {fmt::format("std::log({})", arg(0).text), kAtom};
  }
  GB_INTERNAL_ASSERT(false, "unknown expression");
}

}  // namespace

const char* c_type(ScalarType dtype) { return dtype == kDouble ? "double" : "float"; }

std::string position(const std::vector<int64_t>& strides, const std::vector<int64_t>& sizes, int64_t offset) {
  std::string text;
  const auto add = [&](const std::string& term) { text += (text.empty() ? "" : " + ") + term; };
  for (size_t d = 0; d < strides.size(); ++d) {
    if (strides[d] == 0 || sizes[d] == 1) continue;
    add(strides[d] == 1 ? fmt::format("i{}", d) : fmt::format("i{} * {}", d, strides[d]));
  }
  if (offset != 0 || text.empty()) add(std::to_string(offset));
  return text;
}

std::string literal(double value, ScalarType dtype) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
  std::string text =
      dtype == kDouble ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
  if (dtype == kFloat && std::isinf(static_cast<float>(value))) return value > 0 ? "INFINITY" : "-INFINITY";
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return dtype == kDouble ? text : text + "f";
}

std::string expression(const ExprPtr& expr, ScalarType dtype,
                       const std::function<std::string(const Expr&)>& load) {
  return text_of(expr, dtype, load).text;
}

}  // namespace gb::compiler
