// opcheck's compile test: an operator inside of compiled code gives what it gives in eager, results and gradients.
//
// library/ stands left of compile/, so it cannot name it: compile/ hands over its compile function when the program
// starts (compile/opcheck_compiler.cc). A program that does not link compile/ skips the test, and is told so.
// In PyTorch: torch/testing/_internal/optests/aot_autograd.py.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "dispatcher/operator_handle.h"

namespace gb {

using CompiledCallable = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
using OpcheckCompiler = CompiledCallable (*)(CompiledCallable);

// Called once, at start-up.
void set_opcheck_compiler(OpcheckCompiler compiler);

struct Tolerance {
  std::optional<double> atol = {}, rtol = {};  // left out: by dtype, as torch.testing.assert_close has them
};

struct CompileCheckError : Error {
  using Error::Error;
};

// Why it was skipped, or nothing. Throws CompileCheckError with the first value that differs, and what compiling
// throws. REQUIRES one value per argument of the schema; works on copies of them.
std::string check_compiled(const OperatorHandle& op, ArrayRef<IValue> arguments, const Tolerance& tolerance);

}  // namespace gb
