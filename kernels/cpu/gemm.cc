#include "kernels/cpu/gemm.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "core/error.h"
#include "kernels/cpu/binary.h"
#include "kernels/cpu/copy.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(gemm_accumulate);

namespace {

void check_strides(const char* name, int64_t rows, int64_t cols, int64_t row_stride, int64_t col_stride) {
  GB_CHECK_OR_THROW(
      gemm_accepts(rows, cols, row_stride, col_stride), ValueError,
      .what = fmt::format("gb::cpu::gemm: matrix {} is not a row-major or column-major view", name),
      .cause = fmt::format("it is {} x {} with strides {{{}, {}}}", rows, cols, row_stride, col_stride),
      .repair = "copy it to contiguous memory first; kernels do not copy their operands",
      .chapter = chapters::kKernels);
}

// C = beta * C, without reading C when beta is 0.
void scale(ScalarType dtype, int64_t m, int64_t n, ScalarArg beta, const Matrix& c) {
  if (isFloatingType(dtype) ? beta.d == 1 : beta.i == 1) return;
  const bool zero = isFloatingType(dtype) ? beta.d == 0 : beta.i == 0;
  Dims<3> it;
  it.push(m, {c.row_stride, c.row_stride, 0});
  it.push(n, {c.col_stride, c.col_stride, 0});
  const Strided<3> s = it;
  if (zero) return fill(dtype, c.data, 0, Strided<1>{s.ndim, s.sizes, {s.strides[0]}});
  alignas(8) char factor[8];
  fill_contiguous(dtype, factor, beta, 1);
  binary(BinaryOp::Mul, dtype, c.data, c.data, factor, s);
}

// rows x cols elements of a half-typed matrix as a contiguous row-major float matrix, or back.
void convert(ScalarType to, void* dst, int64_t dst_rs, int64_t dst_cs, ScalarType from, const void* src,
             int64_t src_rs, int64_t src_cs, int64_t rows, int64_t cols) {
  Dims<2> it;
  it.push(rows, {dst_rs, src_rs});
  it.push(cols, {dst_cs, src_cs});
  copy(to, dst, from, src, it);
}

// Half and BFloat16: B once in float, then A and C in blocks of rows, so that the extra memory is that of B
// and a few hundred rows; every element of C is rounded once.
void half_gemm(ScalarType dtype, int64_t m, int64_t n, int64_t k, ScalarArg alpha, const ConstMatrix& a,
               const ConstMatrix& b, ScalarArg beta, const Matrix& c) {
  constexpr int64_t kRows = 256;
  const int64_t block = m < kRows ? m : kRows;
  std::vector<float> bf(static_cast<size_t>(k * n)), af(static_cast<size_t>(block * k)),
      cf(static_cast<size_t>(block * n));
  convert(kFloat, bf.data(), n, 1, dtype, b.data, b.row_stride, b.col_stride, k, n);
  for (int64_t i = 0; i < m; i += block) {
    const int64_t rows = m - i < block ? m - i : block;
    const char* a_block = static_cast<const char*>(a.data) + 2 * i * a.row_stride;
    char* c_block = static_cast<char*>(c.data) + 2 * i * c.row_stride;
    convert(kFloat, af.data(), k, 1, dtype, a_block, a.row_stride, a.col_stride, rows, k);
    if (beta.d != 0) convert(kFloat, cf.data(), n, 1, dtype, c_block, c.row_stride, c.col_stride, rows, n);
    gemm(kFloat, rows, n, k, alpha, {af.data(), k, 1}, {bf.data(), n, 1}, beta, {cf.data(), n, 1});
    convert(dtype, c_block, c.row_stride, c.col_stride, kFloat, cf.data(), n, 1, rows, n);
  }
}

}  // namespace

void gemm(ScalarType dtype, int64_t m, int64_t n, int64_t k, ScalarArg alpha, ConstMatrix a, ConstMatrix b,
          ScalarArg beta, Matrix c) {
  if (!isSupportedType(dtype) || dtype == kBool) throw_unsupported("gemm", dtype);
  check_strides("A", m, k, a.row_stride, a.col_stride);
  check_strides("B", k, n, b.row_stride, b.col_stride);
  check_strides("C", m, n, c.row_stride, c.col_stride);
  if (m == 0 || n == 0) return;
  if (dtype == kHalf || dtype == kBFloat16) return half_gemm(dtype, m, n, k, alpha, a, b, beta, c);
  scale(dtype, m, n, beta, c);
  if (k == 0) return;
  if (c.col_stride != 1 && n > 1) {  // column-major C: C^T = B^T A^T is row-major
    std::swap(m, n);
    std::swap(a, b);
    std::swap(a.row_stride, a.col_stride);
    std::swap(b.row_stride, b.col_stride);
    std::swap(c.row_stride, c.col_stride);
  }
  if (m == 1)
    c.row_stride = n;  // strides of extents of one element are never walked; give Eigen a legal value
  gemm_accumulate_stub(dtype, m, n, k, alpha, a, b, c);
}

}  // namespace gb::cpu
