// fill_random: a thread per element; each computes its own number, for Philox is a function of the seed and a counter.
#include "core/philox.h"
#include "kernels/cuda/element.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/random/random.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

__device__ double unit(uint32_t low, uint32_t high) {  // 53 of the 64 bits, as [0, 1)
  return static_cast<double>((static_cast<uint64_t>(high) << 32 | low) >> 11) * 0x1p-53;
}

// out: elements of `space`
template <class T>
__global__ void random_kernel(T* out, Space<1> space, uint64_t seed, uint64_t first, Drawing drawing) {
  const int64_t i = thread_number();
  if (i >= space.numel) return;
  const uint64_t number = first + static_cast<uint64_t>(i);
  const PhiloxBlock bits =
      philox4x32_10({static_cast<uint32_t>(number), static_cast<uint32_t>(number >> 32), 0, 0}, seed);
  const double u = unit(bits[0], bits[1]);
  T* to = out + space.at(i).of[0];
  switch (drawing.distribution) {
    case Distribution::Normal:  // by Box and Muller
      *to = convert<T>(drawing.a + drawing.b * (std::sqrt(-2 * std::log(1 - u)) *
                                                std::cos(2 * 3.14159265358979323846 * unit(bits[2], bits[3]))));
      return;
    case Distribution::Uniform:
      *to = convert<T>(drawing.a + (drawing.b - drawing.a) * (u < drawing.below_one ? u : drawing.below_one));
      return;
    case Distribution::Bernoulli:
      *to = convert<T>(u < drawing.a ? 1.0 : 0.0);
      return;
    case Distribution::Integers: {
      const uint64_t all = static_cast<uint64_t>(bits[1]) << 32 | bits[0];
      *to = convert<T>(static_cast<int64_t>(drawing.from + (drawing.range == 0 ? all : all % drawing.range)));
      return;
    }
  }
}

}  // namespace

void fill_random(ScalarType dtype, void* out, const Strided<1>& it, uint64_t seed, uint64_t first,
                 const Drawing& drawing, StreamHandle stream) {
  const Space<1> space = make_space(it);
  const bool known = visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    if (space.numel == 0) return;
    GB_LAUNCH((random_kernel<T>), blocks_for(space.numel), kThreads, 0, stream, static_cast<T*>(out), space, seed, first,
              drawing);
  });
  if (!known) throw_no_kernel("random numbers", dtype);
}

}  // namespace gb::cuda
