#include "kernels/cpu/embedding.h"

#include <cstring>
#include <vector>

#include "kernels/cpu/binary.h"
#include "kernels/cpu/copy.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {
namespace {

BadIndex find_bad(const int64_t* indices, int64_t n, int64_t size) {
  for (int64_t i = 0; i < n; ++i)
    if (indices[i] < 0 || indices[i] >= size) return {i, indices[i]};
  return {};
}

}  // namespace

BadIndex embedding(ScalarType dtype, void* out, const void* weight, int64_t num_embeddings, int64_t dim,
                   int64_t weight_row_stride, const int64_t* indices, int64_t n) {
  if (!isSupportedType(dtype)) throw_unsupported("embedding", dtype);
  if (const BadIndex bad = find_bad(indices, n, num_embeddings)) return bad;
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  if (dim == 0) return {};
  for (int64_t i = 0; i < n; ++i)
    std::memcpy(static_cast<char*>(out) + i * dim * size,
                static_cast<const char*>(weight) + indices[i] * weight_row_stride * size,
                static_cast<size_t>(dim * size));
  return {};
}

BadIndex embedding_dense_backward(ScalarType dtype, void* grad_weight, const void* grad,
                                  const int64_t* indices, int64_t n, int64_t num_embeddings, int64_t dim,
                                  int64_t padding_idx, bool scale_grad_by_freq) {
  if (!isFloatingType(dtype)) throw_unsupported("embedding_dense_backward", dtype);
  if (const BadIndex bad = find_bad(indices, n, num_embeddings)) return bad;
  std::vector<int64_t> count;
  if (scale_grad_by_freq) {
    count.assign(static_cast<size_t>(num_embeddings), 0);
    for (int64_t i = 0; i < n; ++i) ++count[static_cast<size_t>(indices[i])];
  }
  const BinaryRow add =
      binary_row_stub(BinaryOp::Add, dtype);  // target + alpha * row: alpha carries the scale
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  fill_contiguous(dtype, grad_weight, 0, num_embeddings * dim);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t row = indices[i];
    if (row == padding_idx) continue;
    const ScalarArg scale =
        scale_grad_by_freq ? 1.0 / static_cast<double>(count[static_cast<size_t>(row)]) : 1.0;
    char* target = static_cast<char*>(grad_weight) + row * dim * size;
    add(target, target, static_cast<const char*>(grad) + i * dim * size, dim, 1, 1, 1, scale);
  }
  return {};
}

}  // namespace gb::cpu
