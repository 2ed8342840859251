// LM head, rung 3, backward: p and dp are read once, dx is written, and nothing else of 600 columns is in memory.
//
// A block stays, with W in shared memory and its part of dW in the registers of two warpgroups, which multiply
// (hopper_gradients.h). The four warps of the third make dz, two rows at a time, so that the sums of both go from lane
// to lane together. The copy engine brings p and dp of the warp's next six rows, 2400 bytes each, 57 KB in all. The
// warp reads two rows into registers, which frees their place for the next ones at once. A lane has the same 20 columns
// of every row, so db needs no shared memory.
//
//   clocks for 32 rows (bfloat16)     memory, at 1/132 of 4.25 TB/s   4500
//                                     shared memory                   2900
//                                     dz, an instruction a clock      1600
//                                     products                        1300
//
// On an H200 a tile takes 3.1 us, where memory needs 2.6. Without any products it took no less: what holds it up is the
// one warp that each quarter of a multiprocessor has for dz.
#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/lm_head/block_sums.h"
#include "kernels/cuda/lm_head/hopper_gradients.h"
#include "kernels/cuda/lm_head/rungs.h"
#include "kernels/cuda/softmax/rows.h"

namespace gb::cuda::lm_head_03_wgmma {
namespace {

constexpr int kPlaces = 3;  // of a warp: two rows each, that are there or on their way
constexpr int kPieces = 5;  // of a lane: four columns of a row, 8 bytes

template <class T>
struct Shared {
  GradientTiles<T, DzByRows> tiles;
  alignas(16) T rows[kMakerWarps][kPlaces][2][2 * 3 * kColumns];  // p, dp: [2, out]
  MBarrier rows_are_there[kMakerWarps][kPlaces];
};

struct Four {
  float of[4];
};
template <class T>
__device__ Four four_of(uint2 piece) {
  const float2 first = pair_of<T>(piece.x), second = pair_of<T>(piece.y);
  return {{first.x, first.y, second.x, second.y}};
}
// Where columns 4 (lane + 32 i) ... of row r of dz lie, 8 bytes: 32 pieces further on is two blocks of 64 columns.
inline __device__ uint2* piece_of_dz(char* dz, int r, int lane, int i) {
  const int block = i * 2 + lane / 16, sixteen = (lane / 2 % 8) ^ (r % 8);
  return reinterpret_cast<uint2*>(dz + block * (kRows * 128) + r * 128 + sixteen * 16 + lane % 2 * 8);
}

// The warps that make dz. p, grad_p: [rows, out]; mine: float [out], db of this block
template <bool kWhole, class T>
__device__ void make_dz(Shared<T>& s, const T* p, const T* grad_p, const TensorMap* map_x, float* mine,
                        const BlockRows& rows, int any_out) {
  const int out = kWhole ? 3 * kColumns : any_out;
  const int lane = static_cast<int>(threadIdx.x) % 32, pieces = out / 4;
  const int warp = maker_warp();
  const auto load_rows = [&](int row, int place) {
    if (row >= rows.last) return;
    const uint32_t bytes = static_cast<uint32_t>(min(2, rows.last - row) * out * sizeof(T));
    MBarrier& barrier = s.rows_are_there[warp][place];
    barrier.arrive_expect_tx(2 * bytes);
    bulk_load(s.rows[warp][place][0], p + static_cast<int64_t>(row) * out, bytes, &barrier);
    bulk_load(s.rows[warp][place][1], grad_p + static_cast<int64_t>(row) * out, bytes, &barrier);
  };
  constexpr int kStep = 2 * kMakerWarps;
  int row = rows.first + 2 * warp;  // and the next; then eight rows on
  if (lane == 0)
    for (int place = 0; place < kPlaces; ++place) load_rows(row + place * kStep, place);

  Four db[kPieces] = {};
  int place = 0, parity = 0;
  for (int n = 0; n < rows.tiles; ++n) {
    const int b = n % 2;
    s.tiles.dz_is_free[b].wait(n / 2 % 2 ^ 1);
    if (warp == 0 && lane == 0) load_x(s.tiles, map_x, rows, n);
#pragma unroll 1
    for (int r = 2 * warp; r < kRows; r += kStep, row += kStep) {
      uint2 y[2][kPieces] = {}, dy[2][kPieces] = {};  // dz of rows that are not there: zeros
      if (row < rows.last) {
        s.rows_are_there[warp][place].wait(static_cast<uint32_t>(parity));
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
          for (int i = 0; i < kPieces; ++i)
            if (row + h < rows.last && lane + 32 * i < pieces) {
              y[h][i] = reinterpret_cast<const uint2*>(s.rows[warp][place][0])[h * pieces + lane + 32 * i];
              dy[h][i] = reinterpret_cast<const uint2*>(s.rows[warp][place][1])[h * pieces + lane + 32 * i];
            }
        __syncwarp();  // all lanes have read the rows
        if (lane == 0) load_rows(row + kPlaces * kStep, place);
        if (++place == kPlaces) place = 0, parity ^= 1;
      }

      float dot[2] = {};
#pragma unroll
      for (int i = 0; i < kPieces; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          const Four p = four_of<T>(y[h][i]), dp = four_of<T>(dy[h][i]);
          dot[h] += (p.of[0] * dp.of[0] + p.of[1] * dp.of[1]) + (p.of[2] * dp.of[2] + p.of[3] * dp.of[3]);
        }
#pragma unroll
      for (int distance = 1; distance < 32; distance *= 2)  // both rows' at once: a shuffle takes its time
#pragma unroll
        for (int h = 0; h < 2; ++h) dot[h] += __shfl_xor_sync(kAllLanes, dot[h], distance);
#pragma unroll
      for (int i = 0; i < kPieces; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
          Four p = four_of<T>(y[h][i]);
          const Four dp = four_of<T>(dy[h][i]);
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            p.of[e] *= dp.of[e] - dot[h];
            db[i].of[e] += p.of[e];
          }
          if (lane + 32 * i < pieces)
            *piece_of_dz(s.tiles.dz[b], r + h, lane, i) = {rounded_pair<T>(p.of[0], p.of[1]),
                                                           rounded_pair<T>(p.of[2], p.of[3])};
        }
    }
    fence_proxy_async();
    __syncwarp();
    if (lane == 0) s.tiles.dz_is_there[b].arrive();
  }

