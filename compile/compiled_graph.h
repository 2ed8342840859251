// CompiledGraph: a captured graph, its code, and how to run it: memory for what the code computes, the two
// callbacks of the host, and the tensors that go out.
//
// Below autograd: run() records nothing on the tape (compiled_backward.h does). Inputs must be those that the
// guards accept; run() does not check them again. In PyTorch: the generated `call(args)` of
// codegen/wrapper.py.
#pragma once

#include <memory>

#include "compile/build.h"
#include "compile/codegen_cpp.h"

namespace gb::compiler {

class CompiledGraph {
 public:
  explicit CompiledGraph(Graph graph);  // lowers, schedules, generates, builds (or finds) and loads

  std::vector<Tensor> run(const std::vector<Tensor>& caller_inputs) const;

  const Graph& graph() const { return graph_; }
  const std::string& source() const { return code_.source; }
  const std::string& library_path() const { return build_.library->path(); }
  CacheOutcome cache_outcome() const { return build_.outcome; }
  // Is an output an input, or a view of one?
  bool returns_an_input() const;

 private:
  friend struct Frame;
  Graph graph_;
  LoopProgram program_;
  GeneratedCode code_;
  BuildResult build_;
};

}  // namespace gb::compiler
