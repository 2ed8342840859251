#include "kernels/cuda/linear/cublas.h"

#include <array>
#include <optional>

#include "core/error.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/linear/cublas_library.h"
#include "kernels/cuda/linear/cublas_operand.h"
#include "kernels/cuda/linear/cublas_with_bias.h"
#include "kernels/cuda/linear/shapes.h"
#include "kernels/cuda/runtime/runtime.h"

namespace gb::cuda::cublas {
namespace {

// A handle belongs to one device, and may be used by one thread at a time.
cublasHandle_t handle() {
  // Not destroyed: CUDA may be gone when the thread ends.
  thread_local std::array<cublasHandle_t, kMaxDevices> handles;
  cublasHandle_t& h = handles[static_cast<size_t>(current_device())];
  if (!h) check(library().create(&h), "cublasCreate");
  return h;
}

// d^T = alpha * b^T a^T + beta * d^T, in cuBLAS's column-major terms; d row-major with leading dimension ldd.
void call(const GemmArgs& g, Operand a, Operand b, int64_t ldd, StreamHandle stream) {
  const Library& lib = library();
  const cublasHandle_t h = handle();
  check(lib.set_stream(h, stream), "cublasSetStream");
  const float alpha = static_cast<float>(g.alpha), beta = static_cast<float>(g.beta);
  const bool is_double = g.dtype == kDouble;  // its factors are double too
  const void *const by = is_double ? static_cast<const void*>(&g.alpha) : &alpha,
                    *const plus = is_double ? static_cast<const void*>(&g.beta) : &beta;
  const cudaDataType type = type_of(g.dtype);
  const cublasComputeType_t compute = is_double       ? CUBLAS_COMPUTE_64F
                                      : g.allow_tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32
                                                     : CUBLAS_COMPUTE_32F;  // of half types too
  if (g.batch == 1)
    check(lib.gemm_ex(h, b.op, a.op, g.n, g.m, g.k, by, g.b.data, type, b.leading, g.a.data, type, a.leading, plus,
                      g.d.data, type, ldd, compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  else
    check(lib.gemm_strided_batched_ex(h, b.op, a.op, g.n, g.m, g.k, by, g.b.data, type, b.leading, g.b.batch_stride,
                                      g.a.data, type, a.leading, g.a.batch_stride, plus, g.d.data, type, ldd,
                                      g.d.batch_stride, g.batch, compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx");
}

}  // namespace

std::string library_path() { return library().path; }

bool is_available() {
  try {
    library();
    return true;
  } catch (const NotImplementedError&) {
    return false;
  }
}

namespace {

// cuBLAS's terms for a product, none where it cannot take it.
struct Product {
  GemmArgs args;
  Operand a, b;
  int64_t ldd;
};
std::optional<Product> product(const GemmArgs& args) {
  const bool column_major = args.n > 1 && args.d.col_stride != 1;
  const GemmArgs g = column_major ? transposed(args) : args;  // unit column stride where d has unit row stride
  const std::optional<Operand> a = operand(g.m, g.k, g.a.row_stride, g.a.col_stride);
  const std::optional<Operand> b = operand(g.k, g.n, g.b.row_stride, g.b.col_stride);
  const std::optional<Operand> d = operand(g.m, g.n, g.d.row_stride, g.d.col_stride);
  if (g.k == 0 || g.activation != Activation::None || !a || !b || !d || d->op != CUBLAS_OP_N) return std::nullopt;
  return Product{g, *a, *b, d->leading};
}

}  // namespace

bool takes(const GemmArgs& args) { return product(args).has_value(); }

void gemm(const GemmArgs& args, StreamHandle stream) {
  const auto [g, a, b, ldd] = *product(args);
  library();                                  // throws before anything is written
  if (gemm_with_bias(g, a, b, ldd, stream)) return;
  if (g.beta != 0 && g.c.data != g.d.data) {  // cuBLAS adds to d: bring c there first
    Dims<2> it;
    it.push(g.batch, {g.d.batch_stride, g.c.batch_stride});
    it.push(g.m, {g.d.row_stride, g.c.row_stride});
    it.push(g.n, {g.d.col_stride, g.c.col_stride});
    copy(g.dtype, g.d.data, g.dtype, g.c.data, it, stream);
  }
  call(g, a, b, ldd, stream);
}

}  // namespace gb::cuda::cublas
