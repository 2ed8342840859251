#include "kernels/cuda/instructions/tensor_map.h"

#include <fmt/format.h>

#include "core/error.h"
#include "kernels/cuda/instructions/tensor_map_encode.h"

namespace gb::cuda {
namespace {

constexpr int64_t kMostElements = int64_t{1} << 31;  // of a dimension; coordinates are int
constexpr int64_t kMostStride = int64_t{1} << 39;    // bytes
constexpr int kMostBox = 256;

// What is wrong; empty: nothing.
std::string fault(const TensorMapArgs& a) {
  const auto element = static_cast<int64_t>(elementSize(a.dtype));
  if (a.dtype != kFloat && a.dtype != kHalf && a.dtype != kBFloat16)
    return fmt::format("no maps of dtype {}", toString(a.dtype));
  if (a.to_tf32 && a.dtype != kFloat) return "only Float is rounded to TF32";
  if (a.rank != 2 && a.rank != 3) return fmt::format("{} dimensions, not 2 or 3", a.rank);
  if (reinterpret_cast<uintptr_t>(a.data) % 16 != 0)
    return fmt::format("the address {} is no multiple of 16", a.data);
  for (int i = 0; i < a.rank; ++i) {
    if (a.sizes[i] < 1 || a.sizes[i] > kMostElements) return fmt::format("size {} of dimension {}", a.sizes[i], i);
    if (a.box[i] < 1 || a.box[i] > kMostBox) return fmt::format("a box of {} in dimension {}", a.box[i], i);
    if (i > 0 &&
        (a.strides[i - 1] * element % 16 != 0 || a.strides[i - 1] < 0 || a.strides[i - 1] * element > kMostStride))
      return fmt::format("a stride of {} bytes in dimension {} is no multiple of 16", a.strides[i - 1] * element,
                         i);
  }
  const int64_t row = a.box[0] * element;
  if (a.swizzle == Swizzle::None ? row % 16 != 0 : row != row_bytes(a.swizzle))
    return fmt::format("rows of a box of {} bytes with a swizzle of {}", row,
                       a.swizzle == Swizzle::None ? 0 : row_bytes(a.swizzle));
  return "";
}

}  // namespace

bool can_map(ScalarType dtype, const void* data, int64_t size, int64_t stride) {
  const int64_t bytes = stride * static_cast<int64_t>(elementSize(dtype));
  return reinterpret_cast<uintptr_t>(data) % 16 == 0 && size >= 1 && size <= kMostElements && bytes >= 0 &&
         bytes % 16 == 0 && bytes <= kMostStride;
}

TensorMap make_tensor_map(const TensorMapArgs& args) {
  const std::string wrong = fault(args);
  GB_CHECK_OR_THROW(wrong.empty(), ValueError, .what = "the copy engine cannot take this tensor", .cause = wrong,
                    .repair =
                        "copy the tensor to where its address and its strides are multiples of 16 bytes, or take a "
                        "kernel without tensor maps",
                    .chapter = chapters::kKernels);
  return encode(args);
}

}  // namespace gb::cuda
