// "zeros has no tensor argument: who chooses the backend?" BackendSelect is in every thread's included set.
// For factory functions a kernel stands there: it reads the device option and redispatches to that backend.
// For all other operators the slot is a fallthrough, so their mask takes the key away.
#include <doctest/doctest.h>

#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("zeros: BackendSelect turns the device option into a key") {
  CHECK(impl::tls_is_dispatch_key_included(DispatchKey::BackendSelect));
  CHECK((find("aten::zeros").entry().reason(DispatchKey::BackendSelect) == impl::SlotReason::kDirectKernel));
  CHECK(find("aten::mm").isKernelFallthroughKernel(DispatchKey::BackendSelect));
  std::string text;
  for (const auto& [name, device] : {std::pair{"on the CPU", Device(kCPU)}, {"on Meta", Device(kMeta)}}) {
    const trace::Recorder recorder;
    const Tensor t = zeros({2, 3}, TensorOptions(device));
    CHECK((t.device().type() == device.type()));
    text += std::string("== zeros ") + name + "\n" + hops(recorder.tree()) + "\n";
  }
  check_golden("18_zeros", text);
}

TEST_CASE("zeros: with a tensor among the arguments nothing has to be chosen") {
  const Tensor like = zeros({2}, TensorOptions(Device(kMeta)));
  const trace::Recorder recorder;
  const Tensor t = zeros_like(like);
  CHECK((t.device().type() == kMeta));
  CHECK_FALSE(contains(hops(recorder.tree()).substr(0, hops(recorder.tree()).find('\n')), "BackendSelect"));
}
