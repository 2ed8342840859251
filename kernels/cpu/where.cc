#include "kernels/cpu/where.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(where_row);

void where(ScalarType dtype, void* out, const bool* condition, const void* a, const void* b,
           const Strided<4>& it) {
  const WhereRow row = where_row_stub(dtype);
  if (!row) [[unlikely]]
    throw_unsupported("where", dtype);
  if (it.ndim == 0) return row(out, condition, a, b, 1, 1, 1, 1, 1);
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  const int last = it.ndim - 1;
  for_each_row(it, [&](const int64_t* at) {
    row(static_cast<char*>(out) + at[0] * size, condition + at[1], static_cast<const char*>(a) + at[2] * size,
        static_cast<const char*>(b) + at[3] * size, it.sizes[last], it.strides[0][last], it.strides[1][last],
        it.strides[2][last], it.strides[3][last]);
  });
}

}  // namespace gb::cpu
