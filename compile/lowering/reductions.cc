// Lowerings of the reductions, and of softmax, which is two of them and two elementwise steps:
//   m = max over dim;  e = exp(x - m);  s = sum of e over dim;  y = e / s
// The maximum is subtracted first so that exp never overflows.
#include "compile/lowering/registry.h"

namespace gb::compiler {
namespace {

// Which dimensions of `sizes` a list of dims means; an empty list or None means all.
std::vector<bool> reduced_dims(const IValue& dims, size_t ndim) {
  std::vector<bool> reduced(ndim, false);
  if (dims.isNone() || dims.toIntVector().empty()) return std::vector<bool>(ndim, true);
  for (int64_t d : dims.toIntVector()) {
    if (ndim > 0) reduced[static_cast<size_t>(d < 0 ? d + static_cast<int64_t>(ndim) : d)] = true;
  }
  return reduced;
}

int64_t reduced_count(const std::vector<int64_t>& space, const std::vector<bool>& reduced) {
  int64_t n = 1;
  for (size_t d = 0; d < space.size(); ++d) n *= reduced[d] ? space[d] : 1;
  return n;
}

// The reduction's result has its reduced dimensions kept; without keepdim they go, which changes no position
// in memory.
Value as_result(const LoweringContext& ctx, Value v) {
  v.sizes = ctx.result().sizes;
  v.strides = ctx.result().strides;
  return v;
}

// `has_dims`: argument 1 lists dimensions (else all are reduced).
Lowering reduce(ReduceOp op, bool has_dims, bool mean, const char* what) {
  return [=](LoweringContext& ctx) -> LoweringResult {
    if (auto why = ctx.why_no_loops()) return ctx.decline(*why);
    if (!ctx.result().is_contiguous()) return ctx.decline("its result is not contiguous");
    const std::vector<int64_t> space = ctx.arg(0).sizes;
    const std::vector<bool> reduced =
        has_dims ? reduced_dims(ctx.constant_arg(1), space.size()) : std::vector<bool>(space.size(), true);
    const Value total =
        as_result(ctx, ctx.reduction(mean ? "sum" : "", what, op, space, reduced, ctx.load_arg(0, space)));
    if (!mean) return {{total}};
    const double count = static_cast<double>(reduced_count(space, reduced));
    return {{ctx.pointwise(
        "", "divide by the count",
        call(ExprOp::kDiv, LoweringContext::load_value(total, total.sizes), constant(count)))}};
  };
}

LoweringResult lower_softmax(LoweringContext& ctx) {
  if (auto why = ctx.why_no_loops()) return ctx.decline(*why);
  const std::vector<int64_t>& space = ctx.result().sizes;
  if (space.empty()) return ctx.decline("its input has no dimension to loop over");
  const int64_t dim = ctx.constant_arg(1).toInt();
  std::vector<bool> reduced(space.size(), false);
  reduced[static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(space.size()) : dim)] = true;

  const ExprPtr x = ctx.load(0);
  const Value m = ctx.reduction("max", "max", ReduceOp::kMax, space, reduced, x);
  const Value e =
      ctx.pointwise("exp", "exp(x - max)",
                    call(ExprOp::kExp, call(ExprOp::kSub, x, LoweringContext::load_value(m, space))));
  const ExprPtr e_here = LoweringContext::load_value(e, space);
  const Value s = ctx.reduction("sum", "sum", ReduceOp::kSum, space, reduced, e_here);
  return {{ctx.pointwise("", "divide", call(ExprOp::kDiv, e_here, LoweringContext::load_value(s, space)))}};
}

const LoweringRegistration kLowerings[] = {
    register_lowering("aten::sum", reduce(ReduceOp::kSum, false, false, "sum")),
    register_lowering("aten::sum.dim_IntList", reduce(ReduceOp::kSum, true, false, "sum")),
    register_lowering("aten::mean", reduce(ReduceOp::kSum, false, true, "sum")),
    register_lowering("aten::mean.dim", reduce(ReduceOp::kSum, true, true, "sum")),
    register_lowering("aten::amax", reduce(ReduceOp::kMax, true, false, "max")),
    register_lowering("aten::_softmax", lower_softmax),
};

}  // namespace
}  // namespace gb::compiler
