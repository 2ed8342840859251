// How many blocks a kernel gets whose blocks stay: one for each multiprocessor.
#pragma once

#include "kernels/cuda/softmax/device_limits.h"

namespace gb::cuda {

#ifdef __CUDACC__
inline int multiprocessors() { return device_attribute(cudaDevAttrMultiProcessorCount); }
#else
inline int multiprocessors() { return 2; }  // on the host: several blocks, each with several tiles
#endif

}  // namespace gb::cuda
