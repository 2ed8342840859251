#include "kernels/cuda/lm_head/lm_head.h"

#include "kernels/cuda/errors.h"
#include "kernels/cuda/lm_head/rungs.h"

namespace gb::cuda {
namespace {

template <class Args>
bool takes_all(const Args&) {
  return true;
}
template <class Args>
bool takes_none(const Args&) {
  return false;
}
template <class Args>
constexpr LmHeadKernel<Args> kNone = {nullptr, takes_none, nullptr};

constexpr LmHeadRung kRungs[] = {
    {"01_two_calls",
     "kernels/cuda/lm_head/01_two_calls.cu",
     {lm_head_01_two_calls::run, takes_all, lm_head_01_two_calls::scratch},
     {lm_head_01_two_calls::run, takes_all, lm_head_01_two_calls::scratch},
     {lm_head_01_two_calls::run, takes_all, lm_head_01_two_calls::scratch},
     {lm_head_01_two_calls::run, takes_all, lm_head_01_two_calls::scratch},
     true},
    {"02_fused",
     "kernels/cuda/lm_head/02_fused.cu",
     {lm_head_02_fused::run, lm_head_02_fused::takes, lm_head_02_fused::scratch},
     {lm_head_02_fused::run, lm_head_02_fused::takes, lm_head_02_fused::scratch},
     {lm_head_02_fused::run, lm_head_02_fused::takes, lm_head_02_fused::scratch},
     {lm_head_02_fused::run, lm_head_02_fused::takes, lm_head_02_fused::scratch},
     true},
    {"03_wgmma",
     "kernels/cuda/lm_head/03_wgmma.cu",
     {lm_head_03_wgmma::run, lm_head_03_wgmma::takes, lm_head_03_wgmma::scratch},
     {lm_head_03_wgmma::run, lm_head_03_wgmma::takes, lm_head_03_wgmma::scratch},
     {lm_head_03_wgmma::run, lm_head_03_wgmma::takes, lm_head_03_wgmma::scratch},
     {lm_head_03_wgmma::run, lm_head_03_wgmma::takes, lm_head_03_wgmma::scratch},
     true},
    {"04_transposed",
     "kernels/cuda/lm_head/04_transposed.cu",
     {lm_head_04_transposed::run, lm_head_04_transposed::takes, lm_head_04_transposed::scratch},
     kNone<LmHeadBackwardArgs>,
     kNone<LinearCrossEntropyArgs>,
     kNone<LinearCrossEntropyBackwardArgs>,
     true},
    {"05_3xtf32",
     "kernels/cuda/lm_head/05_3xtf32.cu",
     {lm_head_05_3xtf32::run, lm_head_05_3xtf32::takes, lm_head_05_3xtf32::scratch},
     kNone<LmHeadBackwardArgs>,
     {lm_head_05_3xtf32::run, lm_head_05_3xtf32::takes, lm_head_05_3xtf32::scratch},
     kNone<LinearCrossEntropyBackwardArgs>,
     true},
};

constexpr size_t kFused = 2, kTransposed = 4;  // their numbers

[[maybe_unused]] const bool g_attached = lm_head_choice().attach(lm_head_rungs());

// The member of a rung that computes a call of type Args.
constexpr auto kernel_for(const LmHeadArgs&) { return &LmHeadRung::forward; }
constexpr auto kernel_for(const LmHeadBackwardArgs&) { return &LmHeadRung::backward; }
constexpr auto kernel_for(const LinearCrossEntropyArgs&) { return &LmHeadRung::loss; }
constexpr auto kernel_for(const LinearCrossEntropyBackwardArgs&) { return &LmHeadRung::loss_backward; }

template <class Args>
bool takes(size_t number, const Args& a) {
  return (kRungs[number - 1].*kernel_for(a)).takes(a);
}

// The highest rung that takes the call, with two exceptions (README.md has the figures). 2, on CUDA cores, is faster than
// two calls only for a forward of float that must not be rounded to TF32. 5 is never chosen by itself, as 14 of the linear
// ladder is not: it makes NaN of infinities in W.
template <class Args>
size_t best(const Args& a) {
  constexpr bool is_forward = requires { a.bias; } && !requires { a.grad_x; };
  const bool fused_is_faster = is_forward && a.dtype == kFloat && !a.allow_tf32;
  size_t number = kTransposed;
  while (!takes(number, a) || (number == kFused && !fused_is_faster)) --number;
  return number;
}

template <class Args>
size_t rung_for(const Args& a) {
  size_t number = lm_head_choice().number();
  if (number == 0) return best(a);
  while (!takes(number, a)) --number;
  return number;
}

template <class Args>
void run(const Args& a, const char* name) {
  if (!isFloatingType(a.dtype)) throw_no_kernel(name, a.dtype);
  if (a.rows == 0) return;
  (kRungs[rung_for(a) - 1].*kernel_for(a)).run(a);
}
template <class Args>
size_t scratch(const Args& a) {
  if (!isFloatingType(a.dtype) || a.rows == 0) return 0;
  return (kRungs[rung_for(a) - 1].*kernel_for(a)).scratch(a);
}

}  // namespace

Ladder<LmHeadRung> lm_head_rungs() { return kRungs; }

size_t lm_head_rung_for(const LmHeadArgs& a) { return rung_for(a); }
size_t lm_head_rung_for(const LmHeadBackwardArgs& a) { return rung_for(a); }
size_t lm_head_rung_for(const LinearCrossEntropyArgs& a) { return rung_for(a); }
size_t lm_head_rung_for(const LinearCrossEntropyBackwardArgs& a) { return rung_for(a); }

size_t lm_head_scratch(const LmHeadArgs& a) { return scratch(a); }
size_t lm_head_scratch(const LmHeadBackwardArgs& a) { return scratch(a); }
size_t lm_head_scratch(const LinearCrossEntropyArgs& a) { return scratch(a); }
size_t lm_head_scratch(const LinearCrossEntropyBackwardArgs& a) { return scratch(a); }

void lm_head(const LmHeadArgs& a) { run(a, "linear_softmax"); }
void lm_head(const LmHeadBackwardArgs& a) { run(a, "linear_softmax_backward"); }
void lm_head(const LinearCrossEntropyArgs& a) { run(a, "linear_cross_entropy"); }
void lm_head(const LinearCrossEntropyBackwardArgs& a) { run(a, "linear_cross_entropy_backward"); }

}  // namespace gb::cuda
