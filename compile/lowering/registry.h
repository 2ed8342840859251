// The registry of lowerings: per operator, a function that says it in loops.
//
//   register_lowering("aten::exp", [](LoweringContext& ctx) {
//     return ctx.pointwise("exp", call(ExprOp::kExp, ctx.load(0)));
//   });
//
// A lowering may decline a call it does not cover (a dtype, a layout): the call is then opaque, and the log
// gives the reason. It declines before it adds any step. An operator without a lowering is opaque too. In
// PyTorch: torch/_inductor/lowering.py, @register_lowering and make_fallback.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "compile/lowering/loop_ir.h"

namespace gb::compiler {

using LoweringResult = std::optional<std::vector<Value>>;  // one value per result; nothing: declined

class LoweringContext {
 public:
  LoweringContext(LoopProgram& program, const Graph& graph, int node)
      : program_(program), graph_(graph), node_index_(node) {}

  // --- the call
  const Node& node() const { return graph_.nodes[node_index_]; }
  const Graph& graph() const { return graph_; }
  const TensorMeta& result() const { return node().results[0]; }
  bool is_tensor(size_t arg) const { return node().args[arg].kind == Argument::Kind::kValue; }
  const IValue& constant_arg(size_t arg) const { return node().args[arg].constant; }
  const Value& arg(size_t i) const { return program_.value(node().args[i].refs[0]); }
  LoweringResult decline(std::string why) {
    why_declined_ = std::move(why);
    return std::nullopt;
  }
  const std::string& why_declined() const { return why_declined_; }
  // Are result and tensor arguments float32 or float64, all the same (numbers aside), on the CPU? Else the
  // reason.
  std::optional<std::string> why_no_loops() const;

  // --- expressions
  ExprPtr load(size_t arg) const {
    return load_arg(arg, result().sizes);
  }  // a tensor or a number, over the result's space
  ExprPtr load_arg(size_t arg, const std::vector<int64_t>& space) const;
  static ExprPtr load_value(const Value& v,
                            const std::vector<int64_t>& space);  // broadcasts, dimensions right-aligned

  // --- steps; `what` says in a word which part of the operator it is. An empty `suffix` names the node's own
  // result.
  Value pointwise(const std::string& suffix, const std::string& what,
                  ExprPtr body);  // over the result's space
  // Reduces `space`; the result keeps the reduced dimensions with size 1.
  Value reduction(const std::string& suffix, const std::string& what, ReduceOp op,
                  const std::vector<int64_t>& space, const std::vector<bool>& reduced, ExprPtr body);
  Value view(size_t base_arg);  // the result is a view of that argument
  Value gemm(const std::string& suffix, const Value& a, const Value& b);

 private:
  int add_buffer(const std::string& suffix, TensorMeta meta);
  Value add_step(LoopStep step, const TensorMeta& meta, const std::string& what);  // meta: of the buffer it fills

  LoopProgram& program_;
  const Graph& graph_;
  int node_index_;
  std::string why_declined_;
};

using Lowering = std::function<LoweringResult(LoweringContext&)>;

// The newest registration for a name counts; it ends with the handle. Keep the handle in static storage, or
// in a local for a registration that ends with a scope.
class LoweringRegistration {
 public:
  LoweringRegistration(std::string op, Lowering lowering);
  LoweringRegistration(LoweringRegistration&& o) noexcept
      : op_(std::move(o.op_)), id_(std::exchange(o.id_, 0)) {}
  LoweringRegistration& operator=(LoweringRegistration&&) = delete;
  ~LoweringRegistration();

 private:
  std::string op_;
  uint64_t id_;
};
// `op` with its overload: "aten::add.Tensor".
[[nodiscard]] inline LoweringRegistration register_lowering(std::string op, Lowering lowering) {
  return LoweringRegistration(std::move(op), std::move(lowering));
}
std::optional<Lowering> find_lowering(const std::string& op);
// Counts registrations and removals: a compiled program made under another count may differ.
uint64_t lowering_registry_version();

// The whole graph. Logs (fusion) why a call is opaque.
LoopProgram lower(const Graph& graph);

// A name for a buffer that is free in the program, together with the names that generated code derives from
// it.
std::string unique_buffer_name(const LoopProgram& program, const std::string& wish);

}  // namespace gb::compiler
