#include "ops/common/geometry.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace gb {

std::vector<int64_t> infer_size(IntArrayRef a, IntArrayRef b) {
  const auto da = static_cast<int64_t>(a.size()), db = static_cast<int64_t>(b.size());
  std::vector<int64_t> out(std::max(a.size(), b.size()));
  for (auto d = static_cast<int64_t>(out.size()) - 1, i = da - 1, j = db - 1; d >= 0; --d, --i, --j) {
    const int64_t size_a = i >= 0 ? a[i] : 1, size_b = j >= 0 ? b[j] : 1;
    GB_CHECK_OR_THROW(
        size_a == size_b || size_a == 1 || size_b == 1, Error,
        .what = fmt::format("The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton "
                            "dimension {}",
                            size_a, size_b, d),
        .cause = fmt::format("a has shape {}, b has shape {}; shapes are aligned at their last dimension",
                             to_string(a), to_string(b)),
        .repair = "make the sizes equal, or one of them 1", .chapter = chapters::kTensors);
    out[d] = size_a == 1 ? size_b : size_a;
  }
  return out;
}

void check_broadcasts_into(IntArrayRef from, IntArrayRef to, const char* op) {
  const std::vector<int64_t> shape = infer_size(to, from);
  GB_CHECK_OR_THROW(
      IntArrayRef(shape) == to, Error,
      .what = fmt::format("{}: output with shape {} doesn't match the broadcast shape {}", op, to_string(to),
                          to_string(shape)),
      .cause = fmt::format("an operand of shape {} is written into a tensor of shape {}, which an in-place "
                           "operator cannot enlarge",
                           to_string(from), to_string(to)),
      .repair = "use the operator that returns a new tensor, or a smaller operand",
      .chapter = chapters::kTensors);
}

namespace {

// Stride of t in dimension d of the space of `sizes`; 0 where it is stretched. (A dimension of one element that is not
// stretched has a stride too, which takes part in the comparison, though nobody ever takes that step.)
int64_t stride_in(const Tensor& t, int64_t d, IntArrayRef sizes) {
  const int64_t own = d - (static_cast<int64_t>(sizes.size()) - t.dim());
  return own < 0 || (t.sizes()[own] == 1 && sizes[d] != 1) ? 0 : t.strides()[own];
}

// TensorIterator's comparison of two dimensions: > 0 when `inner` should lie further out than `outer`.
int compare_dimensions(int64_t inner, int64_t outer, IntArrayRef sizes, ArrayRef<const Tensor*> operands) {
  for (const Tensor* t : operands) {
    if (!t->defined()) continue;
    const int64_t a = stride_in(*t, inner, sizes), b = stride_in(*t, outer, sizes);
    if (a == 0 || b == 0) continue;  // stretched here: this operand does not care
    if (a != b) return a < b ? -1 : 1;
    if (sizes[inner] > sizes[outer]) return 1;
  }
  return 0;
}

}  // namespace

std::vector<int64_t> elementwise_strides(IntArrayRef sizes, ArrayRef<const Tensor*> operands) {
  const auto ndim = static_cast<int64_t>(sizes.size());
  const Tensor* first = nullptr;
  bool contiguous = true, same = true;
  for (const Tensor* t : operands) {
    if (!t->defined()) continue;
    contiguous &= t->is_contiguous() && t->sizes() == sizes;  // a stretched one: the steps of the others decide
    same &= t->sizes() == sizes && t->is_non_overlapping_and_dense() &&
            (!first || first->strides() == t->strides());
    if (!first) first = t;
  }
  if (same && first && !contiguous) return first->strides().vec();

  std::vector<int64_t> order(ndim);  // dimensions, innermost first
  for (int64_t d = 0; d < ndim; ++d) order[d] = ndim - 1 - d;
  for (int64_t i = 1; i < ndim && !contiguous; ++i) {  // insertion sort: the comparison is not a total order
    int64_t at = i;
    for (int64_t j = i - 1; j >= 0; --j) {
      const int order_of = compare_dimensions(order[j], order[at], sizes, operands);
      if (order_of > 0) {
        std::swap(order[j], order[at]);
        at = j;
      } else if (order_of < 0) {
        break;
      }
    }
  }
  std::vector<int64_t> strides(ndim);
  int64_t next = 1;
  for (int64_t d : order) {
    strides[d] = next;
    next *= std::max<int64_t>(sizes[d], 1);
  }
  return strides;
}

std::vector<bool> named_dims(IntArrayRef dims, int64_t rank, const char* op) {
  std::vector<bool> named(static_cast<size_t>(std::max<int64_t>(rank, 1)), false);
  for (const int64_t dim : dims) {
    const auto d = static_cast<size_t>(maybe_wrap_dim(dim, rank, op));
    GB_CHECK_OR_THROW(!named[d], Error,
                      .what = fmt::format("gb::{}: dim {} appears multiple times in the list of dims", op, d),
                      .cause = fmt::format("dims are {}", to_string(dims)),
                      .repair = "name every dimension once", .chapter = chapters::kTensors);
    named[d] = true;
  }
  named.resize(static_cast<size_t>(rank));
  return named;
}

}  // namespace gb
