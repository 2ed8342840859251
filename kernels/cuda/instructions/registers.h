// setmaxnreg: a warpgroup gives registers back, or takes more, while the kernel runs. A multiprocessor has 65536;
// with three warpgroups a block may begin with 168 each, leave 24 to the one that only starts copies, and give 240
// to those that multiply. All warps of the warpgroup; the number is a multiple of 8 from 24 to 256; raising waits
// until registers are free. The kernel must have a bound: __launch_bounds__(threads, 1). On the host it means
// nothing.
#pragma once

#include "kernels/cuda/launch.h"

namespace gb::cuda {

template <int kRegisters>
__device__ void lower_registers() {
  static_assert(kRegisters % 8 == 0 && kRegisters >= 24 && kRegisters <= 256);
#ifdef __CUDACC__
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kRegisters));
#endif
}
template <int kRegisters>
__device__ void raise_registers() {
  static_assert(kRegisters % 8 == 0 && kRegisters >= 24 && kRegisters <= 256);
#ifdef __CUDACC__
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kRegisters));
#endif
}

}  // namespace gb::cuda
