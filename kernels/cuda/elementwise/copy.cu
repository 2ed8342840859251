// copy and fill: move elements, converting between any two of the seven dtypes.
//
// A copy that keeps the dtype, and every fill, moves bit patterns: one kernel per element size. A converting
// copy has one kernel per destination dtype; the source dtype is a kernel argument, a branch that all threads
// take alike.
#include "kernels/cuda/element.h"
#include "kernels/cuda/elementwise/elementwise.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

// The value of a switch over element sizes: calls f(uint8_t{}) ... f(uint64_t{}).
template <class F>
void visit_size(size_t bytes, F f) {
  switch (bytes) {
    case 1:
      return f(uint8_t{});
    case 2:
      return f(uint16_t{});
    case 4:
      return f(uint32_t{});
    case 8:
      return f(uint64_t{});
  }
}

template <class Bits>
__global__ void move_kernel(Bits* dst, const Bits* src, Space<2> space) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<2> at = space.at(i);
  dst[at.of[0]] = src[at.of[1]];
}

template <class Bits>
__global__ void fill_kernel(Bits* dst, Bits value, Space<1> space) {
  const int64_t i = thread_number();
  if (i < space.numel) dst[space.at(i).of[0]] = value;
}

template <class To, class From>
__device__ To load_as(const void* src, int64_t offset) {
  return convert<To>(static_cast<const From*>(src)[offset]);
}

template <class To>
__global__ void convert_kernel(To* dst, ScalarType src_dtype, const void* src, Space<2> space) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const Offsets<2> at = space.at(i);
  To value = To();
  switch (src_dtype) {
    case ScalarType::Float:
      value = load_as<To, float>(src, at.of[1]);
      break;
    case ScalarType::Double:
      value = load_as<To, double>(src, at.of[1]);
      break;
    case ScalarType::Half:
      value = load_as<To, Half>(src, at.of[1]);
      break;
    case ScalarType::BFloat16:
      value = load_as<To, BFloat16>(src, at.of[1]);
      break;
    case ScalarType::Long:
      value = load_as<To, int64_t>(src, at.of[1]);
      break;
    case ScalarType::Int:
      value = load_as<To, int32_t>(src, at.of[1]);
      break;
    case ScalarType::Bool:
      value = load_as<To, bool>(src, at.of[1]);
      break;
    default:
      break;
  }
  dst[at.of[0]] = value;
}

}  // namespace

void copy(ScalarType dst_dtype, void* dst, ScalarType src_dtype, const void* src, const Strided<2>& it,
          StreamHandle stream) {
  for (ScalarType t : {dst_dtype, src_dtype})
    if (!isSupportedType(t)) throw_no_kernel("copy", t);
  const Space<2> space = make_space(it);
  if (space.numel == 0) return;
  if (dst_dtype == src_dtype) {
    visit_size(elementSize(dst_dtype), [&](auto zero) {
      using Bits = decltype(zero);
      GB_LAUNCH((move_kernel<Bits>), blocks_for(space.numel), kThreads, 0, stream, static_cast<Bits*>(dst),
                static_cast<const Bits*>(src), space);
    });
  } else {
    visit_all(dst_dtype, [&](auto zero) {
      using To = decltype(zero);
      GB_LAUNCH((convert_kernel<To>), blocks_for(space.numel), kThreads, 0, stream, static_cast<To*>(dst),
                src_dtype, src, space);
    });
  }
}

void fill(ScalarType dtype, void* dst, ScalarArg value, const Strided<1>& it, StreamHandle stream) {
  if (!isSupportedType(dtype)) throw_no_kernel("fill", dtype);
  const Space<1> space = make_space(it);
  if (space.numel == 0) return;
  uint64_t pattern = 0;  // the converted value; little-endian, so its low bytes are the element
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T converted =
        std::is_same_v<T, int32_t> || std::is_same_v<T, int64_t> ? convert<T>(value.i) : convert<T>(value.d);
    memcpy(&pattern, &converted, sizeof(T));
  });
  visit_size(elementSize(dtype), [&](auto zero) {
    using Bits = decltype(zero);
    GB_LAUNCH((fill_kernel<Bits>), blocks_for(space.numel), kThreads, 0, stream, static_cast<Bits*>(dst),
              static_cast<Bits>(pattern), space);
  });
}

}  // namespace gb::cuda
