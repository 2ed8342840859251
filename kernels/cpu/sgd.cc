#include "kernels/cpu/sgd.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(sgd_fn);

void sgd(ScalarType dtype, const SgdArrays& arrays, int64_t n, const SgdStep& step) {
  if (!sgd_fn_stub(dtype, arrays, n, step)) throw_unsupported("sgd", dtype);
}

}  // namespace gb::cpu
