// Graph: what a callable computes, as a list of operator calls on values: the compiler's first
// representation.
//
//   graph(x: f32[2, 64], W: f32[600, 64] (lifted), b: f32[600] (lifted)) on cpu:
//     t: f32[64, 600] strides [1, 64] = aten::t(W)
//     addmm: f32[2, 600] = aten::addmm(b, x, t, beta=1, alpha=1)
//     return addmm
//
// Invariants: nodes stand in the order of execution, so a node refers to inputs and to earlier nodes only;
// every value has a name that is unique in the graph and valid in C++; metadata is that of the fake (Meta)
// result. No node writes to its arguments. In PyTorch: torch.fx.Graph with meta["val"].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/ivalue.h"
#include "dispatcher/operator_handle.h"

namespace gb::compiler {

// Everything about a tensor but its elements.
struct TensorMeta {
  std::vector<int64_t> sizes, strides;  // strides in elements
  int64_t storage_offset = 0;           // in the storage of the fake tensor
  ScalarType dtype = ScalarType::Undefined;

  static TensorMeta of(const Tensor& t);
  int64_t numel() const;
  bool is_contiguous() const;
  friend bool operator==(const TensorMeta&, const TensorMeta&) = default;
};

// One value of the graph: an input, or result number `output` of a node.
struct ValueRef {
  bool is_input = false;
  int index = 0;
  int output = 0;
  friend bool operator==(const ValueRef&, const ValueRef&) = default;
};

// One argument of a node: a value of the graph, a list of them, or a constant of any type.
struct Argument {
  enum class Kind : uint8_t { kValue, kValueList, kConstant } kind = Kind::kConstant;
  std::vector<ValueRef> refs;  // one for kValue
  IValue constant;             // kConstant
};

struct GraphInput {
  std::string name;
  TensorMeta meta;
  bool lifted = false;  // not passed by the caller: a parameter or a constant that the callable holds
  Tensor tensor;        // the real tensor, where lifted
  std::optional<double> number = {};  // a Python-like number that an operator wrapped in a tensor: its value
};

struct Node {
  OperatorHandle op;
  std::vector<Argument> args;  // one per argument of the schema
  std::vector<std::string> names;
  std::vector<TensorMeta> results;  // a list result counts element by element
};

struct Graph {
  std::vector<GraphInput> inputs;  // the caller's first, then the lifted ones
  std::vector<Node> nodes;
  std::vector<ValueRef> outputs;
  Device device = kCPU;  // where the real tensors are

  const TensorMeta& meta(const ValueRef& v) const;
  const std::string& name(const ValueRef& v) const;

  // A free name made of `wish`: lower-level characters replaced, "_softmax" -> "softmax", then softmax_1,
  // softmax_2.
  std::string unique_name(const std::string& wish) const;
  // Drops nodes whose results nobody uses. All operators in a graph are free of writes, so that is always
  // allowed.
  void eliminate_dead_code();
};

std::string to_string(
    const TensorMeta& meta);                // "f32[64, 600] strides [1, 64]"; strides where not contiguous
std::string to_string(const Graph& graph);  // the graph_code log

}  // namespace gb::compiler
