// gb::compile: a callable in, a callable out that runs generated code.
//
//   auto compiled = gb::compile([&](const Tensor& x) { return gb::softmax(gb::linear(x, W, b), -1); });
//   Tensor y = compiled(x);       // first call: captured, lowered, fused, generated, built, loaded, run
//   y = compiled(x);              // later calls: guards, then the code
//   compiled.stats().recompiles;  // 0
//
// The callable must be a pure function of its inputs and of the tensors it holds: it runs on fake tensors
// when it is captured, and again, for real, in a backward pass. A tensor it holds is read at every run, but
// which tensor it is, is settled at capture. Copies of a CompiledFunction share everything. Calls from
// several threads are safe. Throws what capture and build throw (capture_mode.h, build.h); then nothing is
// kept, and the next call tries again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compile/logs.h"
#include "core/tensor.h"

namespace gb {

struct CompileOptions {
  std::vector<std::string> input_names;  // for the printed graph and code; else x, or x0, x1, ...
  std::vector<std::pair<std::string, Tensor>>
      parameter_names;  // likewise, for tensors that the callable holds
  // How many entries one callable may have. Past it, calls run eagerly, with one warning (PyTorch's
  // recompile_limit).
  int64_t recompile_limit = 8;
};

struct CompileStats {
  int64_t compiles = 0;    // entries made; the first and the recompiles
  int64_t recompiles = 0;  // entries made because a guard of each earlier one failed
  int64_t cache_hits = 0;  // compiles whose library was there already, in this process or on disk
  int64_t calls = 0;
  int64_t eager_calls = 0;  // calls that ran the callable itself
  std::string last_guard_failure;
  std::string graph, code;  // of the newest entry
  std::string library;      // its path
};

class CompiledFunction {
 public:
  using Function = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  CompiledFunction(Function fn, CompileOptions options);

  std::vector<Tensor> operator()(const std::vector<Tensor>& inputs) const;
  Tensor operator()(const Tensor& input) const;  // one in, one out; else ValueError
  CompileStats stats() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

// For callables on lists and for callables on one tensor.
template <class F>
CompiledFunction compile(F fn, CompileOptions options = {}) {
  if constexpr (std::is_invocable_r_v<Tensor, F&, const Tensor&>) {
    return CompiledFunction(
        [fn = std::move(fn)](const std::vector<Tensor>& in) mutable {
          return std::vector<Tensor>{fn(in.at(0))};
        },
        std::move(options));
  } else {
    return CompiledFunction(std::move(fn), std::move(options));
  }
}

}  // namespace gb
