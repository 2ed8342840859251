#include "ops/rearrange/rearrange.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("flip(Tensor self, int[] dims) -> Tensor");
  m.def("repeat(Tensor self, SymInt[] repeats) -> Tensor");
}

Tensor flip(const Tensor& self, IntArrayRef dims) { GB_RETURN_CALL(flip_op(), self, dims); }
Tensor Tensor::flip(IntArrayRef dims) const { GB_RETURN_CALL(flip_op(), *this, dims); }
Tensor Tensor::repeat(IntArrayRef repeats) const { GB_RETURN_CALL(repeat_op(), *this, repeats); }

}  // namespace gb
