#include "compile/lowering/loop_ir.h"

namespace gb::compiler {

ExprPtr constant(double value) {
  Expr e;
  e.constant = value;
  return std::make_shared<const Expr>(std::move(e));
}

ExprPtr call(ExprOp op, ExprPtr a, ExprPtr b) {
  Expr e;
  e.op = op;
  e.args.push_back(std::move(a));
  if (b) e.args.push_back(std::move(b));
  return std::make_shared<const Expr>(std::move(e));
}

void for_each_load(const ExprPtr& expr, const std::function<void(const Expr&)>& visit) {
  if (expr->op == ExprOp::kLoad) visit(*expr);
  for (const ExprPtr& arg : expr->args) for_each_load(arg, visit);
}

}  // namespace gb::compiler
