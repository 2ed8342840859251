// Pinned memory and record_stream on a made-up device whose pinned memory is a list of addresses.
#include "ops/pinned/pinned.h"

#include <map>
#include <set>

#include "core/device_hooks.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

std::set<const void*> g_pinned;

class PinnedList final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    void* memory = ::operator new(nbytes);
    g_pinned.insert(memory);
    return DataPtr(memory, memory, &give_back, kCPU);
  }

 private:
  static void give_back(void* memory) {
    g_pinned.erase(memory);
    ::operator delete(memory);
  }
};

class Hooks final : public DeviceHooks {
 public:
  int device_count() const override { return 1; }
  std::string describe(Device) const override { return "made up"; }
  Allocator* allocator(Device) override { return &host_; }
  void copy(void*, Device, const void*, Device, size_t) override { FAIL("nothing is copied here"); }
  void synchronize(Device) override {}
  Allocator* pinned_allocator() override { return &pinned_; }
  bool is_pinned(const void* data) const override { return g_pinned.count(data) > 0; }

 private:
  PinnedList host_, pinned_;
};

}  // namespace

TEST_CASE("without a device nothing is pinned, and pin_memory says so") {
  const Tensor t = ramp({2, 3});
  CHECK_FALSE(t.is_pinned());
  if (device_hooks(kCUDA) && device_hooks(kCUDA)->pinned_allocator()) return;
  const std::string message = message_of([&] { t.pin_memory(); });
  CHECK(contains(message, "no pinned memory"));
  CHECK_THROWS_AS(t.pin_memory(), NotImplementedError);
  CHECK_THROWS_AS(empty({2}, TensorOptions().pinned_memory(true)), NotImplementedError);
  CHECK(contains(message_of([&] { empty({2}, TensorOptions(kMeta)).pin_memory(); }), "only dense CPU tensors can be pinned"));
  CHECK(contains(message_of([&] { empty({2}, TensorOptions(kMeta).pinned_memory(true)); }), "only dense CPU tensors can be pinned"));
}

TEST_CASE("record_stream without streams is refused, and writes nothing") {
  const Tensor t = ones({2}).requires_grad_();
  CHECK(contains(message_of([&] { t.record_stream(Stream(Stream::DEFAULT, kCPU)); }), "not implemented for a tensor on cpu"));
  CHECK(t._version() == 0);
}

TEST_CASE("pin_memory copies into pinned memory, once; views of it are pinned; a pinned result of empty and to") {
  static Hooks hooks;
  register_device_hooks(kPrivateUse1, &hooks);
  {
    const Tensor t = ramp({2, 3}), pinned = t.pin_memory();
    CHECK(pinned.is_pinned());
    CHECK_FALSE(t.is_pinned());
    CHECK(values(pinned) == values(t));
    CHECK(pinned.pin_memory().is_same(pinned));
    CHECK(pinned.select(0, 1).is_pinned());
    CHECK(t.t().pin_memory().strides() == t.t().strides());
    CHECK_FALSE(pinned.clone().is_pinned());
    CHECK(empty({4}, TensorOptions().pinned_memory(true)).is_pinned());
    CHECK(empty_strided({4}, {1}, TensorOptions().pinned_memory(true)).is_pinned());
    CHECK(t.to(TensorOptions(kFloat).pinned_memory(true)).is_pinned());
    CHECK(g_pinned.size() == 1);
  }
  CHECK(g_pinned.empty());
}
