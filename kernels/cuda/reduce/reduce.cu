// reduce: a block makes a tile of outputs, with several threads for each, which stride over its inputs and then
// combine what they have as a tree in shared memory.
//
// The tile's shape fits the memory (Tile): threads that are neighbours must read neighbours.
//   rows, [B, C] over C      256 threads along one row, or 8 rows by 32, ... down to a thread per row of one
//   columns, [B, C] over B   32 columns wide, 8 threads down each, or 32 where the columns are long
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
  template <class In>
  __device__ static C read(In value) {
    return static_cast<C>(static_cast<compute_t<In>>(value));
  }
  __device__ static C combine(C a, C b) { return a + b; }
};

template <class C>
struct Product : Sum<C> {
  static C identity() { return C(1); }
  __device__ static C combine(C a, C b) { return a * b; }
};

// The least (or largest) of all values: what changes nothing when it is combined.
template <class C>
constexpr C extreme(bool least) {
  if constexpr (std::is_floating_point_v<C>)
    return least ? -std::numeric_limits<C>::infinity() : std::numeric_limits<C>::infinity();
  else
    return least ? std::numeric_limits<C>::lowest() : std::numeric_limits<C>::max();
}
// A NaN on either side wins, as in PyTorch.
template <class C>
struct Max : Sum<C> {
  static C identity() { return extreme<C>(true); }
  __device__ static C combine(C a, C b) { return a > b || a != a ? a : b; }
};
template <class C>
struct Min : Sum<C> {
  static C identity() { return extreme<C>(false); }
  __device__ static C combine(C a, C b) { return a < b || a != a ? a : b; }
};

// any and all: the largest and the least of 0 and 1. NaN is true.
template <class Extremum>
struct TruthOf : Extremum {
  template <class In>
  __device__ static int read(In value) {
    return convert<bool>(value);
  }
};
template <class C>
struct Any : TruthOf<Max<C>> {
  static C identity() { return 0; }
};
template <class C>
struct All : TruthOf<Min<C>> {
  static C identity() { return 1; }
};

// outputs * parts threads in a block, both powers of two; parts threads share an output's inputs.
struct Tile {
  unsigned outputs, parts;
  bool outputs_first;  // is the neighbour of a thread that of the next output, or the next part?
};

// out: the elements of kept; in: for each of them, the elements of reduced. identity: what changes nothing
// when it is combined (host code makes it: std::numeric_limits is not device code). divisor: 1, or the count
// for a mean. Dynamic shared memory: one accumulator per thread.
template <template <class> class Op, class Acc, class Out, class In>
__global__ void reduce_kernel(Out* out, const In* in, Space<2> kept, Space<1> reduced, Tile tile, Acc identity,
                              Acc divisor) {
  GB_EXTERN_SHARED(Acc, partial);  // [blockDim.x]
  const unsigned fast = tile.outputs_first ? tile.outputs : tile.parts;
  const unsigned low = threadIdx.x % fast, high = threadIdx.x / fast;
  const unsigned column = tile.outputs_first ? low : high, part = tile.outputs_first ? high : low;
  const unsigned part_step = tile.outputs_first ? tile.outputs : 1;  // between the parts of an output in `partial`
  const int64_t output = static_cast<int64_t>(blockIdx.x) * tile.outputs + column;
  const bool is_there = output < kept.numel;
  const Offsets<2> at = kept.at(is_there ? output : 0);

  Acc acc = identity;
  for (int64_t i = part; i < reduced.numel && is_there; i += tile.parts)
    acc = Op<Acc>::combine(acc, Op<Acc>::read(in[at.of[1] + reduced.at(i).of[0]]));
  partial[threadIdx.x] = acc;
  __syncthreads();

  for (unsigned half = tile.parts / 2; half > 0; half /= 2) {  // 256 partial results, 128, 64, ... 1
    if (part < half)
      partial[threadIdx.x] = Op<Acc>::combine(partial[threadIdx.x], partial[threadIdx.x + half * part_step]);
    __syncthreads();
  }
  if (part == 0 && is_there) out[at.of[0]] = static_cast<Out>(partial[threadIdx.x] / divisor);
}

