// Clusters: up to 8 blocks (16 with permission) that run at the same time on neighbouring multiprocessors, and
// reach each other's shared memory. Their ranks are 0, 1, ... along x.
//
// A block may touch another's shared memory only once that one runs, and only until it ends: cluster_sync() after
// the mbarriers are initialised, and again before the end. On the host the blocks of a cluster are fibres of one
// run.
//
//   GB_LAUNCH_CLUSTERS(2, (kernel), grid, block, shared_bytes, stream, arguments...);    grid.x a multiple of 2
#pragma once

#include <cstdint>

#include "kernels/cuda/launch.h"
#ifndef __CUDACC__
#include "kernels/cuda/simt/asynchronous.h"
#endif

namespace gb::cuda {

#ifdef __CUDACC__

__device__ inline uint32_t cluster_rank() {
  uint32_t rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ inline uint32_t cluster_size() {
  uint32_t blocks;
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(blocks));
  return blocks;
}
// All threads of all its blocks; what they wrote before is seen after it.
__device__ inline void cluster_sync() {
  asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}
// The same place of shared memory in block number `rank`, to be read and written as it is.
template <class T>
__device__ T* map_to_rank(T* shared, uint32_t rank) {
  uint64_t address;
  asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(shared), "r"(rank));
  return reinterpret_cast<T*>(address);
}

template <class... P, class... A>
void launch_clusters(unsigned blocks, const KernelLaunch& launch, void (*kernel)(P...), dim3 grid, dim3 block,
                     StreamHandle stream, A... args) {
  before_launch(launch, reinterpret_cast<const void*>(kernel));
  if (blocks > 8) GB_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = launch.shared_bytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, static_cast<P>(args)...);  // after_launch asks whether it went well
  after_launch(launch, stream);
}

#define GB_LAUNCH_CLUSTERS(blocks, kernel, grid, block, shared_bytes, stream, ...)                   \
  ::gb::cuda::launch_clusters(blocks,                                                                \
                              ::gb::cuda::describe_launch(#kernel, __FILE__, __LINE__, ::dim3(grid), \
                                                          ::dim3(block), (shared_bytes), (stream)),  \
                              kernel, ::dim3(grid), ::dim3(block), (stream)__VA_OPT__(, ) __VA_ARGS__)

#else

inline uint32_t cluster_rank() { return simt::block_rank(); }
inline uint32_t cluster_size() { return simt::cluster_blocks(); }
void cluster_sync(GB_SIMT_SITE);
template <class T>
T* map_to_rank(T* shared, uint32_t rank, GB_SIMT_SITE) {
  const simt::Site site{file, line};
  return reinterpret_cast<T*>(simt::shared_pointer(simt::shared_address(shared, site), rank, sizeof(T), site));
}

#define GB_LAUNCH_CLUSTERS(blocks, kernel, grid, block, shared_bytes, stream, ...)                   \
  (::gb::report_kernel_launch(::gb::cuda::describe_launch(#kernel, __FILE__, __LINE__, ::dim3(grid), \
                                                          ::dim3(block), (shared_bytes), (stream))), \
   ::gb::simt::launch({#kernel, __FILE__, __LINE__, nullptr, blocks}, kernel, (grid), (block),       \
                      (shared_bytes)__VA_OPT__(, ) __VA_ARGS__))

#endif

}  // namespace gb::cuda
