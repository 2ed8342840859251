// Half and BFloat16 against the CUDA toolkit's own types, bit for bit: what a kernel stores on the host is
// what it stores on a GPU. The toolkit's headers convert on the host too, so this needs no GPU.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <random>

#include "kernels/cuda/element.h"

// Both headers define these, to nothing that g++ would see.
#undef __host__
#undef __device__
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace {

// Every bit pattern, to float. How many differ? NaNs must be NaNs on both sides; their payload is free.
template <class Ours, class Theirs, class Convert>
int differences_to_float(Convert to_float) {
  int wrong = 0;
  for (unsigned b = 0; b < 65536; ++b) {
    const uint16_t bits = static_cast<uint16_t>(b);
    const float got = static_cast<float>(std::bit_cast<Ours>(bits)),
                want = to_float(std::bit_cast<Theirs>(bits));
    wrong += std::isnan(want) ? !std::isnan(got) : memcmp(&got, &want, 4) != 0;
  }
  return wrong;
}

// Random floats of all sizes, and every pattern of the upper bits with ties and their neighbours below.
template <class Ours, class Convert>
int differences_from_float(Convert from_float) {
  int wrong = 0;
  const auto compare = [&](uint32_t bits) {
    const float f = gb::cuda::bits_float(bits);
    const auto want = from_float(f);
    const Ours got(f);
    wrong += std::isnan(f) ? !std::isnan(static_cast<float>(got)) : got.bits != std::bit_cast<uint16_t>(want);
  };
  std::mt19937 random(3);
  for (int i = 0; i < 500'000; ++i) compare(static_cast<uint32_t>(random()));
  for (uint32_t upper = 0; upper < 65536; ++upper)
    for (uint32_t lower : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      compare(upper << 16 | lower);
  return wrong;
}

}  // namespace

TEST_CASE("Half is the toolkit's __half") {
  CHECK(differences_to_float<gb::cuda::Half, __half>([](__half h) { return __half2float(h); }) == 0);
  CHECK(differences_from_float<gb::cuda::Half>([](float f) { return __float2half_rn(f); }) == 0);
}

TEST_CASE("BFloat16 is the toolkit's __nv_bfloat16") {
  CHECK(differences_to_float<gb::cuda::BFloat16, __nv_bfloat16>(
            [](__nv_bfloat16 b) { return __bfloat162float(b); }) == 0);
  CHECK(differences_from_float<gb::cuda::BFloat16>([](float f) { return __float2bfloat16_rn(f); }) == 0);
}
