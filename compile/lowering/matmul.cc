// Lowerings of mm and addmm: the product goes to glassbox's own CPU gemm, which no generated loop would beat;
// the bias add is a loop of its own, so that it can fuse with what follows.
#include "compile/lowering/registry.h"
#include "kernels/cpu/gemm.h"

namespace gb::compiler {
namespace {

std::optional<std::string> why_not_gemm(const LoweringContext& ctx, size_t first) {
  if (auto why = ctx.why_no_loops()) return why;
  for (size_t i = first; i < first + 2; ++i) {
    const Value& v = ctx.arg(i);
    if (!cpu::gemm_accepts(v.sizes[0], v.sizes[1], v.strides[0], v.strides[1])) {
      return "a matrix without a unit stride has to be copied before gemm takes it";
    }
  }
  return std::nullopt;
}

LoweringResult lower_mm(LoweringContext& ctx) {
  if (auto why = why_not_gemm(ctx, 0)) return ctx.decline(*why);
  return {{ctx.gemm("", ctx.arg(0), ctx.arg(1))}};
}

// beta * self + alpha * (mat1 @ mat2). With beta = 0, self is not read: a NaN there must not spread.
LoweringResult lower_addmm(LoweringContext& ctx) {
  if (auto why = why_not_gemm(ctx, 1)) return ctx.decline(*why);
  const double beta = ctx.constant_arg(3).toScalar().toDouble(),
               alpha = ctx.constant_arg(4).toScalar().toDouble();
  const Value product = ctx.gemm("mm", ctx.arg(1), ctx.arg(2));
  ExprPtr sum = LoweringContext::load_value(product, ctx.result().sizes);
  if (alpha != 1) sum = call(ExprOp::kMul, constant(alpha), sum);
  if (beta != 0) {
    ExprPtr bias = ctx.load(0);
    if (beta != 1) bias = call(ExprOp::kMul, constant(beta), bias);
    sum = call(ExprOp::kAdd, sum, bias);
  }
  return {{ctx.pointwise("", "bias add", sum)}};
}

const LoweringRegistration kLowerings[] = {
    register_lowering("aten::mm", lower_mm),
    register_lowering("aten::addmm", lower_addmm),
};

}  // namespace
}  // namespace gb::compiler
