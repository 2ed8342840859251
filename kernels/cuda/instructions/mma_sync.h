// mma.sync: a warp's tensor-core product d += a b of small matrices, and ldmatrix, which brings them into registers.
//
// The 32 lanes hold the matrices together. With group g = lane / 4 and t = lane % 4, lane (g, t) has
//   a, 16 x 16 halves   four words: rows g, g + 8, g, g + 8; columns 2t, 2t + 1 in the first two, 2t + 8, 2t + 9 in the
//                       others: the pieces (top left, bottom left, top right, bottom right), each 8 x 8
//   b, 16 x 8 halves    two words: column g; rows 2t, 2t + 1, then 2t + 8, 2t + 9
//   d, 16 x 8 floats    rows g, g, g + 8, g + 8; columns 2t, 2t + 1, 2t, 2t + 1
// With TF32 a is 16 x 8, b 8 x 8: a word is one number, at column t (then t + 4) of a, row t (then t + 4) of b.
// So a piece of a, or of b, is always 8 lines of 16 bytes along k, of which lane (g, t) has word t of line g; and that
// is what ldmatrix gives: four pieces, piece q from the 8 addresses that lanes 8q to 8q + 7 name, 16 bytes each.
// ldmatrix_trans gives the piece of halves transposed: for operands that lie along lines, not along k.
//
// Products of halves are exact, sums are float: a GPU truncates them, the host build adds in double and rounds once.
// TF32 is a float whose last 13 bits of fraction are not looked at; to_tf32 rounds to nearest before, which halves the
// error (2^-11 of each factor).
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"

namespace gb::cuda {

using Words = uint32_t[4];  // a's registers, or four pieces
using Sums = float[4];      // d's registers

#ifdef __CUDACC__

__device__ __forceinline__ void ldmatrix(Words& piece, const void* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(piece[0]), "=r"(piece[1]), "=r"(piece[2]), "=r"(piece[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
}
__device__ __forceinline__ void ldmatrix_trans(Words& piece, const void* from) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(piece[0]), "=r"(piece[1]), "=r"(piece[2]), "=r"(piece[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(from))));
}
__device__ __forceinline__ uint32_t to_tf32(uint32_t float_bits) {
  uint32_t rounded;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(float_bits)));
  return rounded;
}

// T: what a and b hold; float stands for TF32.
template <class T>
__device__ __forceinline__ void mma(Sums& d, const Words& a, uint32_t b0, uint32_t b1) {
  if constexpr (std::is_same_v<T, BFloat16>)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else if constexpr (std::is_same_v<T, Half>)
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
  else
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#else

struct LaneOfLdmatrix {
  uint32_t line[4];  // the 16 bytes that this lane names
  Words piece;
};
inline LaneOfLdmatrix lane_of_ldmatrix(const void* from) {
  const uint4 line = *static_cast<const uint4*>(from);  // at a multiple of 16
  return {{line.x, line.y, line.z, line.w}, {}};
}

inline void ldmatrix(Words& piece, const void* from, GB_SIMT_SITE) {
  LaneOfLdmatrix mine = lane_of_ldmatrix(from);
  const auto hand_out = [](LaneOfLdmatrix* lane) {
    for (int i = 0; i < 32; ++i)
      for (int q = 0; q < 4; ++q) lane[i].piece[q] = lane[8 * q + i / 4].line[i % 4];
  };
  simt::together("ldmatrix", mine, hand_out, {file, line});
  for (int q = 0; q < 4; ++q) piece[q] = mine.piece[q];
}
inline void ldmatrix_trans(Words& piece, const void* from, GB_SIMT_SITE) {
  LaneOfLdmatrix mine = lane_of_ldmatrix(from);
  const auto hand_out = [](LaneOfLdmatrix* lane) {
    const auto half_of = [&](int q, int row, int column) {  // of piece q as it lies in memory
      return lane[8 * q + row].line[column / 2] >> column % 2 * 16 & 0xffff;
    };
    for (int i = 0; i < 32; ++i)
      for (int q = 0; q < 4; ++q)
        lane[i].piece[q] = half_of(q, i % 4 * 2, i / 4) | half_of(q, i % 4 * 2 + 1, i / 4) << 16;
  };
  simt::together("ldmatrix_trans", mine, hand_out, {file, line});
  for (int q = 0; q < 4; ++q) piece[q] = mine.piece[q];
}

// To the nearest, ties away from zero. Infinities and NaN stay.
inline uint32_t to_tf32(uint32_t float_bits) {
  if ((float_bits & 0x7f800000) == 0x7f800000) return (float_bits & 0x7fffff) ? 0x7fffffff : float_bits;
  return (float_bits + 0x1000) & ~0x1fffu;
}

struct LaneOfMma {
  Sums d;
  Words a;
  uint32_t b[2];
};
template <class T>
inline constexpr int kMmaDepth = 32 / static_cast<int>(sizeof(T));  // columns of a: 16 halves, 8 of TF32

// The number in a word: TF32, or the lower (0) or upper (1) half.
template <class T>
double number_in(uint32_t word, [[maybe_unused]] int which) {
  if constexpr (sizeof(T) == 4) {
    return static_cast<double>(bits_float(word & ~0x1fffu));
  } else {
    T half;
    half.bits = static_cast<uint16_t>(word >> 16 * which);
    return static_cast<double>(static_cast<float>(half));
  }
}

template <class T>
void mma(Sums& d, const Words& a, uint32_t b0, uint32_t b1, GB_SIMT_SITE) {
  LaneOfMma mine = {{d[0], d[1], d[2], d[3]}, {a[0], a[1], a[2], a[3]}, {b0, b1}};
  const auto multiply = [](LaneOfMma* lane) {
    constexpr int kDepth = kMmaDepth<T>, kPerWord = 4 / static_cast<int>(sizeof(T));
    double of_a[16][kDepth], of_b[kDepth][8];
    for (int i = 0; i < 32; ++i)
      for (int which = 0; which < kPerWord; ++which)
        for (int half = 0; half < 2; ++half) {
          const int g = i / 4, p = half * kDepth / 2 + i % 4 * kPerWord + which;
          of_a[g][p] = number_in<T>(lane[i].a[2 * half], which);
          of_a[g + 8][p] = number_in<T>(lane[i].a[2 * half + 1], which);
          of_b[p][g] = number_in<T>(lane[i].b[half], which);
        }
    for (int i = 0; i < 32; ++i)
      for (int e = 0; e < 4; ++e) {
        const int row = i / 4 + e / 2 * 8, column = i % 4 * 2 + e % 2;
        double sum = static_cast<double>(lane[i].d[e]);
        for (int p = 0; p < kDepth; ++p) sum += of_a[row][p] * of_b[p][column];
        lane[i].d[e] = static_cast<float>(sum);
      }
  };
  simt::together("mma.sync", mine, multiply, {file, line});
  for (int e = 0; e < 4; ++e) d[e] = mine.d[e];
}

#endif

}  // namespace gb::cuda
