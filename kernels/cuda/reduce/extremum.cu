// arg_reduce and topk: a block looks for the best element of a line, each thread among its own, then as a tree.
// topk does it k times, each time among what comes after the element found last.
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/reduce/along.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// An element and where it stands; position -1: none.
template <class C>
struct Candidate {
  C value;
  int64_t position;
};

// Is `a` above `b`, where NaN is above all numbers?
template <class C>
__device__ bool is_above(C a, C b) {
  return a > b || (a != a && b == b);
}

// Does `a` come before `b`? The largest (or least) first, of equal ones the first. `nan_first`: whichever end
// comes first, a NaN does (max and min); else it is the largest (topk).
struct Order {
  bool largest, nan_first;

  template <class C>
  __device__ bool operator()(const Candidate<C>& a, const Candidate<C>& b) const {
    if (b.position < 0 || a.position < 0) return b.position < 0 && a.position >= 0;
    const bool descending = largest || (nan_first && (a.value != a.value || b.value != b.value));
    if (descending ? is_above(a.value, b.value) : is_above(b.value, a.value)) return true;
    if (descending ? is_above(b.value, a.value) : is_above(a.value, b.value)) return false;
    return a.position < b.position;
  }
};

// The best of the line that comes after `last`; every thread of the block gets it. best: [blockDim.x], shared.
template <class T, class C = compute_t<T>>
__device__ Candidate<C> best_after(const Candidate<C>& last, const T* line, int64_t n, int64_t stride, Order before,
                                   Candidate<C>* best) {
  Candidate<C> mine{C(), -1};
  for (int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const Candidate<C> next{static_cast<C>(line[i * stride]), i};
    if ((last.position < 0 || before(last, next)) && before(next, mine)) mine = next;
  }
  best[threadIdx.x] = mine;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half && before(best[threadIdx.x + half], best[threadIdx.x]))
      best[threadIdx.x] = best[threadIdx.x + half];
    __syncthreads();
  }
  const Candidate<C> found = best[0];
  __syncthreads();  // before the next round writes
  return found;
}

// One block per line. positions: k per line, out_stride apart; values: laid out alike, or null.
template <class T>
__global__ void extremum_kernel(T* values, int64_t* positions, const T* in, int64_t n, int64_t k, int64_t out_stride,
                                int64_t in_stride, Order order, Space<2> others) {
  using C = compute_t<T>;
  GB_EXTERN_SHARED(Candidate<C>, best);  // [blockDim.x]
  const Offsets<2> at = others.at(blockIdx.x);
  Candidate<C> last{C(), -1};
  for (int64_t round = 0; round < k; ++round) {
    last = best_after(last, in + at.of[1], n, in_stride, order, best);
    if (threadIdx.x == 0) {
      positions[at.of[0] + round * out_stride] = last.position;
      if (values) values[at.of[0] + round * out_stride] = in[at.of[1] + last.position * in_stride];
    }
  }
}

void launch(ScalarType dtype, void* values, int64_t* positions, const void* in, int64_t n, int64_t k,
            int64_t out_stride, int64_t in_stride, Order order, const Strided<2>& lines, StreamHandle stream) {
  const Space<2> others = make_space(lines);
  if (others.numel == 0 || k == 0) return;
  const unsigned threads = threads_for(n);
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    GB_LAUNCH((extremum_kernel<T>), grid_of(others.numel), threads, threads * sizeof(Candidate<compute_t<T>>), stream,
              static_cast<T*>(values), positions, static_cast<const T*>(in), n, k, out_stride, in_stride, order, others);
  });
}

}  // namespace

void arg_reduce(Extremum which, ScalarType dtype, void* values, int64_t* positions, const void* in, int64_t n,
                int64_t stride, const Strided<2>& others, StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel("arg_reduce", dtype);
  launch(dtype, values, positions, in, n, 1, 1, stride, {which == Extremum::Max, true}, others, stream);
}

void topk(ScalarType dtype, int64_t* positions, const void* in, int64_t n, int64_t k, int64_t out_stride,
          int64_t in_stride, bool largest, const Strided<2>& others, StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel("topk", dtype);
  launch(dtype, nullptr, positions, in, n, k, out_stride, in_stride, {largest, false}, others, stream);
}

}  // namespace gb::cuda
