#include "kernels/cpu/binary.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(binary_row);

const char* toString(BinaryOp op) {
  constexpr const char* kNames[] = {"add", "sub", "mul", "div", "eq", "ne", "lt", "le", "gt", "ge",
                                    "pow", "maximum", "minimum", "tanh_backward", "sigmoid_backward",
                                    "threshold_backward", "gelu_backward", "gelu_tanh_backward"};
  return kNames[static_cast<int>(op)];
}

void throw_binary_unsupported(BinaryOp op, ScalarType dtype) { throw_unsupported(toString(op), dtype); }

void binary_rows(BinaryRow row, BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                 const Strided<3>& it, ScalarArg alpha) {
  const int64_t in_size = static_cast<int64_t>(elementSize(dtype)), out_size = isComparison(op) ? 1 : in_size;
  const int last = it.ndim - 1;
  for_each_row(it, [&](const int64_t* at) {
    row(static_cast<char*>(out) + at[0] * out_size, static_cast<const char*>(a) + at[1] * in_size,
        static_cast<const char*>(b) + at[2] * in_size, it.sizes[last], it.strides[0][last],
        it.strides[1][last], it.strides[2][last], alpha);
  });
}

}  // namespace gb::cpu
