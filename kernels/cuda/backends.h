// gb::backends::cuda: which kernel of a ladder computes softmax, linear and the LM head on CUDA, for the whole program.
//
//   gb::backends::cuda::set_softmax_rung(3);               // by number, from 1
//   gb::backends::cuda::set_softmax_rung("03_warp_shuffle");   // by name
//   gb::backends::cuda::set_softmax_rung(0);               // back: the best for each shape
//   { SoftmaxRungGuard rung(1); y = gb::softmax(x, -1); }  // for a scope
//
// The environment variables GB_SOFTMAX_RUNG, GB_LINEAR_RUNG and GB_LM_HEAD_RUNG (a number or a name) say where a
// program starts. A rung that there is not: ValueError with the list of rungs; a program without CUDA kernels:
// NotImplementedError. A choice holds for all threads, the backward pass's among them. In PyTorch:
// torch.backends.cuda (there for matmul and attention only).
#pragma once

#include <cstddef>
#include <string_view>

namespace gb::backends::cuda {

void set_softmax_rung(size_t number);
void set_softmax_rung(std::string_view name);
size_t softmax_rung();  // 0: the best for each shape

void set_linear_rung(size_t number);
void set_linear_rung(std::string_view name);
size_t linear_rung();

void set_lm_head_rung(size_t number);
void set_lm_head_rung(std::string_view name);
size_t lm_head_rung();

// The rung for a scope; the destructor puts back what was chosen before.
template <size_t (*get)(), void (*set)(size_t), void (*set_by_name)(std::string_view)>
class RungGuard {
 public:
  explicit RungGuard(size_t number) : before_(get()) { set(number); }
  explicit RungGuard(std::string_view name) : before_(get()) { set_by_name(name); }
  ~RungGuard() { set(before_); }
  RungGuard(const RungGuard&) = delete;
  RungGuard& operator=(const RungGuard&) = delete;

 private:
  const size_t before_;
};
using SoftmaxRungGuard = RungGuard<softmax_rung, set_softmax_rung, set_softmax_rung>;
using LinearRungGuard = RungGuard<linear_rung, set_linear_rung, set_linear_rung>;
using LmHeadRungGuard = RungGuard<lm_head_rung, set_lm_head_rung, set_lm_head_rung>;

}  // namespace gb::backends::cuda
