#include "kernels/cpu/adamw.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(adamw_fn);

void adamw(ScalarType dtype, const AdamWArrays& arrays, int64_t n, const AdamWStep& step) {
  if (!adamw_fn_stub(dtype, arrays, n, step)) throw_unsupported("adamw", dtype);
}

}  // namespace gb::cpu