// The innermost stride of a space's operand; 0 where there is none.
template <int N>
int64_t inner_stride(const Space<N>& space, int operand) {
  return space.ndim == 0 ? 0 : space.strides[operand][space.ndim - 1];
}

constexpr int64_t kLongColumn = 512;

Tile tile_for(const Space<2>& kept, const Space<1>& reduced) {
  const bool columns = inner_stride(kept, 1) == 1 && inner_stride(reduced, 0) != 1;
  unsigned parts = !columns ? kThreads : reduced.numel < kLongColumn ? 8 : 32;
  while (parts > 1 && parts / 2 >= reduced.numel) parts /= 2;  // no more threads than there are inputs to share
  return {columns ? 32 : kThreads / parts, parts, columns};
}

bool supported(ReduceOp op, ScalarType out, ScalarType in) {
  if (op == ReduceOp::Any || op == ReduceOp::All) return out == kBool;
  const bool widens = op == ReduceOp::Sum || op == ReduceOp::Prod;
  if (widens && isIntegralType(in, true)) return out == kLong;
  return out == in && (op != ReduceOp::Mean || isFloatingType(in));
}

template <template <class> class Op, class Acc, class Out, class In>
void launch(void* out, const void* in, const Space<2>& kept, const Space<1>& reduced, bool mean,
            StreamHandle stream) {
  const Tile tile = tile_for(kept, reduced);
  const unsigned threads = tile.outputs * tile.parts;
  const Acc divisor = static_cast<Acc>(mean ? reduced.numel : 1);
  GB_LAUNCH((reduce_kernel<Op, Acc, Out, In>), grid_of((kept.numel + tile.outputs - 1) / tile.outputs), threads,
            threads * sizeof(Acc), stream, static_cast<Out*>(out), static_cast<const In*>(in), kept, reduced, tile,
            Op<Acc>::identity(), divisor);
}

}  // namespace

void reduce(ReduceOp op, ScalarType out_dtype, void* out, ScalarType in_dtype, const void* in,
            const Strided<2>& kept_space, const Strided<1>& reduced_space, StreamHandle stream) {
  if (!isSupportedType(in_dtype) || !supported(op, out_dtype, in_dtype))
    throw_no_kernel(cpu::toString(op), in_dtype);
  const Space<2> kept = make_space(kept_space);
  const Space<1> reduced = make_space(reduced_space);
  if (kept.numel == 0) return;
  const bool is_extremum = op == ReduceOp::AMax || op == ReduceOp::AMin;
  GB_CHECK_OR_THROW(
      !is_extremum || reduced.numel > 0, ValueError,
      .what = op == ReduceOp::AMax ? "amax of no elements" : "amin of no elements",
      .cause = "a dimension that is reduced has size 0, and the extremum of nothing is not defined",
      .repair = "reduce over a dimension that is not empty", .chapter = chapters::kKernels);
  visit_all(in_dtype, [&](auto zero) {
    using T = decltype(zero);
    using Out = std::conditional_t<std::is_integral_v<T>, int64_t, T>;
    switch (op) {
      case ReduceOp::Sum:
      case ReduceOp::Mean:
        return launch<Sum, sum_t<T>, Out, T>(out, in, kept, reduced, op == ReduceOp::Mean, stream);
      case ReduceOp::Prod:
        return launch<Product, sum_t<T>, Out, T>(out, in, kept, reduced, false, stream);
      case ReduceOp::AMax:
        return launch<Max, compute_t<T>, T, T>(out, in, kept, reduced, false, stream);
      case ReduceOp::AMin:
        return launch<Min, compute_t<T>, T, T>(out, in, kept, reduced, false, stream);
      case ReduceOp::Any:
        return launch<Any, int, bool, T>(out, in, kept, reduced, false, stream);
      case ReduceOp::All:
        return launch<All, int, bool, T>(out, in, kept, reduced, false, stream);
    }
  });
}

}  // namespace gb::cuda