  // All rows have been read: a warp's places for them take its part of db, and then all parts are added up.
#pragma unroll
  for (int i = 0; i < kPieces; ++i)
    if (lane + 32 * i < pieces) reinterpret_cast<Four*>(s.rows[warp])[lane + 32 * i] = db[i];
  named_barrier(1, kMakers);
  for (int j = static_cast<int>(threadIdx.x) % kMakers; j < out; j += kMakers) {
    float sum = 0;
    for (int w = 0; w < kMakerWarps; ++w) sum += reinterpret_cast<const float*>(s.rows[w])[j];
    mine[j] = sum;
  }
}

// grad_x: [rows, in]; partial: [gridDim.x, out * in + out]; p, grad_p: [rows, out]; x: [rows, in] by map_x, boxes of
// kRows rows; weight: [out, in] by map_w, boxes of kWeightBox rows. kWhole: out is all 600, known to the compiler
template <class T, bool kWhole>
__global__ void __launch_bounds__(kGradientThreads, 1)
    backward_kernel(T* grad_x, float* partial, const T* p, const T* grad_p, const __grid_constant__ TensorMap map_x,
                    const __grid_constant__ TensorMap map_w, int all_rows, int in, int out) {
  GB_EXTERN_SHARED(char, memory);
  Shared<T>& s = *reinterpret_cast<Shared<T>*>(align_shared(memory, 1024));
  const BlockRows rows(all_rows);
  if (threadIdx.x == 0) {
    for (auto& of_warp : s.rows_are_there)
      for (MBarrier& barrier : of_warp) barrier.init(1);
    init_barriers(s.tiles);
  }
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kRows * kWeightRows / 4; i += kGradientThreads) {
    const int piece = i % (kWeightRows / 4), r = i / (kWeightRows / 4) % kRows, b = i / (kWeightRows / 4) / kRows;
    if (piece >= out / 4) *piece_of_dz(s.tiles.dz[b], r, piece % 32, piece / 32) = {0, 0};  // these stay so
  }
  fence_proxy_async();
  __syncthreads();
  if (threadIdx.x == 0) load_w(s.tiles, &map_w);
  float* const mine = partial + blockIdx.x * (static_cast<int64_t>(out) * in + out);
  const int group = warpgroup();
  if (group == 2) {
    lower_registers<kMakerRegisters>();
    make_dz<kWhole>(s, p, grad_p, &map_x, mine + out * in, rows, out);
  } else if (group == 0) {
    raise_registers<kMultiplierRegisters[0]>();
    multiply<0>(s.tiles, grad_x, mine, rows, in, out);
  } else {
    raise_registers<kMultiplierRegisters[1]>();
    multiply<1>(s.tiles, grad_x, mine, rows, in, out);
  }
}

template <class T, bool kWhole>
void launch(const LmHeadBackwardArgs& a) {
  GB_LAUNCH((backward_kernel<T, kWhole>), blocks_of(a), kGradientThreads, sizeof(Shared<T>) + 1024, a.stream,
            static_cast<T*>(a.grad_x), static_cast<float*>(a.scratch), static_cast<const T*>(a.p),
            static_cast<const T*>(a.grad_p), map_of_rows(a, a.x, a.rows, kRows),
            map_of_rows(a, a.weight, a.out, kWeightBox), static_cast<int>(a.rows), static_cast<int>(a.in),
            static_cast<int>(a.out));
}

}  // namespace

bool takes(const LmHeadBackwardArgs& a) {
  return fits_hopper_head(a) && is_aligned(a.p) && is_aligned(a.grad_p) && is_aligned(a.grad_x) &&
         may_share(sizeof(Shared<Half>) + 1024);
}
size_t scratch(const LmHeadBackwardArgs& a) { return bytes_of_blocks(a, blocks_of(a)); }

void run(const LmHeadBackwardArgs& a) {
  const bool whole = a.out == 3 * kColumns;
  if (a.dtype == kHalf)
    whole ? launch<Half, true>(a) : launch<Half, false>(a);
  else
    whole ? launch<BFloat16, true>(a) : launch<BFloat16, false>(a);
  sum_blocks(a, a.grad_weight, a.grad_bias, blocks_of(a));
}

}  // namespace gb::cuda::lm_head_03_wgmma
