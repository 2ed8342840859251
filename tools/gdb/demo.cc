// A program to step through: one composite operator, its two parts, and their kernels. See README.md.
#include <cstdio>

#include "tools/demo_ops.h"

int main() {
  const gb::Tensor nothing;
  const gb::Tensor deep = gb::demo::counting({1, 2, 1, 2, 1, 2});  // more dimensions than lie inside the object
  const gb::Tensor x = gb::demo::counting({2, 3});
  const gb::Tensor y = gb::demo::affine(x, 2, 0.5);  // y = 2 x + 0.5
  std::printf("y[0][0] = %g\n", static_cast<double>(y.const_data_ptr<float>()[0]));
  return nothing.defined() || deep.dim() != 6;
}
