#include "kernels/cpu/copy.h"

#include "core/bfloat16.h"
#include "core/half.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(copy_row);

namespace {

CopyRow find_row(ScalarType dst_dtype, ScalarType src_dtype) {
  const CopyRow row = copy_row_stub(dst_dtype, src_dtype);
  if (!row) [[unlikely]]
    throw_unsupported("copy", src_dtype, dst_dtype);
  return row;
}

}  // namespace

void copy(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, const Strided<2>& it) {
  const CopyRow row = find_row(dst_dtype, src_dtype);
  if (it.ndim == 0) return row(dst, src, 1, 1, 1);
  const int64_t dst_size = static_cast<int64_t>(elementSize(dst_dtype));
  const int64_t src_size = static_cast<int64_t>(elementSize(src_dtype));
  const int last = it.ndim - 1;
  for_each_row(it, [&](const int64_t* at) {
    row(static_cast<char*>(dst) + at[0] * dst_size, static_cast<const char*>(src) + at[1] * src_size,
        it.sizes[last], it.strides[0][last], it.strides[1][last]);
  });
}

void copy_contiguous(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, int64_t n) {
  find_row(dst_dtype, src_dtype)(dst, src, n, 1, 1);
}

// A fill is a copy whose source stands still: one converted element with stride 0.
void fill(ScalarType dtype, void* dst, ScalarArg value, const Strided<1>& it) {
  const bool floating = isFloatingType(dtype);
  const void* source = floating ? static_cast<const void*>(&value.d) : &value.i;
  // A bool is "not zero" of the value as given: 0.5 is true.
  const double as_bool = value.d != 0 || value.i != 0;
  if (dtype == kBool) source = &as_bool;
  alignas(8) char element[8];
  find_row(dtype, floating || dtype == kBool ? kDouble : kLong)(element, source, 1, 1, 1);
  int64_t zeros[kMaxDims] = {};
  copy(dtype, dst, dtype, element, Strided<2>{it.ndim, it.sizes, {it.strides[0], zeros}});
}

void fill_contiguous(ScalarType dtype, void* dst, ScalarArg value, int64_t n) {
  const int64_t one = 1;
  fill(dtype, dst, value, Strided<1>{1, &n, {&one}});
}

}  // namespace gb::cpu
