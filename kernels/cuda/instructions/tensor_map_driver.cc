// A tensor map for a GPU: only the driver knows its encoding. Its function is asked for at run time, through the
// CUDA runtime, so that programs need no libcuda to be linked, nor to start on a machine without a GPU.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstring>

#include "core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/instructions/tensor_map_encode.h"

namespace gb::cuda {
namespace {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap) && alignof(TensorMap) >= alignof(CUtensorMap));

PFN_cuTensorMapEncodeTiled_v12000 encode_function() {
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  GB_CUDA_CHECK(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
  GB_CHECK_OR_THROW(
      found == cudaDriverEntryPointSuccess && function, NotImplementedError,
      .what = "the CUDA driver makes no tensor maps", .cause = "it has no cuTensorMapEncodeTiled of CUDA 12.0",
      .repair = "install a driver of CUDA 12 or later, or choose another rung", .chapter = chapters::kKernels);
  return reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
}

CUtensorMapDataType type_of(const TensorMapArgs& a) {
  if (a.dtype == kHalf) return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  if (a.dtype == kBFloat16) return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  return a.to_tf32 ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}

CUtensorMapSwizzle swizzle_of(Swizzle swizzle) {
  switch (swizzle) {
    case Swizzle::Bytes128:
      return CU_TENSOR_MAP_SWIZZLE_128B;
    case Swizzle::Bytes64:
      return CU_TENSOR_MAP_SWIZZLE_64B;
    case Swizzle::Bytes32:
      return CU_TENSOR_MAP_SWIZZLE_32B;
    case Swizzle::None:
      break;
  }
  return CU_TENSOR_MAP_SWIZZLE_NONE;
}

}  // namespace

TensorMap encode(const TensorMapArgs& a) {
  static const PFN_cuTensorMapEncodeTiled_v12000 function = encode_function();
  cuuint64_t sizes[3], strides[2];
  cuuint32_t box[3], steps[3] = {1, 1, 1};
  for (int i = 0; i < a.rank; ++i) {
    sizes[i] = static_cast<cuuint64_t>(a.sizes[i]);
    box[i] = static_cast<cuuint32_t>(a.box[i]);
    if (i > 0) strides[i - 1] = static_cast<cuuint64_t>(a.strides[i - 1]) * elementSize(a.dtype);
  }
  CUtensorMap map;
  const CUresult result = function(&map, type_of(a), static_cast<cuuint32_t>(a.rank), const_cast<void*>(a.data),
                                   sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle_of(a.swizzle),
                                   CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  GB_CHECK_OR_THROW(
      result == CUDA_SUCCESS, Error, .what = "the CUDA driver refuses a tensor map",
      .cause = fmt::format("cuTensorMapEncodeTiled answered {}: data {}, {} dimensions of {} x {} x {}, boxes of "
                           "{} x {} x {}",
                           static_cast<int>(result), a.data, a.rank, a.sizes[0], a.sizes[1], a.sizes[2], a.box[0],
                           a.box[1], a.box[2]),
      .repair = "compare with its conditions in NVIDIA's driver API; this is an error of make_tensor_map",
      .chapter = chapters::kKernels);
  TensorMap ours;
  memcpy(&ours, &map, sizeof map);
  return ours;
}

}  // namespace gb::cuda
