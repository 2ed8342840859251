// Three operators of the namespace `demo`, small enough to step through: what gdb's session and gb's test look at.
//
//   demo::affine(Tensor x, float scale, float shift) -> Tensor      composite: made of the two below
//   demo::scale(Tensor x, float by) -> Tensor                       kernels at Autograd and at CPU
//   demo::shift_(Tensor(a!) self, float by) -> Tensor(a!)           kernels at ADInplaceOrView and at CPU
//
// They use nothing but dispatcher/. The Autograd kernel records no tape: it only goes on to the next key, as the ones in
// ops/ do after they have recorded.
#pragma once

#include "core/tensor.h"

namespace gb::demo {

Tensor affine(const Tensor& x, double scale, double shift);  // x * scale + shift
Tensor scale(const Tensor& x, double by);
Tensor& shift_(Tensor& self, double by);

// A float tensor on the CPU with the values 1, 2, 3, ...
Tensor counting(IntArrayRef sizes);

}  // namespace gb::demo
