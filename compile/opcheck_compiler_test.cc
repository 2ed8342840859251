#include <doctest/doctest.h>

#include "compile/compile.h"
#include "library/compile_check.h"
#include "library/opcheck.h"
#include "library/testing.h"
#include "ops/testing/testing.h"

namespace gb {
namespace {

using tests::contains;
using tests::noise;

OperatorHandle find(const char* name, const char* overload = "") {
  return Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

TEST_CASE("opcheck runs all four tests where compile/ is linked in") {
  const CustomOpDef op = testing::define_softmax();
  const OpcheckReport report = opcheck(op.handle(), {noise({2, 4}).requires_grad_()});
  REQUIRE(report.size() == 4);
  for (const auto& [test, outcome] : report) CHECK_MESSAGE(outcome == "SUCCESS", test, ": ", outcome);
}

TEST_CASE(
    "opcheck's compile test takes native operators: several inputs, scalars, a view, defaults, no tensor at all") {
  for (const OpcheckReport& report : {
           opcheck(find("aten::add", "Tensor"), {noise({2, 3}).requires_grad_(), noise({3}).requires_grad_(), 2}),
           opcheck(find("aten::mul", "Tensor"), {noise({2, 3}), noise({2, 3})}),
           opcheck(find("aten::t"), {noise({2, 3}).requires_grad_()}),
           opcheck(find("aten::sum", "dim_IntList"), {noise({2, 3}).requires_grad_(), std::vector<int64_t>{1}}),
       }) {
    CHECK_MESSAGE(report.at("test_aot_dispatch_static") == "SUCCESS", to_string(report));
  }
  CHECK(contains(opcheck(find("aten::mul_", "Tensor"), {noise({2}), noise({2})}).at("test_aot_dispatch_static"),
                 "SKIPPED: compile/ refuses operators that write an argument"));
}

TEST_CASE("opcheck's compile test finds an operator that is not a function of its arguments") {
  const CustomOpDef op = custom_op("lynx_cortex::drift(Tensor x) -> Tensor", [](const Tensor& x) {
                           static double calls = 0;
                           return x.add(calls++);
                         }).register_fake([](const Tensor& x) { return testing::softmax_fake(x); });
  const OpcheckReport report = opcheck(op.handle(), {noise({2, 3})}, {.raise_exception = false});
  CHECK(report.at("test_faketensor") == "SUCCESS");
  CHECK(contains(report.at("test_aot_dispatch_static"),
                 "opcheck(lynx_cortex::drift, ...): test_aot_dispatch_static failed with lynx_cortex::drift: "
                 "compiled code disagrees with eager: values of output 0"));
  CHECK(contains(report.at("test_aot_dispatch_static"), "6 of 6 elements differ"));
}

TEST_CASE("opcheck's compile test: a list of tensors and an absent optional") {
  const CustomOpDef op =
      custom_op("lynx_cortex::weighted(Tensor[] xs, Tensor? w, float by=2.) -> (Tensor, Tensor[])",
                [](TensorList xs, const std::optional<Tensor>& w, double by) {
                  const Tensor first = w ? xs[0].mul(*w) : xs[0].mul(by);
                  return std::make_tuple(first, std::vector<Tensor>{xs[0].add(1), xs[1].add(2)});
                })
          .register_fake([](TensorList xs, const std::optional<Tensor>&, double) {
            return std::make_tuple(testing::softmax_fake(xs[0]),
                                   std::vector<Tensor>{testing::softmax_fake(xs[0]), testing::softmax_fake(xs[1])});
          })
          .register_autograd(
              [](autograd::AutogradContext& ctx, const std::vector<Tensor>& g) {
                const double by = ctx.saved_data["by"].toDouble();
                return std::vector<Tensor>{g[0].mul(by).add(g[1]), g[2], Tensor(), Tensor()};
              },
              [](autograd::AutogradContext& ctx, ArrayRef<IValue> inputs, const IValue&) {
                ctx.saved_data["by"] = inputs[2];
              });
  const std::vector<Tensor> xs{noise({2, 3}).requires_grad_(), noise({2, 3}, 2).requires_grad_()};
  const OpcheckReport report = opcheck(op.handle(), {xs, std::nullopt});
  for (const auto& [test, outcome] : report) CHECK_MESSAGE(outcome == "SUCCESS", test, ": ", outcome);
}

}  // namespace
}  // namespace gb
