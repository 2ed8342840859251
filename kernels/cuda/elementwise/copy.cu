// copy and fill: move elements, converting between any two of the seven dtypes.
//
// A copy that keeps the dtype, and every fill, moves bit patterns: one kernel per element size. A converting
// copy has one kernel per pair of element size read and dtype written, that is: the source dtype, of the size
// it has, is a field of the functor, a branch that all threads take alike.
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/elementwise/loops.h"

namespace gb::cuda {
namespace {

struct Move {
  template <class Bits, int N>
  __device__ void operator()(Pack<Bits, N>& out, const Pack<Bits, N>& in) const {
    out = in;
  }
};

template <class Bits>
struct Fill {
  Bits value;
  template <int N>
  __device__ void operator()(Pack<Bits, N>& out) const {
    for_each_of(out, [v = value]() { return v; });
  }
};

template <class From, class Bits>
__device__ From as(Bits bits) {
  static_assert(sizeof(From) == sizeof(Bits), "a pattern is read as a type of its size");
  From value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class To, class Bits>
struct Convert {
  ScalarType from;

  template <int N>
  __device__ void operator()(Pack<To, N>& out, const Pack<Bits, N>& in) const {
    if constexpr (sizeof(Bits) == 1) {
      for_each_of(out, [](Bits x) { return convert<To>(x != 0); }, in);
    } else if constexpr (sizeof(Bits) == 2) {
      if (from == ScalarType::Half)
        for_each_of(out, [](Bits x) { return convert<To>(as<Half>(x)); }, in);
      else
        for_each_of(out, [](Bits x) { return convert<To>(as<BFloat16>(x)); }, in);
    } else if constexpr (sizeof(Bits) == 4) {
      if (from == ScalarType::Float)
        for_each_of(out, [](Bits x) { return convert<To>(as<float>(x)); }, in);
      else
        for_each_of(out, [](Bits x) { return convert<To>(as<int32_t>(x)); }, in);
    } else {
      if (from == ScalarType::Double)
        for_each_of(out, [](Bits x) { return convert<To>(as<double>(x)); }, in);
      else
        for_each_of(out, [](Bits x) { return convert<To>(as<int64_t>(x)); }, in);
    }
  }
};

}  // namespace

void copy(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, const Strided<2>& it,
          StreamHandle stream) {
  for (ScalarType t : {dst_dtype, src_dtype})
    if (!isSupportedType(t)) throw_no_kernel("copy", t);
  const Space<2> space = make_space(it);
  visit_bits(src_dtype, [&](auto pattern) {
    using Bits = decltype(pattern);
    const Bits* from = static_cast<const Bits*>(src);
    if (dst_dtype == src_dtype) return elementwise(Move{}, space, stream, static_cast<Bits*>(dst), from);
    visit_all(dst_dtype, [&](auto zero) {
      using To = decltype(zero);
      elementwise(Convert<To, Bits>{src_dtype}, space, stream, static_cast<To*>(dst), from);
    });
  });
}

void fill(ScalarType dtype, void* dst, ScalarArg value, const Strided<1>& it, StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel("fill", dtype);
  uint64_t pattern = 0;  // the converted value; little-endian, so its low bytes are the element
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T converted =
        std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t> ? convert<T>(value.i) : convert<T>(value.d);
    memcpy(&pattern, &converted, sizeof(T));
  });
  visit_bits(dtype, [&](auto zero) {
    using Bits = decltype(zero);
    elementwise(Fill<Bits>{static_cast<Bits>(pattern)}, make_space(it), stream, static_cast<Bits*>(dst));
  });
}

}  // namespace gb::cuda
