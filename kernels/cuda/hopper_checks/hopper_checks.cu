// The kernels of hopper_checks.h. Each block has one warp or warpgroup that does everything, unless it says so.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/hopper_checks/hopper_checks.h"
#include "kernels/cuda/instructions/cluster.h"
#include "kernels/cuda/instructions/named_barrier.h"
#include "kernels/cuda/instructions/registers.h"
#include "kernels/cuda/instructions/stmatrix.h"
#include "kernels/cuda/instructions/tma.h"
#include "kernels/cuda/instructions/wgmma.h"

namespace gb::cuda::hopper_checks {
namespace {

constexpr uint32_t kPattern = 1024;  // alignment of swizzled boxes

// Shared memory: boxes from an aligned address on, an mbarrier before them.
struct Memory {
  MBarrier* barrier;
  char* boxes;
};
constexpr size_t kExtra = kPattern + sizeof(MBarrier) + 1024;
__device__ Memory divide(char* shared) {
  return {reinterpret_cast<MBarrier*>(shared), align_shared(shared + sizeof(MBarrier), kPattern)};
}

__global__ void load_box_kernel(const __grid_constant__ TensorMap map, int rank, int x, int y, int z,
                                uint32_t bytes, char* out) {
  GB_EXTERN_SHARED(char, shared);
  const Memory memory = divide(shared);
  if (threadIdx.x == 0) {
    memory.barrier->init(1);
    fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    memory.barrier->arrive_expect_tx(bytes);
    if (rank == 2) tma_load(memory.boxes, &map, memory.barrier, x, y);
    if (rank == 3) tma_load(memory.boxes, &map, memory.barrier, x, y, z);
  }
  memory.barrier->wait(0);
  for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x) out[i] = memory.boxes[i];
}

__global__ void store_box_kernel(const __grid_constant__ TensorMap map, int rank, int x, int y, int z,
                                 uint32_t bytes, const char* in) {
  GB_EXTERN_SHARED(char, shared);
  const Memory memory = divide(shared);
  for (uint32_t i = threadIdx.x; i < bytes; i += blockDim.x) memory.boxes[i] = in[i];
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) {
    if (rank == 2) tma_store(&map, memory.boxes, x, y);
    if (rank == 3) tma_store(&map, memory.boxes, x, y, z);
    bulk_commit();
    bulk_wait<0>();
  }
}

__global__ void bulk_copy_kernel(char* out, const char* in, uint32_t n) {
  GB_EXTERN_SHARED(char, shared);
  const Memory memory = divide(shared);
  if (threadIdx.x == 0) {
    memory.barrier->init(1);
    fence_mbarrier_init();
    memory.barrier->arrive_expect_tx(n);
    bulk_load(memory.boxes, in, n, memory.barrier);
    memory.barrier->wait(0);
    bulk_store(out, memory.boxes, n);
    bulk_commit();
    bulk_wait_read<0>();
  }
}

__global__ void store_pieces_kernel(uint32_t* out, const uint32_t* in) {
  GB_EXTERN_SHARED(uint32_t, place);  // [32, 4]
  const int i = static_cast<int>(threadIdx.x) * 4;
  stmatrix_trans(place + i, {in[i], in[i + 1], in[i + 2], in[i + 3]});
  __syncwarp();
  for (int w = 0; w < 4; ++w) out[i + w] = place[i + w];
}

