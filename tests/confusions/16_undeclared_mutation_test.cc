// "Who notices that my operator writes to an argument that its schema calls read-only?" In eager mode nobody,
// and the damage shows elsewhere: no version is counted, so a gradient that needed the old value is wrong
// without an error. The checking mode compares the bytes before and after; the honest schema makes autograd
// notice.
#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "dispatcher/testing.h"
#include "library/custom_op.h"
#include "library/modes/checking.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

namespace {

// y = x * x with x = 3 saved for backward, then `write` on (a detached view of) x. Returns dy/dx, or the
// error.
std::string gradient_after(const std::function<void(Tensor)>& write) {
  const Tensor x = full({1}, 3.0, requires_grad(true));
  const Tensor a = x.mul(1), y = a.mul(a).sum();
  write(a.detach());
  const std::string error = error_of([&] { y.backward(); });
  return error == "no error" ? std::to_string(static_cast<int>(x.grad().item().toDouble()))
                             : error.substr(0, error.find('\n'));
}

}  // namespace

TEST_CASE("undeclared mutation: silent in eager, with a wrong gradient; noticed with an honest schema") {
  const auto zero = [](const Tensor& x) { static_cast<float*>(x.data_ptr())[0] = 0; };
  const CustomOpDef liar = custom_op("c16::liar(Tensor x) -> ()", zero);
  const CustomOpDef honest = custom_op("c16::honest(Tensor(a!) x) -> ()", zero);
  CHECK(gradient_after([](const Tensor&) {}) == "6");
  CHECK(gradient_after([&](const Tensor& x) { liar.call<void>(x); }) == "0");  // wrong, and nobody says so
  CHECK(contains(gradient_after([&](const Tensor& x) { honest.call<void>(x); }),
                 "modified by an inplace operation"));
}

TEST_CASE("undeclared mutation: the checking mode names the argument") {
  const CustomOpDef liar = custom_op("c16::liar(Tensor x) -> ()",
                                     [](const Tensor& x) { static_cast<float*>(x.data_ptr())[0] = 0; });
  const Tensor x = ones({2});
  const CheckEveryCall checked;
  const std::string error = error_of([&] { liar.call<void>(x); });
  CHECK(contains(error, "x"));
  check_golden("16_checking", without_lines(error) + "\n");
}
