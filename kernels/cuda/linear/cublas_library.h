// The functions of libcublas that are used, found at run time. See cublas.h for the search.
#pragma once

#include <cublas_v2.h>

#include <string>

namespace gb::cuda::cublas {

struct Library {
  std::string path;
  decltype(&cublasCreate_v2) create;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasGemmEx_64) gemm_ex;
  decltype(&cublasGemmStridedBatchedEx_64) gemm_strided_batched_ex;
  decltype(&cublasGetStatusName) status_name;
};

const Library& library();  // loads at the first call; throws NotImplementedError, and tries again at the next

}  // namespace gb::cuda::cublas
