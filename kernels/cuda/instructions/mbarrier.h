// An mbarrier: 8 bytes of shared memory at which threads wait for other threads and for copies.
//
// It counts *phases*. A phase ends when as many arrivals have come as init() said, and as many bytes as arrivals
// announced (expect_tx) have been copied; then the next one begins, with the same number of arrivals to come.
// Nobody is told a phase's number, only its parity: wait(0) returns when a phase of parity 0 has ended and parity 1
// is under way. So a fresh barrier lets wait(1) pass at once ("the phase before the first has ended"), and a thread
// that waits for every phase in turn waits for 0, 1, 0, 1, ...
//
// arrive() is a release and wait() an acquire: what a thread did before it arrived, the waiting thread sees. Bytes
// count by themselves as a bulk copy (tma.h) brings them. The host meaning is in mbarrier_host.cc.
#pragma once

#include <cstdint>

#include "kernels/cuda/instructions/shared_address.h"

namespace gb::cuda {

#ifdef __CUDACC__

struct alignas(8) MBarrier {
  uint64_t word;  // the processor's own encoding

  __device__ void init(uint32_t arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals) : "memory");
  }
  __device__ void arrive() {
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
  }
  // An arrival that announces `bytes` to be copied in this phase.
  __device__ void arrive_expect_tx(uint32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)),
                 "r"(bytes)
                 : "memory");
  }
  // At the barrier of the same address in the cluster's block number `rank`. A release for the threads of this
  // block only: enough to say that a buffer has been read. What another block shall see is ordered by
  // cluster_sync().
  __device__ void arrive_at(uint32_t rank) {
    asm volatile(
        "{\n"
        ".reg .b32 remote;\n"
        "mapa.shared::cluster.u32 remote, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [remote];\n"
        "}" ::"r"(shared_address(this)),
        "r"(rank)
        : "memory");
  }
  // Has a phase of this parity ended? May take a moment before it says no.
  __device__ bool try_wait(uint32_t parity) {
    uint32_t ended;
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [%1], %2;\n"
        "selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(ended)
        : "r"(shared_address(this)), "r"(parity)
        : "memory");
    return ended != 0;
  }
  __device__ void wait(uint32_t parity) {
    while (!try_wait(parity)) {
    }
  }
};

// After init(), before anybody else uses the barriers: to be followed by a barrier of the block or the cluster.
__device__ inline void fence_mbarrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

// Ordinary stores to shared memory become visible to what reads it beside the threads: bulk copies and wgmma. In
// each thread that stored, before the barrier after which the copy or the product starts.
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

#else

struct alignas(8) MBarrier {
  uint64_t word;

  void init(uint32_t arrivals, GB_SIMT_SITE);
  void arrive(GB_SIMT_SITE);
  void arrive_expect_tx(uint32_t bytes, GB_SIMT_SITE);
  void arrive_at(uint32_t rank, GB_SIMT_SITE);
  bool try_wait(uint32_t parity, GB_SIMT_SITE);
  void wait(uint32_t parity, GB_SIMT_SITE);

  void complete_tx(uint32_t bytes, simt::Site site);  // what a bulk copy does as its bytes arrive
};
inline void fence_mbarrier_init() {}
inline void fence_proxy_async() {}  // the host has one way to memory

#endif

}  // namespace gb::cuda
