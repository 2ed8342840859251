// C += alpha * A B: built once per instruction set; the only file that includes Eigen.
//
// Eigen's namespace is renamed per build, or the linker would keep one copy of each of its templates and hand
// AVX-512 code to an AVX2 processor. Two things keep the build short: only the blocked product is
// instantiated (Eigen's general_matrix_matrix_product, what `c.noalias() += alpha * a * b` comes to for large
// matrices), and C is always walked as column-major: a row-major C = A B is the column-major C^T = B^T A^T.
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/types.h"

#define GB_JOIN_(a, b) a##b
#define GB_JOIN(a, b) GB_JOIN_(a, b)
#define Eigen GB_JOIN(Eigen_, CPU_CAPABILITY)
#define EIGEN_MPL2_ONLY
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_NO_IO
#define EIGEN_NO_DEBUG
#include <Eigen/Core>

namespace gb::cpu::CPU_CAPABILITY {
namespace {

// c[j * m + i] += alpha * sum_p a(i, p) b(p, j), all in Eigen's column-major view: m rows are contiguous in
// c.
template <class T, int AOrder, int BOrder>
void product(int64_t m, int64_t n, int64_t k, T alpha, const T* a, int64_t lda, const T* b, int64_t ldb, T* c,
             int64_t ldc) {
  using Product = Eigen::internal::general_matrix_matrix_product<Eigen::Index, T, AOrder, false, T, BOrder,
                                                                 false, Eigen::ColMajor, 1>;
  Eigen::internal::gemm_blocking_space<Eigen::ColMajor, T, T, Eigen::Dynamic, Eigen::Dynamic, Eigen::Dynamic>
      blocking(m, n, k, 1, true);
  Product::run(m, n, k, a, lda, b, ldb, c, 1, ldc, alpha, blocking, nullptr);
}

// Column-major: walking down a column is the unit stride. For an extent of 1 either reading is right.
struct Layout {
  bool column_major;
  int64_t leading;
};
Layout layout_of(int64_t rows, int64_t row_stride, int64_t col_stride) {
  if (row_stride == 1 || rows == 1) return {true, col_stride};
  return {false, row_stride};
}

template <class T>
void eigen_gemm(int64_t m, int64_t n, int64_t k, T alpha, const ConstMatrix& a, const ConstMatrix& b,
                const Matrix& c) {
  using namespace Eigen;
  // C^T [n, m] = B^T [n, k] A^T [k, m]
  const Layout left = layout_of(n, b.col_stride, b.row_stride),
               right = layout_of(k, a.col_stride, a.row_stride);
  const auto run =
      left.column_major
          ? (right.column_major ? &product<T, ColMajor, ColMajor> : &product<T, ColMajor, RowMajor>)
          : (right.column_major ? &product<T, RowMajor, ColMajor> : &product<T, RowMajor, RowMajor>);
  run(n, m, k, alpha, static_cast<const T*>(b.data), left.leading, static_cast<const T*>(a.data),
      right.leading, static_cast<T*>(c.data), c.row_stride);
}

// Integers: rows of B are added into rows of C, so the inner loop runs along both when B's rows are
// contiguous.
template <class T>
void integer_gemm(int64_t m, int64_t n, int64_t k, T alpha, const ConstMatrix& a, const ConstMatrix& b,
                  const Matrix& c) {
  using U = Wrapping<T>;
  const T *pa = static_cast<const T*>(a.data), *pb = static_cast<const T*>(b.data);
  T* pc = static_cast<T*>(c.data);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t p = 0; p < k; ++p) {
      const U factor = U(alpha) * U(pa[i * a.row_stride + p * a.col_stride]);
      T* row = pc + i * c.row_stride;
      const T* b_row = pb + p * b.row_stride;
      for (int64_t j = 0; j < n; ++j) row[j] = T(U(row[j]) + factor * U(b_row[j * b.col_stride]));
    }
  }
}

}  // namespace

bool gemm_accumulate(ScalarType dtype, int64_t m, int64_t n, int64_t k, ScalarArg alpha, const ConstMatrix& a,
                     const ConstMatrix& b, const Matrix& c) {
  switch (dtype) {
    case kFloat:
      eigen_gemm<float>(m, n, k, float(alpha.d), a, b, c);
      return true;
    case kDouble:
      eigen_gemm<double>(m, n, k, alpha.d, a, b, c);
      return true;
    case kInt:
      integer_gemm<int32_t>(m, n, k, int32_t(alpha.i), a, b, c);
      return true;
    case kLong:
      integer_gemm<int64_t>(m, n, k, alpha.i, a, b, c);
      return true;
    default:
      return false;
  }
}

}  // namespace gb::cpu::CPU_CAPABILITY
