// Copies that the copy engine makes by itself: one thread starts one, nobody's registers are used.
//
// To shared memory: whole boxes of a tensor (tma_load, by a TensorMap) or a run of bytes (bulk_load). The bytes are
// counted at an mbarrier, whose wait() returns when they are there; it must have been told how many: always the
// whole box, also where it reaches over an edge. To global memory: tma_store and bulk_store. What a thread has
// started since its last bulk_commit() is a group; bulk_wait_read<n>() returns when all groups of this thread but
// the latest n have been read from shared memory, which may then be used again, bulk_wait<n>() when they have been
// written.
//
// A load takes an edge of the tensor to the element: what lies beyond is 0. A store takes the inner edge in units of 16
// bytes, from the beginning of the row: a row of 70 half numbers is written as 72. And a box that is stored begins inside
// of the tensor: one that began before it was an illegal instruction on an H200. (Neither is in the PTX ISA's text; both
// were found by kernels/cuda/gpu_test.)
//
// Shared addresses: multiples of 128, with a swizzle of 128 bytes of 1024. bulk_*: addresses and lengths are
// multiples of 16. fence_proxy_async() (mbarrier.h) comes between ordinary writes and a store of them. tma_host.cc
// has the host meaning.
#pragma once

#include <cstdint>

#include "kernels/cuda/instructions/mbarrier.h"
#include "kernels/cuda/instructions/tensor_map.h"

namespace gb::cuda {

#ifdef __CUDACC__

// The box that begins at (x, y), innermost first.
__device__ inline void tma_load(void* to, const TensorMap* map, MBarrier* barrier, int x, int y) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], "
      "[%2];" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
      : "memory");
}
__device__ inline void tma_load(void* to, const TensorMap* map, MBarrier* barrier, int x, int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], "
      "[%2];" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "r"(z)
      : "memory");
}
// To every block of the cluster whose bit is set in `blocks`: to the same address there, counted at the barrier
// there.
__device__ inline void tma_load_multicast(void* to, const TensorMap* map, MBarrier* barrier, uint16_t blocks, int x,
                                          int y, int z) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
      "[%1, {%4, %5, %6}], [%2], %3;" ::"r"(shared_address(to)),
      "l"(map), "r"(shared_address(barrier)), "h"(blocks), "r"(x), "r"(y), "r"(z)
      : "memory");
}
__device__ inline void tma_store(const TensorMap* map, const void* from, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(shared_address(from)), "r"(x), "r"(y)
               : "memory");
}
__device__ inline void tma_store(const TensorMap* map, const void* from, int x, int y, int z) {
  asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group [%0, {%2, %3, %4}], [%1];" ::"l"(map),
               "r"(shared_address(from)), "r"(x), "r"(y), "r"(z)
               : "memory");
}
// Fetches the map itself, 128 bytes, ahead of its first use.
__device__ inline void prefetch_tensor_map(const TensorMap* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

__device__ inline void bulk_load(void* to, const void* from, uint32_t bytes, MBarrier* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(barrier))
               : "memory");
}
__device__ inline void bulk_store(void* to, const void* from, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(__cvta_generic_to_global(to)),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}

__device__ inline void bulk_commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int n>
__device__ void bulk_wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory");
}
template <int n>
__device__ void bulk_wait() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory");
}

#else

void tma_load(void* to, const TensorMap* map, MBarrier* barrier, int x, int y, GB_SIMT_SITE);
void tma_load(void* to, const TensorMap* map, MBarrier* barrier, int x, int y, int z, GB_SIMT_SITE);
void tma_load_multicast(void* to, const TensorMap* map, MBarrier* barrier, uint16_t blocks, int x, int y, int z,
                        GB_SIMT_SITE);
void tma_store(const TensorMap* map, const void* from, int x, int y, GB_SIMT_SITE);
void tma_store(const TensorMap* map, const void* from, int x, int y, int z, GB_SIMT_SITE);
inline void prefetch_tensor_map(const TensorMap*) {}

void bulk_load(void* to, const void* from, uint32_t bytes, MBarrier* barrier, GB_SIMT_SITE);
void bulk_store(void* to, const void* from, uint32_t bytes, GB_SIMT_SITE);

void bulk_commit();
void bulk_wait_for_all_but(int groups, const char* file, int line);
template <int n>
void bulk_wait_read(GB_SIMT_SITE) {
  bulk_wait_for_all_but(n, file, line);
}
template <int n>
void bulk_wait(GB_SIMT_SITE) {
  bulk_wait_for_all_but(n, file, line);
}

#endif

}  // namespace gb::cuda
