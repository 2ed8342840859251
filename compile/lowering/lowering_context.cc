#include <fmt/format.h>

#include "compile/lowering/registry.h"
#include "core/error.h"
#include "kernels/cpu/gemm.h"

namespace gb::compiler {

std::optional<std::string> LoweringContext::why_no_loops() const {
  if (!graph_.device.is_cpu())
    return fmt::format("loops are generated for the CPU only, not for {}", graph_.device.str());
  const ScalarType dtype = result().dtype;
  if (dtype != kFloat && dtype != kDouble) {
    return fmt::format("loops are generated for f32 and f64 only, not for {}", dtype_abbr(dtype));
  }
  for (const Argument& arg : node().args) {
    for (const ValueRef& v : arg.refs) {
      const bool number = v.is_input && graph_.inputs[v.index].number;
      if (!number && graph_.meta(v).dtype != dtype) {
        return fmt::format("its operands mix {} and {}", dtype_abbr(graph_.meta(v).dtype), dtype_abbr(dtype));
      }
    }
  }
  return std::nullopt;
}

ExprPtr LoweringContext::load_arg(size_t arg, const std::vector<int64_t>& space) const {
  if (!is_tensor(arg)) return constant(constant_arg(arg).toScalar().toDouble());
  const ValueRef& v = node().args[arg].refs[0];
  if (v.is_input && graph_.inputs[v.index].number) return constant(*graph_.inputs[v.index].number);
  return load_value(program_.value(v), space);
}

ExprPtr LoweringContext::load_value(const Value& v, const std::vector<int64_t>& space) {
  Expr e;
  e.op = ExprOp::kLoad;
  e.buffer = v.buffer;
  e.offset = v.offset;
  e.strides.assign(space.size(), 0);
  const size_t missing = space.size() - v.sizes.size();
  for (size_t d = 0; d < v.sizes.size(); ++d) {
    if (v.sizes[d] != 1) e.strides[missing + d] = v.strides[d];
  }
  return std::make_shared<const Expr>(std::move(e));
}

int LoweringContext::add_buffer(const std::string& suffix, TensorMeta meta) {
  const std::string wish = suffix.empty() ? node().names[0] : node().names[0] + "_" + suffix;
  program_.buffers.push_back({Buffer::Kind::kComputed, unique_buffer_name(program_, wish), std::move(meta)});
  return static_cast<int>(program_.buffers.size()) - 1;
}

Value LoweringContext::add_step(LoopStep step, const TensorMeta& meta, const std::string& what) {
  step.source = toString(node().op.operator_name());
  step.what = what;
  const Value value{step.buffer, meta.sizes, meta.strides, 0, meta.dtype};
  program_.steps.push_back(std::move(step));
  return value;
}

Value LoweringContext::pointwise(const std::string& suffix, const std::string& what, ExprPtr body) {
  TensorMeta meta = result();
  meta.storage_offset = 0;
  LoopStep step;
  step.buffer = add_buffer(suffix, meta);
  step.space = meta.sizes;
  step.reduced.assign(meta.sizes.size(), false);
  step.write_strides = meta.strides;
  step.body = std::move(body);
  return add_step(std::move(step), meta, what);
}

Value LoweringContext::reduction(const std::string& suffix, const std::string& what, ReduceOp op,
                                 const std::vector<int64_t>& space, const std::vector<bool>& reduced,
                                 ExprPtr body) {
  TensorMeta meta;
  meta.dtype = result().dtype;
  meta.sizes = space;
  meta.strides.assign(space.size(), 1);
  int64_t stride = 1;
  for (size_t d = space.size(); d-- > 0;) {
    if (reduced[d]) meta.sizes[d] = 1;
    meta.strides[d] = stride;
    stride *= meta.sizes[d];
  }
  LoopStep step;
  step.buffer = add_buffer(suffix, meta);
  step.space = space;
  step.reduced = reduced;
  step.write_strides = meta.strides;
  for (size_t d = 0; d < space.size(); ++d) {
    if (reduced[d]) step.write_strides[d] = 0;
  }
  step.reduce = op;
  step.body = std::move(body);
  return add_step(std::move(step), meta, what);
}

Value LoweringContext::view(size_t base_arg) {
  const TensorMeta& base_meta = graph_.meta(node().args[base_arg].refs[0]);
  const Value& base = arg(base_arg);
  const Value value{base.buffer, result().sizes, result().strides,
                    base.offset + result().storage_offset - base_meta.storage_offset, result().dtype};
  program_.steps.push_back(ViewStep{node_index_, value});
  return value;
}

Value LoweringContext::gemm(const std::string& suffix, const Value& a, const Value& b) {
  GB_INTERNAL_ASSERT(cpu::gemm_accepts(a.sizes[0], a.sizes[1], a.strides[0], a.strides[1]) &&
                     cpu::gemm_accepts(b.sizes[0], b.sizes[1], b.strides[0], b.strides[1]));
  GemmStep step;
  step.m = a.sizes[0], step.k = a.sizes[1], step.n = b.sizes[1];
  step.a = a, step.b = b;
  step.source = toString(node().op.operator_name());
  step.buffer = add_buffer(suffix, {{step.m, step.n}, {step.n, 1}, 0, result().dtype});
  const Value value{step.buffer, {step.m, step.n}, {step.n, 1}, 0, result().dtype};
  program_.steps.push_back(std::move(step));
  return value;
}

}  // namespace gb::compiler
