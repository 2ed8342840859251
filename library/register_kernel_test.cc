#include "library/register_kernel.h"

#include <doctest/doctest.h>

#include <utility>

#include "library/custom_op.h"
#include "library/testing.h"
#include "ops/common/empty.h"
#include "ops/testing/testing.h"

namespace gb {
namespace {

using tests::message_of;
using tests::noise;
using tests::values;

Tensor filled(int64_t n, Device device, double with) {
  const Tensor t = empty_on(device, {n}, kDouble);
  return device.is_meta() ? t : t.fill_(with);
}

TEST_CASE("no tensor argument: the argument `device` picks the kernel") {
  const CustomOpDef op =
      custom_op("lynx_cortex::rand(int n, *, Device? device=None) -> Tensor", [](int64_t n, std::optional<Device>) {
        return filled(n, kCPU, 1);
      }).register_kernel(kCPU, [](int64_t n, std::optional<Device>) {
          return filled(n, kCPU, 2);
        }).register_fake([](int64_t n, std::optional<Device>) { return filled(n, kMeta, 0); });
  CHECK(op.handle().hasKernelForDispatchKey(DispatchKey::BackendSelect));
  CHECK(values(op.call<Tensor>(2)) == std::vector<double>{2, 2});  // None is the CPU
  CHECK(values(op.call<Tensor>(2, Device(kCPU))) == std::vector<double>{2, 2});
  CHECK(op.call<Tensor>(2, Device(kMeta)).is_meta());
  const auto typed = op.handle().typed<Tensor(int64_t, std::optional<Device>)>();
  CHECK(typed.call(3, Device(kMeta)).is_meta());
  CHECK(values(typed.call(1, std::nullopt)) == std::vector<double>{2});
  CHECK(values(op.call<Tensor>(1, Device(kCUDA))) == std::vector<double>{1});  // the forward serves the rest
}

TEST_CASE("no tensor argument: the device argument may have another name, or be one of several") {
  const CustomOpDef op =
      custom_op("lynx_cortex::rand", [](int64_t n, Device) { return filled(n, kCPU, 1); }, {.device_types = {kCPU}})
          .register_fake([](int64_t n, Device) { return filled(n, kMeta, 0); });
  CHECK(op.call<Tensor>(2, Device(kMeta)).is_meta());
  CHECK_THROWS_AS(op.call<Tensor>(2, Device(kCUDA)), NotImplementedError);
  const CustomOpDef two = custom_op("lynx_cortex::two(Device from, Device device) -> Tensor", [](Device, Device) {
                            return filled(1, kCPU, 1);
                          }).register_fake([](Device, Device) { return filled(1, kMeta, 0); });
  CHECK(two.call<Tensor>(Device(kCPU), Device(kMeta)).is_meta());
  CHECK(values(two.call<Tensor>(Device(kMeta), Device(kCPU))) == std::vector<double>{1});
}

TEST_CASE("no tensor and no device: the forward serves every call, and a kernel per device is refused") {
  CustomOpDef op = custom_op("lynx_cortex::answer() -> int", [] { return int64_t{42}; });
  CHECK(op.call<int64_t>() == 42);
  CHECK_FALSE(op.handle().hasKernelForDispatchKey(DispatchKey::BackendSelect));
  const std::string before = op.dump();
  CHECK_THROWS_AS(op.register_kernel(kCPU, [] { return int64_t{43}; }), ValueError);
  CHECK(op.dump() == before);
}

TEST_CASE("a list of devices, and refused ones leave nothing") {
  CustomOpDef op = custom_op("lynx_cortex::copy(Tensor x) -> Tensor");
  op.register_kernel({kCPU, kCUDA}, [](const Tensor& x) { return x.clone(); });
  CHECK(op.handle().hasKernelForDispatchKey(DispatchKey::CPU));
  CHECK(op.handle().hasKernelForDispatchKey(DispatchKey::CUDA));
  const std::string before = op.dump();
  const auto f = [](const Tensor& x) { return x.clone(); };
  CHECK_THROWS_AS(op.register_kernel({kPrivateUse1, kCPU}, f), Error);
  CHECK_THROWS_AS(op.register_kernel({kPrivateUse1, kPrivateUse1}, f), Error);
  CHECK_THROWS_AS(op.register_kernel({kPrivateUse1, kMeta}, f), Error);
  CHECK_THROWS_AS(op.register_kernel(ArrayRef<DeviceType>(), f), Error);
  CHECK_THROWS_AS(op.register_kernel(kPrivateUse1, [](const Tensor& x, int64_t) { return x.clone(); }), Error);
  CHECK(op.dump() == before);
}

TEST_CASE("set_kernel_enabled: off, the forward serves the device; the switch undoes itself") {
  CustomOpDef op = custom_op("lynx_cortex::n(Tensor x) -> int", [](const Tensor&) {
                     return int64_t{1};
                   }).register_kernel(kCPU, [](const Tensor&) { return int64_t{2}; });
  const Tensor x = noise({2});
  CHECK(op.call<int64_t>(x) == 2);
  {
    const auto off = op.set_kernel_enabled(kCPU, false);
    CHECK(op.call<int64_t>(x) == 1);
    CHECK(std::string(impl::toString(op.handle().entry().reason(DispatchKey::CPU))) ==
          "CompositeExplicitAutograd kernel");
    CHECK_THROWS_AS(op.register_kernel(kCPU, [](const Tensor&) { return int64_t{3}; }), Error);
    {
      const auto on = op.set_kernel_enabled(kCPU, true);
      CHECK(op.call<int64_t>(x) == 2);
    }
    CHECK(op.call<int64_t>(x) == 1);
  }
  CHECK(op.call<int64_t>(x) == 2);
  op.set_kernel_enabled(kCPU, false).keep();
  CHECK(op.call<int64_t>(x) == 1);
  CHECK_THROWS_AS(op.set_kernel_enabled(kCUDA, false).keep(), ValueError);
}

TEST_CASE("set_kernel_enabled: the switch may outlive the operator") {
  std::optional<KernelSwitch> off;
  {
    CustomOpDef op = custom_op("lynx_cortex::n(Tensor x) -> int", [](const Tensor&) {
                       return int64_t{1};
                     }).register_kernel(kCPU, [](const Tensor&) { return int64_t{2}; });
    off.emplace(op.set_kernel_enabled(kCPU, false));
  }
  off.reset();
  CHECK_FALSE(Dispatcher::singleton().findOp({"lynx_cortex::n", ""}).has_value());
}

TEST_CASE("results may be declared arguments: in place, out, one of a list; anything else is refused") {
  const Tensor x = noise({4}), out = noise({4});
  const CustomOpDef in_place = custom_op("lynx_cortex::inc_(Tensor(a!) x) -> Tensor(a!)", [](const Tensor& t) {
    t.fill_(1);
    return t;
  });
  CHECK(in_place.call<Tensor>(x).is_same(x));
  const CustomOpDef plus = custom_op("lynx_cortex::plus_(Tensor(a!) x, Tensor y) -> Tensor(a!)",
                                     [](const Tensor& t, const Tensor&) { return t; });
  CHECK(plus.call<Tensor>(out, out).is_same(out));  // y is x, which the result may be
  CHECK(x._version() == 1);                         // of the operator: fill_ inside, below it, counts no more
  const CustomOpDef copy_out = custom_op("lynx_cortex::copy(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
                                         [](const Tensor& t, Tensor& o) -> Tensor& {
                                           o.copy_(t);
                                           return o;
                                         });
  CHECK(copy_out.call<Tensor>(x, out).is_same(out));
  CHECK(values(out) == values(x));
  const CustomOpDef wrong_out = custom_op("lynx_cortex::wrong(Tensor x, *, Tensor(a!) out) -> Tensor(a!)",
                                          [](const Tensor& t, const Tensor&) { return t; });
  CHECK_THROWS_AS(wrong_out.call<Tensor>(x, out), Error);
  const CustomOpDef lists = custom_op("lynx_cortex::lists(Tensor[] xs) -> (Tensor, Tensor[])", [](TensorList xs) {
    return std::make_tuple(xs[0].clone(), std::vector<Tensor>{xs[0].clone(), xs[1].view({-1})});
  });
  CHECK(tests::contains(message_of([&] {
                          lists.call_boxed({std::vector<Tensor>{x, out}});
                        }),
                        "output 1 shares its storage with the argument `xs`"));
}

TEST_CASE("an alias between lists must be declared like any other") {
  const auto first_again = [](TensorList xs) { return std::vector<Tensor>{xs[0].view({-1})}; };
  const std::vector<Tensor> xs{noise({2, 2})};
  const CustomOpDef silent = custom_op("lynx_cortex::flat(Tensor[] xs) -> Tensor[]", first_again);
  CHECK_THROWS_AS(silent.call_boxed({xs}), Error);
  const CustomOpDef declared = custom_op("lynx_cortex::flat_a(Tensor(a)[] xs) -> Tensor(a)[]", first_again);
  CHECK(declared.handle()
            .typed<std::vector<Tensor>(TensorList)>()
            .redispatch(DispatchKeySet(DispatchKey::CPU), xs)
            .size() == 1);
}

TEST_CASE("a kernel may take its keyset, and is checked all the same") {
  const CustomOpDef op =
      custom_op("lynx_cortex::ks(Tensor x, bool same) -> Tensor", [](DispatchKeySet ks, const Tensor& x, bool same) {
        CHECK(ks.has(DispatchKey::CPU));
        return same ? x : x.clone();
      });
  CHECK(values(op.call<Tensor>(tests::ramp({2}), false)) == std::vector<double>{0, 1});
  CHECK_THROWS_AS(op.call<Tensor>(tests::ramp({2}), true), Error);
}

TEST_CASE("on a Library of one's own, for an operator that custom_op did not make") {
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("f(Tensor x) -> Tensor").def("g(Tensor x) -> Tensor", [](const Tensor& x) { return x.mul(2); });
  register_kernel(library, "lynx_check::f", kCPU, [](const Tensor& x) { return x.clone(); });
  register_fake(library, "lynx_check::f", [](const Tensor& x) { return testing::softmax_fake(x); });
  register_autograd(library, "lynx_check::f", [](autograd::AutogradContext&, const Tensor& g) { return g.mul(3); });
  const OperatorHandle f = Dispatcher::singleton().findSchemaOrThrow("lynx_check::f", "");
  const Tensor x = noise({2}).requires_grad_();
  f.typed<Tensor(const Tensor&)>().call(x).sum().backward();
  CHECK(values(x.grad()) == std::vector<double>{3, 3});
  CHECK_THROWS_AS(register_fake(library, "lynx_check::g", [](const Tensor& t) { return testing::softmax_fake(t); }),
                  Error);
  CHECK_THROWS_AS(register_fake(library, "lynx_check::h", [](const Tensor& t) { return testing::softmax_fake(t); }),
                  Error);
}

}  // namespace
}  // namespace gb
