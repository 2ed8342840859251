// reduce: one block per output element; its threads stride over the inputs, then add up as a tree in shared
// memory.
#include <limits>
#include <type_traits>

#include "core/error.h"
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/reduce/reduce.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// What is added: the floating compute type, or uint64 for integers, so that an overflow wraps.
template <class T>
using sum_t = std::conditional_t<std::is_integral_v<T>, uint64_t, compute_t<T>>;

template <class C>
struct Sum {
  static C identity() { return C(); }
  __device__ static C combine(C a, C b) { return a + b; }
};

template <class C>
struct Max {
  static C identity() {
    if constexpr (std::is_floating_point_v<C>)
      return -std::numeric_limits<C>::infinity();
    else
      return std::numeric_limits<C>::lowest();
  }
  // A NaN on either side wins, as in PyTorch.
  __device__ static C combine(C a, C b) { return a > b || a != a ? a : b; }
};

// out: the elements of kept; in: for each of them, the elements of reduced. identity: what changes nothing
// when it is combined (host code makes it: std::numeric_limits is not device code). divisor: 1, or the count
// for a mean. blockDim.x is a power of two; dynamic shared memory: one accumulator per thread.
template <template <class> class Op, class Acc, class Out, class In>
__global__ void reduce_kernel(Out* out, const In* in, Space<2> kept, Space<1> reduced, Acc identity,
                              Acc divisor) {
  GB_EXTERN_SHARED(Acc, partial);  // [blockDim.x]
  const Offsets<2> at = kept.at(blockIdx.x);

  Acc acc = identity;
  for (int64_t i = threadIdx.x; i < reduced.numel; i += blockDim.x) {
    const In value = in[at.of[1] + reduced.at(i).of[0]];
    acc = Op<Acc>::combine(acc, static_cast<Acc>(static_cast<compute_t<In>>(value)));
  }
  partial[threadIdx.x] = acc;
  __syncthreads();

  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {  // 256 partial results, 128, 64, ... 1
    if (threadIdx.x < half)
      partial[threadIdx.x] = Op<Acc>::combine(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[at.of[0]] = static_cast<Out>(partial[0] / divisor);
}

// At least a warp, at most 256, and no more threads than there are inputs to share.
unsigned threads_for(int64_t inputs) {
  unsigned threads = 32;
  while (threads < kThreads && threads < inputs) threads *= 2;
  return threads;
}

const char* name_of(ReduceOp op) {
  static const char* const kNames[] = {"sum", "mean", "amax", "amin", "any", "all", "prod"};
  return kNames[static_cast<int>(op)];
}

bool supported(ReduceOp op, ScalarType out, ScalarType in) {
  if (op > ReduceOp::AMax) return false;  // the others are on the CPU only
  if (op == ReduceOp::Sum && isIntegralType(in, true)) return out == kLong;
  return out == in && (op != ReduceOp::Mean || isFloatingType(in));
}

template <template <class> class Op, class Acc, class Out, class In>
void launch(void* out, const void* in, const Space<2>& kept, const Space<1>& reduced, bool mean,
            StreamHandle stream) {
  const unsigned threads = threads_for(reduced.numel);
  const Acc divisor = static_cast<Acc>(mean ? reduced.numel : 1);
  GB_LAUNCH((reduce_kernel<Op, Acc, Out, In>), grid_of(kept.numel), threads, threads * sizeof(Acc), stream,
            static_cast<Out*>(out), static_cast<const In*>(in), kept, reduced, Op<Acc>::identity(), divisor);
}

}  // namespace

void reduce(ReduceOp op, ScalarType out_dtype, void* out, ScalarType in_dtype, const void* in,
            const Strided<2>& kept_space, const Strided<1>& reduced_space, StreamHandle stream) {
  if (!isSupportedType(in_dtype) || !supported(op, out_dtype, in_dtype))
    throw_no_kernel(name_of(op), in_dtype);
  const Space<2> kept = make_space(kept_space);
  const Space<1> reduced = make_space(reduced_space);
  if (kept.numel == 0) return;
  GB_CHECK_OR_THROW(
      op != ReduceOp::AMax || reduced.numel > 0, ValueError, .what = "amax of no elements",
      .cause = "a dimension that is reduced has size 0, and a maximum of nothing is not defined",
      .repair = "reduce over a dimension that is not empty", .chapter = chapters::kKernels);
  visit_all(in_dtype, [&](auto zero) {
    using T = decltype(zero);
    if (op == ReduceOp::AMax) {
      launch<Max, compute_t<T>, T, T>(out, in, kept, reduced, false, stream);
    } else {
      using Out = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
      launch<Sum, sum_t<T>, Out, T>(out, in, kept, reduced, op == ReduceOp::Mean, stream);
    }
  });
}

}  // namespace gb::cuda
