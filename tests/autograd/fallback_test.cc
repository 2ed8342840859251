#include "autograd/autograd.h"
#include "autograd/basic_nodes.h"
#include "autograd/formula.h"
#include "autograd/not_implemented_fallback.h"
#include "dispatcher/library.h"
#include "ops/ops.h"
#include "ops/testing/testing.h"

using namespace gb;
using namespace gb::tests;

namespace {

Tensor twice_cpu(const Tensor& x) { return x + x; }
Tensor& write_cpu(Tensor& x) { return x.fill_(7); }
Tensor flat_cpu(const Tensor& x) { return x.view({x.numel()}).detach(); }

GB_LIBRARY(agtest, m) {
  m.def("twice(Tensor x) -> Tensor");
  m.def("write_(Tensor(a!) x) -> Tensor(a!)");
  m.def("flat(Tensor(a) x) -> Tensor(a)");
}
GB_LIBRARY_IMPL(agtest, CPU, m) {
  m.impl("twice", twice_cpu);
  m.impl("write_", write_cpu);
  m.impl("flat", flat_cpu);
}
GB_LIBRARY_IMPL(agtest, ADInplaceOrView, m) {
  m.impl("write_", autogradNotImplementedInplaceOrViewFallback());
  m.impl("flat", autogradNotImplementedInplaceOrViewFallback());
}

Tensor call(const char* name, const Tensor& x) {
  Stack stack{x};
  Dispatcher::singleton().findSchemaOrThrow(name, "").callBoxed(stack);
  return stack.back().toTensor();
}

}  // namespace

TEST_CASE("an operator without a formula: forward works, backward names it") {
  const Tensor x = ones({2}, kDouble).requires_grad_();
  const Tensor y = call("agtest::twice", x);
  CHECK(values(y.detach()) == std::vector<double>{2, 2});
  CHECK(y.requires_grad());
  CHECK(y.grad_fn()->name() == "NotImplemented");
  const std::string message = message_of([&] { y.sum().backward(); });
  CHECK(contains(message, "derivative for agtest::twice is not implemented"));
  CHECK(contains(message, "register_autograd"));
  CHECK_FALSE(x.grad().defined());
  CHECK_FALSE(call("agtest::twice", ones({2})).requires_grad());
  const NoGradGuard guard;
  CHECK_FALSE(call("agtest::twice", x).requires_grad());
}

TEST_CASE("without a formula, a result that is somebody else's tensor is an error that names the operator") {
  Library library = MAKE_GB_LIBRARY(agtest_mine);
  const Tensor parameter = ones({3}, kDouble).requires_grad_(), x = ones({2}, kDouble).requires_grad_();
  library.def("parameter(Tensor x) -> Tensor");
  library.impl("parameter", DispatchKey::CPU, [=](const Tensor&) { return parameter; });
  CHECK(contains(
        message_of([&] { call("agtest_mine::parameter", x); }),
        "agtest_mine::parameter: the kernel returned a tensor that requires grad already\n"
        "  cause:   the result of sizes [3] is a leaf that requires grad; NotImplemented cannot be its producer too\n"
        "  repair:  return a tensor of the kernel's own: clone() an argument or a parameter, and compute inside an "
        "AutoDispatchBelowAutograd guard\n"
        "  chapter: docs/en/theory/02-autograd-engine.md#tape"));
  CHECK(parameter.is_leaf());
  CHECK(call("agtest_mine::parameter", ones({2})).is_same(parameter));  // nothing to record, so nothing to refuse
}

TEST_CASE("without a formula, in place: leaves are refused, versions are counted, the history is new") {
  const Tensor x = ones({2}, kDouble).requires_grad_();
  CHECK(
      contains(message_of([&] { call("agtest::write_", x); }),
               "agtest::write_: a leaf Variable that requires grad is being used in an in-place operation"));
  CHECK(values(x.detach()) == std::vector<double>{1, 1});
  const Tensor y = x * 2;
  call("agtest::write_", y);
  CHECK(y._version() >= 1);
  CHECK(y.grad_fn()->name() == "NotImplemented");
  CHECK(
      contains(message_of([&] { y.sum().backward(); }), "derivative for agtest::write_ is not implemented"));
}

TEST_CASE("without a formula, a declared view is a view") {
  const Tensor x = ones({2, 2}, kDouble);
  const Tensor v = call("agtest::flat", x);
  CHECK(v.is_view());
  CHECK(v._base().is_same(x));
  v.fill_(3);
  CHECK(x._version() == 1);
}

TEST_CASE("UndefinedGrad passes forward and hands on undefined gradients") {
  const Tensor x = ones({2}, kDouble).requires_grad_();
  autograd::UndefinedGrad node;
  const Tensor y = node.apply({x})[0];
  CHECK(values(y.detach()) == std::vector<double>{1, 1});
  y.sum().backward();
  CHECK_FALSE(x.grad().defined());
}

TEST_CASE("Error throws its message") {
  const Tensor y = ones({}, kDouble), x = ones({}, kDouble).requires_grad_();
  autograd::set_history(
      y, std::make_shared<autograd::Error>("twice is one too many", autograd::collect_next_edges(x)));
  CHECK(contains(message_of([&] { y.backward(); }), "twice is one too many"));
}
