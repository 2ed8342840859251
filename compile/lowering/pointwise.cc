// Lowerings of the elementwise operators: one expression each, over the broadcast space of the result.
#include "compile/lowering/registry.h"

namespace gb::compiler {
namespace {

ExprPtr scaled(ExprPtr e, double factor) {
  return factor == 1 ? std::move(e) : call(ExprOp::kMul, constant(factor), std::move(e));
}

// add and sub: self (op) alpha * other. alpha is argument 2 in every overload.
Lowering with_alpha(ExprOp op, const char* what) {
  return [op, what](LoweringContext& ctx) -> LoweringResult {
    if (auto why = ctx.why_no_loops()) return ctx.decline(*why);
    const double alpha = ctx.constant_arg(2).toScalar().toDouble();
    return {{ctx.pointwise("", what, call(op, ctx.load(0), scaled(ctx.load(1), alpha)))}};
  };
}

Lowering binary(ExprOp op, const char* what) {
  return [op, what](LoweringContext& ctx) -> LoweringResult {
    if (auto why = ctx.why_no_loops()) return ctx.decline(*why);
    return {{ctx.pointwise("", what, call(op, ctx.load(0), ctx.load(1)))}};
  };
}

Lowering unary(ExprOp op, const char* what) {
  return [op, what](LoweringContext& ctx) -> LoweringResult {
    if (auto why = ctx.why_no_loops()) return ctx.decline(*why);
    return {{ctx.pointwise("", what, call(op, ctx.load(0)))}};
  };
}

const LoweringRegistration kLowerings[] = {
    register_lowering("aten::add.Tensor", with_alpha(ExprOp::kAdd, "add")),
    register_lowering("aten::add.Scalar", with_alpha(ExprOp::kAdd, "add")),
    register_lowering("aten::sub.Tensor", with_alpha(ExprOp::kSub, "sub")),
    register_lowering("aten::sub.Scalar", with_alpha(ExprOp::kSub, "sub")),
    register_lowering("aten::mul.Tensor", binary(ExprOp::kMul, "mul")),
    register_lowering("aten::mul.Scalar", binary(ExprOp::kMul, "mul")),
    register_lowering("aten::div.Tensor", binary(ExprOp::kDiv, "div")),
    register_lowering("aten::div.Scalar", binary(ExprOp::kDiv, "div")),
    register_lowering("aten::neg", unary(ExprOp::kNeg, "neg")),
    register_lowering("aten::exp", unary(ExprOp::kExp, "exp")),
    register_lowering("aten::log", unary(ExprOp::kLog, "log")),
};

}  // namespace
}  // namespace gb::compiler
