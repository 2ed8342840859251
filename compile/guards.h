// Guards: what a compiled entry takes for granted, checked before every run.
//
// Number of inputs; of every input and every lifted tensor the dtype, device, rank, sizes, strides and
// requires_grad; grad mode; the default dtype; and that no lowering was registered or removed since. A failing guard is told in
// one line:
//   size of input 0 (x) at dimension 0: expected 2, actual 3
// In PyTorch: torch/csrc/dynamo/guards.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compile/graph.h"

namespace gb::compiler {

struct TensorGuard {
  std::string what;  // "input 0 (x)", "lifted W"
  TensorMeta meta;
  Device device = kCPU;
  bool requires_grad = false;
  std::optional<std::string> failure(const Tensor& t) const;
};

class Guards {
 public:
  Guards(const Graph& graph, const std::vector<Tensor>& inputs);
  // The first guard that fails, in words; nothing when all hold.
  std::optional<std::string> failure(const std::vector<Tensor>& inputs) const;
  std::string text() const;  // one line per guard

 private:
  std::vector<TensorGuard> inputs_, lifted_;
  std::vector<Tensor> lifted_tensors_;
  bool grad_mode_;
  ScalarType default_dtype_;
  uint64_t lowerings_;
};

}  // namespace gb::compiler
