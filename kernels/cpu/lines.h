// for_each_line: what the kernels that work along one dimension walk: every combination of the other
// dimensions.
//
// `others`: their sizes, with the strides of the output (operand 0) and of the input (operand 1). No
// dimension at all is one line.
#pragma once

#include "kernels/cpu/strided.h"

namespace gb::cpu {

// Calls visit(offset in the output, offset in the input) for the first element of each line.
template <class Visit>
void for_each_line(const Strided<2>& others, Visit visit) {
  if (others.ndim == 0) return visit(int64_t{0}, int64_t{0});
  const int last = others.ndim - 1;
  for_each_row(others, [&](const int64_t* at) {
    for (int64_t i = 0; i < others.sizes[last]; ++i)
      visit(at[0] + i * others.strides[0][last], at[1] + i * others.strides[1][last]);
  });
}

}  // namespace gb::cpu
