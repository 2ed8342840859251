#include "ops/matmul/matmul.h"

#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/bmm/bmm.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/expand/expand.h"
#include "ops/mm/mm.h"
#include "ops/t/t.h"
#include "ops/view/view.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) { m.def("matmul(Tensor self, Tensor other) -> Tensor"); }

Tensor matmul(const Tensor& self, const Tensor& other) { GB_RETURN_CALL(matmul_op(), self, other); }
Tensor Tensor::matmul(const Tensor& other) const { GB_RETURN_CALL(matmul_op(), *this, other); }

namespace {

Tensor swapped(const Tensor& t) { return transpose(t, -2, -1); }

// The operand with more dimensions, and the other one, as factors of large * small.
struct Operands {
  Operands(const Tensor& self, const Tensor& other)
      : is_swapped(other.dim() > self.dim()),
        large(is_swapped ? swapped(other) : self),
        small(!is_swapped       ? other
              : self.dim() == 2 ? self.t()
                                : self) {}
  bool is_swapped;
  Tensor large, small;
};

bool should_fold(const Operands& of) {
  const Tensor& large = of.large;
  if (large.dim() < 3 || of.small.dim() > 2) return false;
  if (of.small.requires_grad()) return true;
  if (of.is_swapped && of.small.dim() == 2)
    return false;  // the product would have to be transposed, which copies it
  if (large.numel() == 0) return true;
  for (size_t d = 0; d + 2 < large.sizes().size(); ++d)  // else folding copies it
    if (large.strides()[d] != large.strides()[d + 1] * large.sizes()[d + 1]) return false;
  return true;
}

Tensor folded(const Operands& of) {
  std::vector<int64_t> sizes = of.large.sizes().vec();
  const int64_t k = sizes.back();
  sizes.pop_back();
  int64_t rows = 1;
  for (const int64_t size : sizes) rows *= size;
  const Tensor matrix = of.large.reshape({rows, k});
  if (of.small.dim() == 1) return _unsafe_view(mv(matrix, of.small), sizes);
  sizes.push_back(of.small.sizes()[1]);
  const Tensor product = _unsafe_view(matrix.mm(of.small), sizes);
  return of.is_swapped ? swapped(product).contiguous() : product;
}

// `t`, with its batch dimensions replaced by `batch`, as [product of batch, the others].
Tensor batches_of(const Tensor& t, const std::vector<int64_t>& batch, IntArrayRef others) {
  std::vector<int64_t> expanded = batch, flat{1};
  for (const int64_t size : batch) flat[0] *= size;
  expanded.insert(expanded.end(), others.begin(), others.end());
  flat.insert(flat.end(), others.begin(), others.end());
  return t.expand(expanded).reshape(flat);
}

Tensor batched(const Tensor& self, const Tensor& other) {
  const IntArrayRef a = self.sizes(), b = other.sizes();
  const bool is_vector = b.size() == 1;
  const int64_t m = a.size() > 1 ? a[a.size() - 2] : 1, k = a.back(),
                k2 = is_vector ? b.back() : b[b.size() - 2];
  if (a.size() == 3 && b.size() == 3 &&
      a[0] != b[0]) {  // one of them is broadcast: better folded, as in should_fold
    if (a[0] == 1 && self.requires_grad()) return matmul(squeeze(self, 0), other);
    if (b[0] == 1 && other.requires_grad()) return matmul(self, squeeze(other, 0));
  }
  std::vector<int64_t> sizes =
      infer_size(a.slice(0, a.size() > 2 ? a.size() - 2 : 0), b.slice(0, b.size() > 2 ? b.size() - 2 : 0));
  const Tensor left = batches_of(self, sizes, {m, k});
  const Tensor right =
      is_vector ? unsqueeze(batches_of(other, sizes, {k2}), 2) : batches_of(other, sizes, {k2, b.back()});
  if (a.size() > 1) sizes.push_back(m);
  if (is_vector) return _unsafe_view(squeeze(bmm(left, right), -1), sizes);
  sizes.push_back(b.back());
  return _unsafe_view(bmm(left, right), sizes);
}

Tensor matmul_composite(const Tensor& self, const Tensor& other) {
  check_defined(self, "matmul", "self");
  check_defined(other, "matmul", "other");
  const int64_t a = self.dim(), b = other.dim();
  GB_CHECK_OR_THROW(
      a > 0 && b > 0, Error,
      .what = fmt::format(
          "gb::matmul: both arguments to matmul need to be at least 1D, but they are {}D and {}D", a, b),
      .cause = "a number has no rows or columns", .repair = "use mul for a number",
      .chapter = chapters::kTensors);
  if (a == 1 && b == 1) return dot(self, other);
  if (a == 2 && b == 1) return mv(self, other);
  if (a == 1 && b == 2) return unsqueeze(self, 0).mm(other).squeeze_(0);
  if (a == 2 && b == 2) return self.mm(other);
  const Operands of(self, other);
  return should_fold(of) ? folded(of) : batched(self, other);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("matmul", GB_FN(matmul_composite)); }

}  // namespace gb
