// A program with a tape to look at: softmax without and with a gradient, and a write into what backward needs.
//
//   tape_demo          runs it
//   tape_demo texts    prints the tape as the library does, for the test to compare
#include <cstdio>
#include <cstring>

#include "autograd/tape.h"
#include "core/error.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/factories/factories.h"
#include "ops/softmax/softmax.h"

namespace {

[[gnu::noinline]] void write_in_place(const gb::Tensor& y, const gb::Tensor& x) { y.add_(x); }

[[gnu::noinline]] void finished(const gb::Tensor& last) {
  std::printf("done: %d dimension\n", static_cast<int>(last.dim()));
}

}  // namespace

int main(int argc, char** argv) {
  const gb::Tensor x = gb::arange(6, gb::kFloat).mul(0.5);
  const gb::Tensor p = gb::softmax(x, -1);  // no gradient
  const gb::Tensor w = gb::ones({6});
  w.requires_grad_(true);
  const gb::Tensor y = gb::softmax(w.mul(x), -1);
  const gb::Tensor loss = y.mul(w);
  if (argc > 1 && std::strcmp(argv[1], "texts") == 0) {
    std::fputs(gb::autograd::format_tape(loss).c_str(), stdout);
    return 0;
  }
  write_in_place(y, x);  // softmax saved y
  try {
    loss.backward(gb::ones({6}));
  } catch (const gb::Error& e) {
    std::printf("%s\n", e.what());
  }
  const gb::Tensor again = w.mul(x).mul(x);
  again.backward(gb::ones({6}));  // and what its nodes saved is released
  finished(again);
  return p.dim() != 1;
}
