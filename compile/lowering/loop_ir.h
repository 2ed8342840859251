// The loop IR: the compiler's second representation. Operators are gone; what is left is arithmetic over
// loops.
//
//   Pointwise   for every position of a space:            out[p] = body(p)
//   Reduction   for every position of the kept dimensions: out[p] = combine of body over the reduced ones
//   View        no code: the same memory under other sizes and strides
//   Gemm        a matrix product, done by glassbox's own CPU kernel
//   Opaque      an operator without a lowering, called through the dispatcher
//
// Invariants: every load is affine: offset + sum of (loop variable x stride), so views cost nothing and
// broadcasting is a stride of 0; a step reads inputs and results of earlier steps only; a computed buffer is
// written by one step. In PyTorch: torch/_inductor/ir.py (Pointwise, Reduction, ReinterpretView,
// ExternKernel, FallbackKernel).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "compile/graph.h"

namespace gb::compiler {

// Where numbers are. Whether a computed buffer gets memory, one row of scratch or only a local variable is
// the scheduler's decision.
struct Buffer {
  enum class Kind : uint8_t { kInput, kComputed, kOpaqueResult } kind = Kind::kComputed;
  std::string name;
  TensorMeta meta;
  int graph_input = -1;  // kInput
};

// A strided view of a buffer: element (i, j, ...) is at offset + i * strides[0] + j * strides[1] + ...
struct Value {
  int buffer = -1;
  std::vector<int64_t> sizes, strides;
  int64_t offset = 0;
  ScalarType dtype = ScalarType::Undefined;
};

enum class ExprOp : uint8_t { kLoad, kConstant, kAdd, kSub, kMul, kDiv, kNeg, kExp, kLog };
struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;
struct Expr {
  ExprOp op = ExprOp::kConstant;
  std::vector<ExprPtr> args;
  double constant = 0;
  int buffer = -1;               // kLoad
  std::vector<int64_t> strides;  // kLoad: one per dimension of the space
  int64_t offset = 0;            // kLoad
};
ExprPtr constant(double value);
ExprPtr call(ExprOp op, ExprPtr a, ExprPtr b = nullptr);
void for_each_load(const ExprPtr& expr, const std::function<void(const Expr&)>& visit);

enum class ReduceOp : uint8_t { kSum, kMax };

// Pointwise where `reduce` is empty, else Reduction.
struct LoopStep {
  int buffer = -1;  // what it computes
  std::vector<int64_t> space;
  std::vector<bool> reduced;           // per dimension of the space
  std::vector<int64_t> write_strides;  // per dimension of the space; 0 where reduced
  std::optional<ReduceOp> reduce;
  ExprPtr body;
  std::string source, what;  // "aten::addmm", "bias add"
};
struct ViewStep {
  int graph_node = -1;
  Value value;
};
struct GemmStep {  // c = a b; a is [m, k], b [k, n], c [m, n] contiguous
  int buffer = -1;
  Value a, b;
  int64_t m = 0, n = 0, k = 0;
  std::string source;
};
struct OpaqueStep {
  int graph_node = -1;
  std::vector<int> buffers;  // one per result
  std::string why;
};
using Step = std::variant<LoopStep, ViewStep, GemmStep, OpaqueStep>;

struct LoopProgram {
  std::vector<Buffer> buffers;  // the graph's inputs first
  std::vector<Step> steps;
  std::vector<Value> inputs;                     // as the graph's
  std::vector<std::vector<Value>> node_results;  // [graph node][result]
  std::vector<Value> outputs;
  std::vector<int> opaque_reads;  // buffers that opaque calls take: these must be in memory

  const Value& value(const ValueRef& v) const {
    return v.is_input ? inputs[v.index] : node_results[v.index][v.output];
  }
};

}  // namespace gb::compiler
