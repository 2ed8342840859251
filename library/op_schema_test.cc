#include "library/op_schema.h"

#include <doctest/doctest.h>

#include "library/custom_op.h"
#include "ops/testing/testing.h"

namespace gb {
namespace {

std::string schema_of(const CustomOpDef& op) { return to_string(op.handle().schema()); }
Tensor scale(const Tensor& x, double by, IntArrayRef, const std::optional<Tensor>&) { return x.mul(by); }
void fill(const Tensor& x, TensorList, const std::optional<Tensor>&, int64_t v) { x.fill_(v); }

TEST_CASE("inferred: functions, GB_FN, lambdas, several results and none; arguments are counted or named") {
  CHECK(schema_of(custom_op("lynx_cortex::scale", scale)) ==
        "lynx_cortex::scale(Tensor _0, float _1, int[] _2, Tensor? _3) -> Tensor");
  CHECK(schema_of(custom_op("lynx_cortex::scale", GB_FN(scale), {.argument_names = {"x", "by", "dims", "w"}})) ==
        "lynx_cortex::scale(Tensor x, float by, int[] dims, Tensor? w) -> Tensor");
  CHECK(schema_of(custom_op("lynx_cortex::pair.both", [](const Tensor& x) {
          return std::make_tuple(x.clone(), int64_t{2});
        })) == "lynx_cortex::pair.both(Tensor _0) -> (Tensor, int)");
  CHECK(schema_of(custom_op("lynx_cortex::nothing", [](bool, ScalarType) {})) ==
        "lynx_cortex::nothing(bool _0, ScalarType _1) -> ()");
  CHECK(schema_of(custom_op("lynx_cortex::lists", [](const std::vector<Tensor>& x) { return x[0].clone(); })) ==
        "lynx_cortex::lists(Tensor[] _0) -> Tensor");
}

TEST_CASE("mutates_args on an inferred schema: names, unknown, none") {
  const auto with = [](MutatesArgs m) {
    return schema_of(
        custom_op("lynx_cortex::fill", fill, {.argument_names = {"x", "xs", "w", "v"}, .mutates_args = m}));
  };
  CHECK(with({"x"}) == "lynx_cortex::fill(Tensor(a0!) x, Tensor[] xs, Tensor? w, int v) -> ()");
  CHECK(with({"xs", "w"}) == "lynx_cortex::fill(Tensor x, Tensor(a1!)[] xs, Tensor(a2!)? w, int v) -> ()");
  CHECK(with("unknown") == "lynx_cortex::fill(Tensor(a0!) x, Tensor(a1!)[] xs, Tensor(a2!)? w, int v) -> ()");
  CHECK(with({}) == "lynx_cortex::fill(Tensor x, Tensor[] xs, Tensor? w, int v) -> ()");
  CHECK(schema_of(custom_op("lynx_cortex::fill", fill, {.mutates_args = {"_0"}})) ==
        "lynx_cortex::fill(Tensor(a0!) _0, Tensor[] _1, Tensor? _2, int _3) -> ()");
}

TEST_CASE("mutates_args beside a given schema must agree with it") {
  const char* schema = "lynx_cortex::fill(Tensor(a!) x, Tensor[] xs, Tensor(b!)? w, int v) -> ()";
  CHECK(schema_of(custom_op(schema, fill)) == schema);
  CHECK(schema_of(custom_op(schema, fill, {.mutates_args = {"w", "x"}})) == schema);
  CHECK_THROWS_AS(custom_op(schema, fill, {.mutates_args = {"x"}}), ValueError);
  CHECK_THROWS_AS(custom_op(schema, fill, {.mutates_args = "unknown"}), ValueError);
  CHECK_FALSE(Dispatcher::singleton().findOp({"lynx_cortex::fill", ""}).has_value());
}

TEST_CASE("an inferred mutable operator bumps versions") {
  const CustomOpDef op =
      custom_op("lynx_cortex::fill", fill, {.argument_names = {"x", "xs", "w", "v"}, .mutates_args = {"x"}});
  const Tensor x = tests::ramp({2});
  op.call<void>(x, std::vector<Tensor>{}, std::nullopt, 5);
  CHECK(x._version() == 1);
  CHECK(tests::values(x) == std::vector<double>{5, 5});
}

TEST_CASE("device_types: the forward serves these alone") {
  const CustomOpDef op = custom_op("lynx_cortex::scale", scale, {.device_types = {kCPU, kPrivateUse1}});
  CHECK(op.handle().hasKernelForDispatchKey(DispatchKey::CPU));
  CHECK(op.handle().hasKernelForDispatchKey(DispatchKey::PrivateUse1));
  CHECK_FALSE(op.handle().hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd));
  CHECK_FALSE(op.handle().hasComputedKernelForDispatchKey(DispatchKey::CUDA));
}

}  // namespace
}  // namespace gb
