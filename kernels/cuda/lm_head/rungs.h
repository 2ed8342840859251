// The rungs of the LM head's ladder, each in files of its name. Callers use lm_head.h. rows, in and out are not 0.
#pragma once

#include "kernels/cuda/lm_head/lm_head.h"

namespace gb::cuda {

namespace lm_head_01_two_calls {  // takes everything
void run(const LmHeadArgs& args);
void run(const LmHeadBackwardArgs& args);
void run(const LinearCrossEntropyArgs& args);
void run(const LinearCrossEntropyBackwardArgs& args);
size_t scratch(const LmHeadArgs& args);
size_t scratch(const LmHeadBackwardArgs& args);
size_t scratch(const LinearCrossEntropyArgs& args);
size_t scratch(const LinearCrossEntropyBackwardArgs& args);
}  // namespace lm_head_01_two_calls

namespace lm_head_02_fused {
bool takes(const LmHeadArgs& args);
bool takes(const LmHeadBackwardArgs& args);
bool takes(const LinearCrossEntropyArgs& args);
bool takes(const LinearCrossEntropyBackwardArgs& args);
void run(const LmHeadArgs& args);
void run(const LmHeadBackwardArgs& args);
void run(const LinearCrossEntropyArgs& args);
void run(const LinearCrossEntropyBackwardArgs& args);
size_t scratch(const LmHeadArgs& args);
size_t scratch(const LmHeadBackwardArgs& args);
size_t scratch(const LinearCrossEntropyArgs& args);
size_t scratch(const LinearCrossEntropyBackwardArgs& args);
}  // namespace lm_head_02_fused

namespace lm_head_03_wgmma {  // compute capability 9.0
bool takes(const LmHeadArgs& args);
bool takes(const LmHeadBackwardArgs& args);
bool takes(const LinearCrossEntropyArgs& args);
bool takes(const LinearCrossEntropyBackwardArgs& args);
void run(const LmHeadArgs& args);
void run(const LmHeadBackwardArgs& args);
void run(const LinearCrossEntropyArgs& args);
void run(const LinearCrossEntropyBackwardArgs& args);
size_t scratch(const LmHeadArgs& args);
size_t scratch(const LmHeadBackwardArgs& args);
size_t scratch(const LinearCrossEntropyArgs& args);
size_t scratch(const LinearCrossEntropyBackwardArgs& args);
}  // namespace lm_head_03_wgmma

namespace lm_head_04_transposed {  // compute capability 9.0; forward only
bool takes(const LmHeadArgs& args);
void run(const LmHeadArgs& args);
size_t scratch(const LmHeadArgs& args);
}  // namespace lm_head_04_transposed

namespace lm_head_05_3xtf32 {  // compute capability 9.0; no backward
bool takes(const LmHeadArgs& args);
bool takes(const LinearCrossEntropyArgs& args);
void run(const LmHeadArgs& args);
void run(const LinearCrossEntropyArgs& args);
size_t scratch(const LmHeadArgs& args);
size_t scratch(const LinearCrossEntropyArgs& args);
}  // namespace lm_head_05_3xtf32

}  // namespace gb::cuda
