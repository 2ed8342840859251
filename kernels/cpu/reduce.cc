#include "kernels/cpu/reduce.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "kernels/cpu/copy.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {

GB_DEFINE_CPU_KERNEL(reduce_fn);

const char* toString(ReduceOp op) {
  constexpr const char* kNames[] = {"sum", "mean", "amax", "amin", "any", "all", "prod"};
  return kNames[static_cast<int>(op)];
}

namespace {

// Kernels want at least one dimension.
template <int N>
void ensure_one_dim(Dims<N>& d) {
  if (d.ndim > 0) return;
  d.ndim = 1;
  d.sizes[0] = 1;
  for (int k = 0; k < N; ++k) d.strides[k][0] = 0;
}

}  // namespace

void reduce(ReduceOp op, ScalarType out_dtype, void* out, ScalarType in_dtype, const void* in,
            const Strided<2>& kept, const Strided<1>& reduced) {
  const ReduceFn fn = reduce_fn_stub(op, in_dtype, out_dtype);
  if (!fn) [[unlikely]]
    throw_unsupported(toString(op), in_dtype, out_dtype);
  if (kept.numel() == 0) return;
  if (reduced.numel() == 0) {
    GB_CHECK_OR_THROW(
        op != ReduceOp::AMax && op != ReduceOp::AMin, ValueError,
        .what = fmt::format("{}: the reduction has no elements and the operation has no identity", toString(op)),
        .cause = "a reduced dimension has size 0", .repair = "give it at least one element per output",
        .chapter = chapters::kKernels);
    const double empty = op == ReduceOp::Mean ? NAN : op == ReduceOp::All || op == ReduceOp::Prod ? 1.0 : 0.0;
    return fill(out_dtype, out, empty, Strided<1>{kept.ndim, kept.sizes, {kept.strides[0]}});
  }
  // The order of either walk does not change the result's meaning, so both go through memory in its own
  // order.
  Dims<2> k = sorted_by_stride(kept);
  Dims<1> r = sorted_by_stride(reduced);
  ensure_one_dim(k);
  ensure_one_dim(r);
  fn(out, in, k, r);
}

}  // namespace gb::cpu
