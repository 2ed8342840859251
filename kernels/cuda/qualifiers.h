// __host__ and __device__ for code that is neither a kernel nor a launch (element types): nvcc knows them,
// g++ is told here that they mean nothing.
#pragma once

#if !defined(__CUDACC__) && !defined(__host__)  // CUDA's own headers define them for g++ too
#define __host__
#define __device__
#endif
