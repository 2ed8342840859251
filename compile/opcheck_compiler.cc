// Gives opcheck (library/, which stands left of this folder) the compiler for its compile test.
#include "compile/compile.h"
#include "library/compile_check.h"

namespace gb {
namespace {

CompiledCallable compile_for_opcheck(CompiledCallable fn) { return CompiledFunction(std::move(fn), {}); }

[[maybe_unused]] const bool registered = (set_opcheck_compiler(&compile_for_opcheck), true);

}  // namespace
}  // namespace gb
