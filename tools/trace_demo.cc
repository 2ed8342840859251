// Something to trace: demo::affine on two threads at once, then a call that has no kernel. Prints one line.
//
//   GB_TRACE=1 bazel run //tools:trace_demo
//   GB_TRACE=chrome GB_TRACE_FILE=trace.json bazel run //tools:trace_demo      then open trace.json in
//   ui.perfetto.dev
#include <cstdio>
#include <thread>
#include <vector>

#include "core/error.h"
#include "tools/demo_ops.h"

int main() {
  using namespace gb;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([] {
      for (int call = 0; call < 20; ++call) demo::affine(demo::counting({4}), 2, 1);
    });
  }
  for (std::thread& t : threads) t.join();
  const Tensor nowhere =
      detail::make_tensor(DispatchKey::CUDA, TypeMeta(kFloat), std::nullopt);  // a key, no memory
  try {
    demo::affine(nowhere, 2, 1);
  } catch (const NotImplementedError&) {
    std::puts("40 calls on two threads, and one without a kernel");
    return 0;
  }
  return 1;
}
