// The trace shows which kernel an operator launched, with its configuration. The kernels are those of the softmax
// ladder, on the host runner; a GPU build reports the same.
#include <doctest/doctest.h>

#include "dispatcher/testing.h"
#include "dispatcher/trace.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/softmax/softmax.h"

using namespace gb;
using namespace gb::testing;

namespace {

// One row of two.
Tensor softmax_kernel(const Tensor& x) {
  Tensor y = tensor();
  cuda::softmax({kFloat, false, y.mutable_data_ptr(), x.const_data_ptr(), 1, 2, 2, nullptr});
  return y;
}

struct Ops {
  Ops() {
    library.def("softmax(Tensor x) -> Tensor");
    library.impl("softmax", DispatchKey::CompositeImplicitAutograd, &softmax_kernel, "softmax/kernel.cc", 5);
  }
  Tensor run() const { return find("launched::softmax").typed<Tensor(const Tensor&)>().call(tensor()); }
  Library library = MAKE_GB_LIBRARY(launched);
};

const char* const kLaunch =
    "launch forward_kernel<T, F> grid (1,1,1), block (64,1,1), 0 bytes of shared memory, stream default, "
    "kernels/cuda/softmax/01_naive.cu:";

}  // namespace

TEST_CASE("a launch is a line beneath the operator's hop") {
  const Ops ops;
  const backends::cuda::SoftmaxRungGuard rung("01_naive");
  const trace::Recorder recorder;
  CHECK(value(ops.run()) == 0.5f);
  const std::string tree = recorder.tree();
  INFO(tree);
  const size_t end_of_hop = tree.find('\n');
  CHECK(starts_with(tree, "call launched::softmax(x: "));
  CHECK(starts_with(tree.substr(end_of_hop + 1), std::string("  ") + kLaunch));
  CHECK(recorder.size() == 2);
  const std::string json = recorder.json_lines();
  INFO(json);
  CHECK(contains(json,
                 R"("kind":"launch","kernel":"forward_kernel<T, F>","grid":[1,1,1],"block":[64,1,1],"shared_bytes":0,)"
                 R"("stream":"default","place":"kernels/cuda/softmax/01_naive.cu:)"));
  CHECK(contains(recorder.chrome_trace(), R"("name":"launch forward_kernel<T, F>")"));
}

TEST_CASE("a launch goes with its hop through the filter; one outside of any hop has no indentation") {
  const Ops ops;
  const backends::cuda::SoftmaxRungGuard rung("01_naive");
  float x[2] = {0, 0}, y[2] = {};
  const trace::Recorder all;
  cuda::softmax({kFloat, false, y, x, 1, 2, 2, nullptr});
  CHECK(starts_with(all.tree(), kLaunch));
  {
    const trace::Recorder others(trace::Filter::parse("op=launched::other"));
    ops.run();
    cuda::softmax({kFloat, false, y, x, 1, 2, 2, nullptr});
    CHECK(others.size() == 0);
  }
  const trace::Recorder these(trace::Filter::parse("op=launched::soft*"));
  ops.run();
  CHECK(these.size() == 2);
}

TEST_CASE("without a trace nobody is told") {
  const Ops ops;
  CHECK_FALSE(trace::is_enabled());
  CHECK(value(ops.run()) == 0.5f);
}
