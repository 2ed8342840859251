#include "kernels/cpu/unary.h"

#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(unary_row);

const char* toString(UnaryOp op) {
  constexpr const char* kNames[] = {"neg",  "exp",     "log",  "sqrt",      "reciprocal", "rsqrt",
                                    "tanh", "sigmoid", "gelu", "gelu_tanh", "sin",        "cos",
                                    "relu", "abs",     "sign", "floor"};
  return kNames[static_cast<int>(op)];
}

void unary(UnaryOp op, ScalarType dtype, void* out, const void* a, const Strided<2>& it) {
  const UnaryRow row = unary_row_stub(op, dtype);
  if (!row) [[unlikely]]
    throw_unsupported(toString(op), dtype);
  if (it.ndim == 0) return row(out, a, 1, 1, 1);
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  const int last = it.ndim - 1;
  for_each_row(it, [&](const int64_t* at) {
    row(static_cast<char*>(out) + at[0] * size, static_cast<const char*>(a) + at[1] * size, it.sizes[last],
        it.strides[0][last], it.strides[1][last]);
  });
}

}  // namespace gb::cpu