// a: boxes of 128 bytes of the contiguous dimension by 64, or by k; b alike.
template <class T, int N, Major kA, Major kB, bool kRegisters>
__global__ void multiply_kernel(const __grid_constant__ TensorMap map_a, const __grid_constant__ TensorMap map_b,
                                float* d) {
  GB_EXTERN_SHARED(char, shared);
  constexpr int kK = 128 / sizeof(T), kRow = 128;  // elements of k in all, bytes of a row
  constexpr uint32_t kABytes = 64 * kRow;
  constexpr int kBBoxes = kB == Major::K ? 1 : (N * static_cast<int>(sizeof(T)) + kRow - 1) / kRow;
  constexpr uint32_t kBBytes = kB == Major::K ? N * kRow : kBBoxes * kK * kRow;
  const Memory memory = divide(shared);
  char *const a = memory.boxes, *const b = memory.boxes + kABytes;
  if (threadIdx.x == 0) {
    memory.barrier->init(1);
    fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    memory.barrier->arrive_expect_tx(kABytes + kBBytes);
    tma_load(a, &map_a, memory.barrier, 0, 0);
    for (int i = 0; i < kBBoxes; ++i)
      tma_load(b + i * kK * kRow, &map_b, memory.barrier,
               kB == Major::K ? 0 : i * kRow / static_cast<int>(sizeof(T)), 0);
  }
  memory.barrier->wait(0);

  float sum[N / 2];
  for (int i = 0; i < N / 2; ++i) sum[i] = d[wgmma_row(i) * N + wgmma_column(i)];
  // MN: the whole of a is one row wide; b's next 128 bytes are a box further on. Eight rows of 128 bytes: 1024.
  const uint64_t of_a = wgmma_descriptor(a, Swizzle::Bytes128, 0, 1024);
  const uint64_t of_b = wgmma_descriptor(b, Swizzle::Bytes128, kK * kRow, 1024);
  wgmma_fence();
#pragma unroll
  for (int step = 0; step < 4; ++step) {  // 32 bytes of k each; MN: that many elements' rows
    constexpr uint32_t kRows = kWgmmaK<T> * kRow;
    const uint64_t at_b = advance(of_b, step * (kB == Major::K ? 32 : kRows));
    if constexpr (kRegisters) {
      uint32_t registers[4];  // read from the swizzled tile by hand
      for (int i = 0; i < 4; ++i) {
        const int row = wgmma_row(i % 2 * 2);
        const uint32_t byte = step * 32 + i / 2 * 16 + threadIdx.x % 4 * 4;
        const uint32_t place = swizzled(row * kRow + byte, Swizzle::Bytes128);
        registers[i] = *reinterpret_cast<const uint32_t*>(a + place);
      }
      wgmma_fence();
      wgmma<N, T, kB>(sum, registers, at_b, true);
      wgmma_commit();
      wgmma_wait<0>();
    } else {
      wgmma<N, T, kA, kB>(sum, advance(of_a, step * (kA == Major::K ? 32 : kRows)), at_b, true);
    }
  }
  wgmma_commit();
  wgmma_wait<0>();
  for (int i = 0; i < N / 2; ++i) d[wgmma_row(i) * N + wgmma_column(i)] = sum[i];
}

constexpr int kPiece = 256;  // floats

__global__ void __launch_bounds__(160, 1) ring_kernel(float* out, const float* in, int pieces) {
  GB_EXTERN_SHARED(char, shared);
  const auto full = reinterpret_cast<MBarrier*>(shared), empty = full + 2;                          // [2] each
  const auto buffers = reinterpret_cast<float*>(align_shared(shared + 4 * sizeof(MBarrier), 128));  // [2, kPiece]
  if (threadIdx.x == 0) {
    for (int s = 0; s < 2; ++s) {
      full[s].init(1);
      empty[s].init(1);
    }
    fence_mbarrier_init();
  }
  __syncthreads();
  if (threadIdx.x >= 128) {  // the warp that fetches
    if (threadIdx.x == 128)
      for (int p = 0; p < pieces; ++p) {
        const int s = p % 2;
        empty[s].wait(p / 2 % 2 ^ 1);  // passes at once for the first piece of each buffer
        full[s].arrive_expect_tx(kPiece * sizeof(float));
        bulk_load(buffers + s * kPiece, in + p * kPiece, kPiece * sizeof(float), &full[s]);
      }
  } else {
    for (int p = 0; p < pieces; ++p) {
      const int s = p % 2;
      full[s].wait(p / 2 % 2);
      for (int i = threadIdx.x; i < kPiece; i += 128) out[p * kPiece + i] = 2 * buffers[s * kPiece + i];
      named_barrier(1, 128);
      if (threadIdx.x == 0) empty[s].arrive();
    }
  }
}

__global__ void cluster_kernel(const __grid_constant__ TensorMap map, float* out) {
  GB_EXTERN_SHARED(char, shared);
  const auto barrier = reinterpret_cast<MBarrier*>(shared);
  const auto box = reinterpret_cast<float*>(align_shared(shared + 2 * sizeof(MBarrier), 128));  // [64]
  float* const mine = box + 64;                                                                 // [32]
  const uint32_t rank = cluster_rank(), other = rank ^ 1;
  if (threadIdx.x == 0) {
    barrier[0].init(1);
    barrier[1].init(2);
    fence_mbarrier_init();
  }
  mine[threadIdx.x] = static_cast<float>(rank * 100 + threadIdx.x);
  cluster_sync();
  if (threadIdx.x == 0) {
    barrier->arrive_expect_tx(64 * sizeof(float));  // half of it is fetched by the other block
    tma_load_multicast(box + rank * 32, &map, barrier, 3, static_cast<int>(rank) * 32, 0, 0);
    for (uint32_t r = 0; r < 2; ++r) barrier[1].arrive_at(r);
  }
  barrier[0].wait(0);
  barrier[1].wait(0);
  out[rank * 32 + threadIdx.x] = *map_to_rank(mine + threadIdx.x, other);
  for (unsigned i = threadIdx.x; i < 64; i += 32) out[64 + rank * 64 + i] = box[i];
  cluster_sync();  // the other block still reads from this one
}

