// A program with an engine to look at: writes to a view and to its base, and what becomes of their history; a backward a
// node at a time; a backward inside of another.
//
//   engine_demo          runs it
//   engine_demo texts    prints the tape of the view as the library does, for the test to compare
#include <cstdio>
#include <cstring>

#include "autograd/engine.h"
#include "autograd/tape.h"
#include "autograd/variable.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/factories/factories.h"
#include "ops/views/views.h"

namespace {

[[gnu::noinline]] void write_to_row(const gb::Tensor& row) { row.mul_(3); }
[[gnu::noinline]] void write_to_base(const gb::Tensor& base) { base.mul_(5); }
[[gnu::noinline]] void ask_for_history(const gb::Tensor& row) { std::printf("row: %s\n", row.grad_fn()->name().c_str()); }
[[gnu::noinline]] void between_steps(const gb::autograd::Node& ran) { std::printf("ran %s\n", ran.name().c_str()); }
[[gnu::noinline]] void in_two_passes(const gb::Tensor& g) { std::printf("%d dimension\n", static_cast<int>(g.dim())); }
[[gnu::noinline]] void finished() { std::printf("done\n"); }

gb::Tensor leaf(gb::IntArrayRef sizes) { return gb::ones(sizes).requires_grad_(true); }

void step_through(const gb::Tensor& loss) {
  gb::autograd::Engine& engine = gb::autograd::Engine::get_default_engine();
  engine.start({gb::autograd::impl::gradient_edge(loss)}, {gb::ones(loss.sizes())}, /*keep_graph=*/false,
               /*create_graph=*/false, /*accumulate_grad=*/true);
  while (const auto node = engine.step()) between_steps(*node);
  engine.finish();
}

// A backward that starts while another one has nodes in the queue.
void nest() {
  const gb::Tensor x = leaf({3}), left = x.mul(2), right = x.mul(4);  // right was made last, so it runs first
  right.register_hook([](const gb::Tensor&) {
    const gb::AutoGradMode recording(true);
    const gb::Tensor inner = leaf({3}), twice = inner.mul(2);
    twice.register_hook([](const gb::Tensor& g) { in_two_passes(g); });
    twice.backward(gb::ones({3}));
  });
  left.add(right).backward(gb::ones({3}));
}

}  // namespace

int main(int argc, char** argv) {
  const gb::Tensor w = leaf({2, 3});
  const gb::Tensor base = w.mul(2);
  const gb::Tensor row = base.select(0, 1);
  write_to_row(row);
  if (argc > 1 && std::strcmp(argv[1], "texts") == 0) {
    std::fputs(gb::autograd::format_tape(row).c_str(), stdout);
    return 0;
  }
  write_to_base(base);   // row is written with it; its grad_fn still is the one from before
  ask_for_history(row);  // and now it is not
  step_through(row.mul(w.select(0, 0)));
  nest();
  finished();
  return 0;
}
