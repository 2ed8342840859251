// The functions of libcublas and libcublasLt that are used, found at run time. See cublas.h for the search.
#pragma once

#include <cublasLt.h>
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

  // Of its sibling.
  decltype(&cublasLtCreate) lt_create;
  decltype(&cublasLtMatmulDescCreate) lt_desc_create;
  decltype(&cublasLtMatmulDescSetAttribute) lt_desc_set;
  decltype(&cublasLtMatrixLayoutCreate) lt_layout_create;
  decltype(&cublasLtMatmulPreferenceCreate) lt_preference_create;
  decltype(&cublasLtMatmulPreferenceSetAttribute) lt_preference_set;
  decltype(&cublasLtMatmulPreferenceDestroy) lt_preference_destroy;
  decltype(&cublasLtMatmulAlgoGetHeuristic) lt_heuristic;
  decltype(&cublasLtMatmul) lt_matmul;
};

void check(cublasStatus_t status, const char* call);  // throws Error, with the name of the status

const Library& library();  // loads at the first call; throws NotImplementedError, and tries again at the next

}  // namespace gb::cuda::cublas
