// Every error of this folder that a user can cause, in full, against testdata/errors.golden.
#include <doctest/doctest.h>

#include <regex>

#include "autograd/autograd.h"
#include "library/compile_check.h"
#include "library/custom_op.h"
#include "library/modes/checking.h"
#include "library/opcheck.h"
#include "library/testing.h"
#include "ops/common/empty.h"
#include "ops/testing/testing.h"
#include "tests/golden.h"

namespace gb {
namespace {

using autograd::AutogradContext;
using tests::noise;
using tests::ramp;
using List = std::vector<Tensor>;

Tensor copy_of(const Tensor& x) { return x.clone(); }
Tensor same(const Tensor& x) { return x; }
Tensor identity_gradient(AutogradContext&, const Tensor& g) { return g; }
Tensor meta(IntArrayRef sizes, ScalarType dtype = kDouble) { return empty_on(Device(kMeta), sizes, dtype); }

// The messages so far, without line numbers, which every edit of a file would move.
class Messages {
 public:
  template <class F>
  void add(const char* title, F&& f) {
    std::string message = "no error\n";
    try {
      f();
    } catch (const Error& e) {
      message = std::string(e.what_without_backtrace()) + "\n";
    }
    CHECK_MESSAGE(message != "no error\n", title);
    static const std::regex line(R"((\.(cc|h)):\d+)");
    text_ += std::string("== ") + title + "\n" + std::regex_replace(message, line, "$1:LINE") + "\n";
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void definitions(Messages& m) {
  m.add("no namespace", [] { custom_op("copy(Tensor x) -> Tensor", copy_of); });
  m.add("a name alone", [] { custom_op("lynx_cortex::copy"); });
  m.add("a malformed schema", [] { custom_op("lynx_cortex::copy(Tensor x -> Tensor", copy_of); });
  m.add("defined twice", [] {
    const CustomOpDef first = testing::define_softmax();
    testing::define_softmax();
  });
  m.add("schema and signature differ", [] { custom_op("lynx_cortex::copy(Tensor x, int n) -> Tensor", copy_of); });
  m.add("argument_names: too many", [] { custom_op("lynx_cortex::copy", copy_of, {.argument_names = {"x", "y"}}); });
  m.add("argument_names beside a schema",
        [] { custom_op("lynx_cortex::copy(Tensor x) -> Tensor", copy_of, {.argument_names = {"x"}}); });
  m.add("argument_names: one twice", [] {
    custom_op("lynx_cortex::add", [](const Tensor& x, const Tensor& y) { return x.add(y); },
              {.argument_names = {"x", "x"}});
  });
  m.add("mutates_args: not there", [] { custom_op("lynx_cortex::copy", copy_of, {.mutates_args = {"x"}}); });
  m.add("mutates_args: not a tensor", [] {
    custom_op("lynx_cortex::scale", [](const Tensor& x, double by) { x.mul_(x.mul(by)); },
              {.mutates_args = {"_0", "_1"}});
  });
  m.add("mutates_args: a string",
        [] { custom_op("lynx_cortex::copy(Tensor x) -> Tensor", copy_of, {.mutates_args = "x"}); });
  m.add("mutates_args: not what the schema says", [] {
    custom_op("lynx_cortex::zero_(Tensor x) -> ()", [](const Tensor& x) { x.zero_(); }, {.mutates_args = {"x"}});
  });
}

void verbs(Messages& m) {
  CustomOpDef op = testing::define_softmax();
  m.add("register_forward twice", [&] { op.register_forward(copy_of); });
  m.add("register_kernel: the second", [&] {
    CustomOpDef copy = op;
    copy.register_kernel(kCUDA, copy_of).register_kernel(kCUDA, copy_of);
  });
  m.add("register_kernel: switched off", [&] {
    const auto off = op.set_kernel_enabled(kCUDA, false);
    op.register_kernel(kCUDA, copy_of);
  });
  m.add("register_kernel: Meta", [&] { op.register_kernel(kMeta, copy_of); });
  m.add("register_kernel: no device", [&] { op.register_kernel(ArrayRef<DeviceType>(), copy_of); });
  m.add("register_kernel: a device twice", [&] { op.register_kernel({kCPU, kCPU}, copy_of); });
  m.add("register_kernel: another signature",
        [&] { op.register_kernel(kCPU, [](const Tensor& x, int64_t) { return x.clone(); }); });
  m.add("register_kernel: neither tensor nor device", [] {
    custom_op("lynx_cortex::answer() -> int", [] { return int64_t{42}; }).register_kernel(kCPU, [] {
      return int64_t{43};
    });
  });
  m.add("set_kernel_enabled: no kernel", [&] { op.set_kernel_enabled(kPrivateUse1, false).keep(); });
  m.add("register_fake twice", [&] { op.register_fake(testing::softmax_fake); });
  m.add("register_fake: another signature", [] {
    custom_op("lynx_cortex::copy(Tensor x) -> Tensor", copy_of).register_fake([](const Tensor& x, int64_t) {
      return x;
    });
  });
  m.add("register_fake: made of other operators", [&] {
    Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
    library.def("twice(Tensor x) -> Tensor", [](const Tensor& x) { return x.mul(2); });
    register_fake(library, "lynx_check::twice", testing::softmax_fake);
  });
  m.add("register_fake: not defined yet", [] {
    Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
    register_fake(library, "lynx_check::later", testing::softmax_fake);
  });
  m.add("register_autograd twice", [&] { op.register_autograd(identity_gradient); });
  m.add("register_autograd: not functional", [] {
    custom_op("lynx_cortex::zero_(Tensor(a!) x) -> ()", [](const Tensor& x) {
      x.zero_();
    }).register_autograd(identity_gradient);
  });
  m.add("register_autograd: keyword-only tensor", [] {
    custom_op("lynx_cortex::add(Tensor x, *, Tensor y) -> Tensor", [](const Tensor& x, const Tensor& y) {
      return x.add(y);
    }).register_autograd(identity_gradient);
  });
  m.add("register_autograd: one gradient for two outputs", [] {
    custom_op("lynx_cortex::two(Tensor x) -> (Tensor, Tensor)", [](const Tensor& x) {
      return std::make_tuple(x.clone(), x.clone());
    }).register_autograd(identity_gradient);
  });
  m.add("register_autocast: the second", [] {
    custom_op("lynx_cortex::copy(Tensor x) -> Tensor", copy_of)
        .register_autocast(kCPU, kBFloat16)
        .register_autocast(kCPU, kHalf);
  });
  m.add("register_autocast: a device without autocast", [&] { op.register_autocast(kMeta, kHalf); });
  m.add("register_autocast: not a floating dtype", [&] { op.register_autocast(kCPU, kLong); });
  m.add("moved from", [&] {
    CustomOpDef source = op;
    const CustomOpDef moved = std::move(source);
    source.handle();
  });
}

void calls(Messages& m) {
  const Tensor x = noise({4});
  const CustomOpDef bare = custom_op("lynx_cortex::copy(Tensor x, float by=2.) -> Tensor",
                                     [](const Tensor& t, double by) { return t.mul(by); });
  m.add("an argument is missing", [&] { bare.call<Tensor>(); });
  m.add("an argument of another type", [&] { bare.call<Tensor>(x, "two"); });
  m.add("no fake", [&] { bare.call<Tensor>(meta({2})); });
  m.add("no formula", [&] { bare.call<Tensor>(noise({2}).requires_grad_()).sum().backward(); });
  m.add("a result is an argument", [&] { custom_op("lynx_cortex::same(Tensor x) -> Tensor", same).call<Tensor>(x); });
  m.add("a result is a view of an argument", [&] {
    custom_op("lynx_cortex::v(Tensor x) -> Tensor", [](const Tensor& t) { return t.view({2, 2}); }).call<Tensor>(x);
  });
  m.add("two results are one tensor", [&] {
    custom_op("lynx_cortex::two(Tensor x) -> (Tensor, Tensor)", [](const Tensor& t) {
      const Tensor y = t.clone();
      return std::make_tuple(y, y);
    }).call_boxed({x});
  });
  m.add("no kernel for that device", [] {
    custom_op("lynx_cortex::rand(int n, Device device) -> Tensor",
              [](int64_t n, Device) { return empty_cpu({n}, kDouble); }, {.device_types = {kCPU}})
        .call<Tensor>(2, Device(kCUDA));
  });
  m.add("a handle whose operator is gone", [&] {
    const OperatorHandle handle = testing::define_softmax().handle();
    handle.typed<Tensor(const Tensor&)>().call(x);
  });
  const auto backward_gives = [](List grads) {
    const CustomOpDef op = custom_op("lynx_cortex::two(Tensor x, int n) -> Tensor", [](const Tensor& t, int64_t) {
                             return t.clone();
                           }).register_autograd([=](AutogradContext&, const List&) { return grads; });
    op.call<Tensor>(ramp({2}).requires_grad_(), 1).sum().backward();
  };
  m.add("backward: the wrong number of gradients", [&] { backward_gives({ramp({2})}); });
  m.add("backward: the wrong shape", [&] { backward_gives({ramp({3}), Tensor()}); });
  m.add("backward: a gradient for a number", [&] { backward_gives({ramp({2}), ramp({2})}); });
}

void checks(Messages& m) {
  const CustomOpDef eat = custom_op("lynx_cortex::eat(Tensor x) -> Tensor", [](const Tensor& x) {
    x.data_ptr<double>()[1] = 7;
    return x.clone();
  });
  m.add("opcheck: undeclared mutation", [&] { opcheck(eat.handle(), {ramp({3})}); });
  m.add("checking mode: undeclared mutation", [&] {
    const CheckEveryCall checked;
    eat.call<Tensor>(ramp({3}));
  });
  Library library = MAKE_GB_LIBRARY_FRAGMENT(lynx_check);
  library.def("view(Tensor x) -> Tensor").impl("view", DispatchKey::CPU, [](const Tensor& x) { return x.view({-1}); });
  library.def("two(Tensor x) -> (Tensor, Tensor)").impl("two", DispatchKey::CPU, [](const Tensor& x) {
    const Tensor y = x.clone();
    return std::make_tuple(y, y.view({-1}));
  });
  library.def("below(Tensor x) -> Tensor").impl("below", DispatchKey::CPU, [](const Tensor& x) { return x.mul(2); });
  const auto find = [](const char* name) { return Dispatcher::singleton().findSchemaOrThrow(name, ""); };
  m.add("opcheck: undeclared alias", [&] { opcheck(find("lynx_check::view"), {ramp({2, 2})}); });
  m.add("opcheck: outputs alias", [&] { opcheck(find("lynx_check::two"), {ramp({2, 2})}); });
  m.add("opcheck: a gradient from below autograd",
        [&] { opcheck(find("lynx_check::below"), {ramp({2}).requires_grad_()}); });
  const auto with_fake = [](auto fake) {
    const CustomOpDef op = custom_op("lynx_cortex::copy(Tensor x) -> Tensor", copy_of).register_fake(fake);
    opcheck(op.handle(), {noise({2, 3})});
  };
  m.add("opcheck: no fake",
        [] { opcheck(custom_op("lynx_cortex::copy(Tensor x) -> Tensor", copy_of).handle(), {noise({2})}); });
  m.add("opcheck: fake sizes and strides", [&] { with_fake([](const Tensor&) { return meta({3, 2}); }); });
  m.add("opcheck: fake dtype", [&] { with_fake([](const Tensor&) { return meta({2, 3}, kFloat); }); });
  m.add("opcheck: fake device", [&] { with_fake([](const Tensor&) { return noise({2, 3}); }); });
  m.add("opcheck: fake list length", [] {
    const CustomOpDef op = custom_op("lynx_cortex::list(Tensor x) -> Tensor[]", [](const Tensor& x) {
                             return List{x.clone(), x.clone()};
                           }).register_fake([](const Tensor&) { return List{meta({2})}; });
    opcheck(op.handle(), {noise({2})});
  });
  const CustomOpDef softmax = testing::define_softmax();
  m.add("opcheck: an unknown test", [&] { opcheck(softmax.handle(), {noise({2})}, {.test_utils = {"test_scheme"}}); });
  m.add("opcheck: compiled values", [&] {
    struct Restore {
      ~Restore() { set_opcheck_compiler(nullptr); }
    } restore;
    set_opcheck_compiler(
        [](CompiledCallable f) -> CompiledCallable { return [f](const List& in) { return List{f(in)[0].mul(2)}; }; });
    opcheck(softmax.handle(), {ramp({1, 2})});
  });
}

}  // namespace

TEST_CASE("the errors of library/, in full") {
  Messages m;
  definitions(m);
  verbs(m);
  calls(m);
  checks(m);
  tests::check_golden("library/testdata/errors.golden", m.text());
}

}  // namespace gb
