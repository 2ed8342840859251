// The loops of every elementwise kernel: out[i] = f(a[i], b[i], ...) over a strided space, for any number of
// inputs of any types.
//
//   elementwise(F{op, alpha}, make_space(it), stream, out, a, b);      it: operand 0 = out, then the inputs
//
// Two kernels per F:
//  * packed: every operand runs through memory without a gap, or stands still (a number, stride 0). A thread
//    loads Packs: 16 bytes of the widest type at a time. kPacks of them, loaded before the first is used, so
//    that several loads are under way while one waits.
//  * strided: everything else: broadcasting, transposed views. One element per thread, offsets by Space::at.
//
// F works on packs, and is copied to each thread:
//
//   struct F { template <int N> __device__ void operator()(Pack<Out, N>& out, const Pack<A, N>& a, ...) const; };
//
// so an operation that is a field of F (an enumerator) is branched on once per pack, not once per element, and
// one kernel per dtype serves a whole family of operations. `out` may be one of the inputs, with its strides.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {

// N neighbours, moved by one instruction where N elements are 2, 4, 8 or 16 bytes.
template <class T, int N>
struct alignas(sizeof(T) * N) Pack {
  T at[N];
};

// out.at[i] = f(in.at[i]...) for each of the N.
template <class T, int N, class F, class... In>
__device__ void for_each_of(Pack<T, N>& out, F f, const Pack<In, N>&... in) {
  for (int i = 0; i < N; ++i) out.at[i] = f(in.at[i]...);
}

namespace loops {

inline constexpr int kPacks = 2;  // per thread

constexpr size_t largest(size_t a) { return a; }
template <class... Rest>
constexpr size_t largest(size_t a, size_t b, Rest... rest) {
  return largest(a > b ? a : b, rest...);
}

// Where an operand of a packed space is, and whether it moves: 1, or 0 for a number.
template <int N>
struct Steps {
  int64_t of[N];
};

template <int N, class T>
__device__ Pack<T, N> load(const T* data, int64_t i, int64_t step) {
  if (step != 0) return *reinterpret_cast<const Pack<T, N>*>(data + i);
  Pack<T, N> same;
  const T value = *data;
  for (int k = 0; k < N; ++k) same.at[k] = value;
  return same;
}

// A thread's packs lie blockDim packs apart, so that neighbouring threads read neighbouring packs each time.
// Nothing is stored before all is computed, so the compiler may put all loads first.
template <int N, class F, size_t... I, class Out, class... In>
__device__ void packed(const F& f, int64_t n, const Steps<1 + sizeof...(In)>& steps, std::index_sequence<I...>,
                       Out* out, const In*... in) {
  const int64_t first = (static_cast<int64_t>(blockIdx.x) * blockDim.x * kPacks + threadIdx.x) * N;
  const int64_t distance = static_cast<int64_t>(blockDim.x) * N;
  Pack<Out, N> results[kPacks] = {};
  for (int k = 0; k < kPacks; ++k)
    if (first + k * distance + N <= n) f(results[k], load<N>(in, first + k * distance, steps.of[I + 1])...);
  for (int k = 0; k < kPacks; ++k) {
    const int64_t i = first + k * distance;
    if (i + N <= n) *reinterpret_cast<Pack<Out, N>*>(out + i) = results[k];
    for (int64_t j = i; j < n && i + N > n; ++j) {  // the last elements, fewer than a pack
      Pack<Out, 1> result = {};
      f(result, Pack<In, 1>{in[j * steps.of[I + 1]]}...);
      out[j] = result.at[0];
    }
  }
}

template <int N, class F, class Out, class... In>
__global__ void packed_kernel(F f, int64_t n, Steps<1 + sizeof...(In)> steps, Out* out, const In*... in) {
  packed<N>(f, n, steps, std::index_sequence_for<In...>(), out, in...);
}

template <class F, size_t... I, class Out, class... In>
__device__ void strided(const F& f, const Space<1 + sizeof...(In)>& space, std::index_sequence<I...>, Out* out,
                        const In*... in) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<1 + sizeof...(In)> at = space.at(i);
  Pack<Out, 1> result = {};
  f(result, Pack<In, 1>{in[at.of[I + 1]]}...);
  out[at.of[0]] = result.at[0];
}

template <class F, class Out, class... In>
__global__ void strided_kernel(F f, Space<1 + sizeof...(In)> space, Out* out, const In*... in) {
  strided(f, space, std::index_sequence_for<In...>(), out, in...);
}

// Does every operand run through memory without a gap or stand still, with out among the first? A pack must
// not straddle a boundary of its own size either.
template <int N, class... T>
bool is_packed(const Space<sizeof...(T)>& space, Steps<sizeof...(T)>& steps, const T*... data) {
  if (space.ndim > 1) return false;
  constexpr int kOperands = sizeof...(T);
  const bool aligned[] = {reinterpret_cast<uintptr_t>(data) % (sizeof(T) * N) == 0 ...};
  for (int k = 0; k < kOperands; ++k) {
    const int64_t step = space.ndim == 0 ? 1 : space.strides[k][0];
    steps.of[k] = step;
    const bool number = step == 0 && k > 0;
    if (!number && !(step == 1 && aligned[k])) return false;
  }
  return true;
}

}  // namespace loops

template <class F, class Out, class... In>
void elementwise(const F& f, const Space<1 + sizeof...(In)>& space, StreamHandle stream, Out* out,
                 const In*... in) {
  if (space.numel == 0) return;
  constexpr int N = 16 / static_cast<int>(loops::largest(sizeof(Out), sizeof(In)...));
  loops::Steps<1 + sizeof...(In)> steps;
  if (loops::is_packed<N, Out, In...>(space, steps, out, in...)) {
    const int64_t packs = (space.numel + N - 1) / N;
    GB_LAUNCH((loops::packed_kernel<N, F, Out, In...>), blocks_for((packs + loops::kPacks - 1) / loops::kPacks),
              kThreads, 0, stream, f, space.numel, steps, out, in...);
  } else {
    GB_LAUNCH((loops::strided_kernel<F, Out, In...>), blocks_for(space.numel), kThreads, 0, stream, f, space,
              out, in...);
  }
}

}  // namespace gb::cuda