TensorMap map_of(const BoxCopy& c, const void* data) {
  TensorMapArgs args;
  args.dtype = c.dtype;
  args.to_tf32 = c.to_tf32;
  args.data = data;
  args.rank = c.sizes[2] == 1 && c.box[2] == 1 ? 2 : 3;
  for (int i = 0; i < 3; ++i) args.sizes[i] = c.sizes[i], args.box[i] = c.box[i];
  for (int i = 0; i < 2; ++i) args.strides[i] = c.strides[i];
  args.swizzle = c.swizzle;
  return make_tensor_map(args);
}
uint32_t bytes_of(const BoxCopy& c) {
  return static_cast<uint32_t>(c.box[0] * c.box[1] * c.box[2]) * static_cast<uint32_t>(elementSize(c.dtype));
}
int rank_of(const BoxCopy& c) { return c.sizes[2] == 1 && c.box[2] == 1 ? 2 : 3; }

TensorMap map_of_operand(const Multiply& m, const void* data, int mn, bool mn_major) {
  const int row = 128 / static_cast<int>(elementSize(m.dtype));  // elements of a row of the box; all of k
  TensorMapArgs args;
  args.dtype = m.dtype;
  args.to_tf32 = m.dtype == kFloat;
  args.data = data;
  args.sizes[0] = mn_major ? mn : row;
  args.sizes[1] = mn_major ? row : mn;
  args.strides[0] = args.sizes[0];
  args.box[0] = row;
  args.box[1] = mn_major ? row : mn;
  args.swizzle = Swizzle::Bytes128;
  return make_tensor_map(args);
}

template <class T, int N, Major kA, Major kB, bool kRegisters>
void launch_multiply(const Multiply& m) {
  GB_LAUNCH((multiply_kernel<T, N, kA, kB, kRegisters>), 1, 128, kExtra + 64 * 128 + (N + 63) / 64 * 64 * 128,
            nullptr, map_of_operand(m, m.a, 64, m.a_mn), map_of_operand(m, m.b, m.n, m.b_mn), m.d);
}
template <class T, int N>
void multiply_by(const Multiply& m) {
  if constexpr (sizeof(T) == 2) {
    if (m.a_in_registers)
      return m.b_mn ? launch_multiply<T, N, Major::K, Major::MN, true>(m)
                    : launch_multiply<T, N, Major::K, Major::K, true>(m);
    if (m.a_mn)
      return m.b_mn ? launch_multiply<T, N, Major::MN, Major::MN, false>(m)
                    : launch_multiply<T, N, Major::MN, Major::K, false>(m);
    if (m.b_mn) return launch_multiply<T, N, Major::K, Major::MN, false>(m);
  } else if (m.a_in_registers) {
    return launch_multiply<T, N, Major::K, Major::K, true>(m);
  }
  launch_multiply<T, N, Major::K, Major::K, false>(m);
}
template <class T>
void multiply_by(const Multiply& m) {
  if (m.n == 64) multiply_by<T, 64>(m);
  if (m.n == 200) multiply_by<T, 200>(m);
  if (m.n == 256) multiply_by<T, 256>(m);
}

}  // namespace

bool can_run() { return is_hopper(); }

void load_box(const BoxCopy& c) {
  GB_LAUNCH((load_box_kernel), 1, 32, kExtra + bytes_of(c), nullptr, map_of(c, c.tensor), rank_of(c), c.first[0],
            c.first[1], c.first[2], bytes_of(c), static_cast<char*>(c.out));
}
void store_box(const BoxCopy& c, const void* in) {
  GB_LAUNCH((store_box_kernel), 1, 32, kExtra + bytes_of(c), nullptr, map_of(c, c.out), rank_of(c), c.first[0],
            c.first[1], c.first[2], bytes_of(c), static_cast<const char*>(in));
}
void bulk_copy(void* out, const void* in, uint32_t n) {
  GB_LAUNCH((bulk_copy_kernel), 1, 32, kExtra + n, nullptr, static_cast<char*>(out), static_cast<const char*>(in),
            n);
}
void store_pieces(void* out, const void* in) {
  GB_LAUNCH((store_pieces_kernel), 1, 32, 512, nullptr, static_cast<uint32_t*>(out), static_cast<const uint32_t*>(in));
}
void multiply(const Multiply& m) {
  if (m.dtype == kHalf) multiply_by<Half>(m);
  if (m.dtype == kBFloat16) multiply_by<BFloat16>(m);
  if (m.dtype == kFloat) multiply_by<Tf32>(m);
}
void ring(float* out, const float* in, int pieces) {
  GB_LAUNCH((ring_kernel), 1, 160, 4 * sizeof(MBarrier) + 128 + 2 * kPiece * sizeof(float), nullptr, out, in,
            pieces);
}
void cluster_of_two(float* out, const float* in) {
  TensorMapArgs args;
  args.data = in;
  args.rank = 3;
  args.sizes[0] = 64;
  args.strides[0] = args.strides[1] = 64;
  args.box[0] = 32;
  GB_LAUNCH_CLUSTERS(2, (cluster_kernel), 2, 32, 1024, nullptr, make_tensor_map(args), out);
}

}  // namespace gb::cuda::hopper_checks
