// What a schema says of one call, and which schemas may replace which.
#include "dispatcher/schema_info.h"

#include <doctest/doctest.h>

#include <sstream>

#include "dispatcher/schema_parser.h"
#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;
using utils::SchemaInfo;

namespace {

constexpr SchemaArgument in(size_t i) { return {SchemaArgType::input, i}; }
constexpr SchemaArgument out(size_t i) { return {SchemaArgType::output, i}; }

bool backward(const char* now, const char* old) {
  std::ostringstream why;
  const bool yes = jit::parseSchema(now).isBackwardCompatibleWith(jit::parseSchema(old), &why);
  CHECK(yes == why.str().empty());
  return yes;
}
std::string forward(const char* now, const char* old) {
  std::ostringstream why;
  const bool yes = jit::parseSchema(now).isForwardCompatibleWith(jit::parseSchema(old), why);
  CHECK(yes == why.str().empty());
  return why.str();
}

}  // namespace

TEST_CASE("schema info: without values, what the annotations say") {
  SchemaInfo info("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  CHECK(info.is_mutable());
  CHECK(info.is_mutable("self"));
  CHECK(info.is_mutable(out(0)));
  CHECK_FALSE(info.is_mutable("other"));
  CHECK(info.may_alias(in(0), out(0)));
  CHECK_FALSE(info.may_alias(in(1), out(0)));
  CHECK(info.has_argument("alpha"));
  CHECK_FALSE(info.has_argument("beta"));
  CHECK_THROWS_AS(info.is_mutable("beta"), IndexError);
  CHECK_THROWS_AS(info.is_mutable(in(3)), IndexError);
  CHECK_THROWS_AS(info.addArgumentValue("beta", 1), ValueError);
  CHECK_THROWS_AS(info.addArgumentValues(std::vector<std::optional<IValue>>(4)), ValueError);
}

TEST_CASE("schema info: two arguments that are the same tensor") {
  const Tensor t = tensor();
  SchemaInfo info("aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  info.addArgumentValue("self", t);
  CHECK_FALSE(info.is_mutable("other"));
  info.addArgumentValue("other", t);
  CHECK(info.is_mutable("other"));
  CHECK(info.may_alias(in(0), in(1)));
  CHECK(info.may_alias(in(1), out(0)));
  CHECK_FALSE(info.may_alias(in(2), out(0)));
  SchemaInfo two("t::f(Tensor(a) x, Tensor(b) y) -> (Tensor(a), Tensor(b))");
  CHECK_FALSE(two.may_alias(out(0), out(1)));
  two.addArgumentValues(std::vector<std::optional<IValue>>{t, t});
  CHECK(two.may_alias(out(0), out(1)));
}

TEST_CASE("schema info: what lists hold") {
  const Tensor t = tensor();
  SchemaInfo info("t::append(t[](a!) self, Tensor(c -> *) el) -> t[](a!)");
  CHECK_FALSE(info.may_alias(in(0), in(1)));
  SchemaInfo lists("t::f(Tensor[] list, Tensor(*) other, Tensor one) -> Tensor(*)");
  CHECK_FALSE(lists.may_alias(in(2), in(1)));
  CHECK(lists.may_contain_alias(in(0), in(1)));
  lists.addArgumentValues(std::unordered_map<std::string, IValue>{{"list", std::vector<Tensor>{t}}, {"one", t}});
  CHECK(lists.may_alias(in(2), in(1)));  // `one` is in a list, and `other` may be anything from one
  CHECK(lists.may_alias(in(2), out(0)));
  CHECK(lists.may_contain_alias(in(0), in(2)));
}

TEST_CASE("schema info: a set named twice on one side may be either") {
  SchemaInfo info("t::f(Tensor(a) x, Tensor(a) y) -> Tensor(a)");
  CHECK(info.may_alias(in(0), in(1)));
  CHECK(info.may_alias(in(1), out(0)));
}

TEST_CASE("schema info: statistics and random numbers depend on the training flag") {
  SchemaInfo norm(
      "aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool "
      "training, float momentum, float eps, bool cudnn_enabled) -> Tensor");
  CHECK(norm.is_mutable("running_mean"));
  norm.addArgumentValue("training", true);
  CHECK(norm.is_mutable("running_var"));
  norm.addArgumentValue("training", false);
  CHECK_FALSE(norm.is_mutable("running_mean"));
  CHECK_FALSE(norm.is_mutable());
  CHECK(SchemaInfo("aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor").is_nondeterministic());
  SchemaInfo dropout("aten::dropout(Tensor input, float p, bool train) -> Tensor");
  CHECK(dropout.is_nondeterministic());
  dropout.addArgumentValue("train", false);
  CHECK_FALSE(dropout.is_nondeterministic());
  CHECK_FALSE(SchemaInfo("aten::relu(Tensor self) -> Tensor").is_nondeterministic());
}

TEST_CASE("schema: what may replace what, for old calls") {
  const char* const old = "t::f(Tensor x, int n, *, Tensor(a!) out) -> Tensor(a!)";
  CHECK(backward(old, old));
  CHECK(backward("t::f(Tensor x, int n, float p=0.5, *, Tensor(a!) out) -> Tensor(a!)", old));
  CHECK(backward("t::f(Tensor? x, Scalar n, *, Tensor(a!) out) -> Tensor(a!)", old));  // wider
  CHECK_FALSE(backward(old, "t::f(Tensor? x, int n, *, Tensor(a!) out) -> Tensor(a!)"));
  CHECK_FALSE(backward("t::f(Tensor x, *, Tensor(a!) out) -> Tensor(a!)", old));
  CHECK_FALSE(backward("t::f(Tensor x, *, int n, Tensor(a!) out) -> Tensor(a!)", old));
  CHECK_FALSE(backward("t::f(Tensor y, int n, *, Tensor(a!) out) -> Tensor(a!)", old));
  CHECK_FALSE(backward("t::f(Tensor x, int n, *, float p, Tensor(a!) out) -> Tensor(a!)", old));
  CHECK_FALSE(backward("t::g(Tensor x, int n, *, Tensor(a!) out) -> Tensor(a!)", old));
  CHECK_FALSE(backward("t::f(Tensor x, int n=1) -> ()", "t::f(Tensor x, int n=2) -> ()"));
  CHECK(backward("t::f(Tensor x) -> int", "t::f(Tensor x) -> Scalar"));
  CHECK_FALSE(backward("t::f(Tensor x) -> Scalar", "t::f(Tensor x) -> int"));
}

TEST_CASE("schema: what may replace what, for new calls") {
  const char* const old = "t::f(Tensor x, int n=2) -> Tensor";
  CHECK(forward(old, old).empty());
  CHECK(forward("t::f(Tensor x, int n=2, bool b=False) -> Tensor", old).empty());
  CHECK(contains(forward("t::f(Tensor x, int n=2, *, bool b) -> Tensor", old), "'b' of type bool did not provide"));
  CHECK(contains(forward("t::f(Tensor x, int n=2, int[] l=[]) -> Tensor", old), "has a container type"));
  CHECK(contains(forward("t::f(Tensor x, int n=3) -> Tensor", old), "`int n=3` was `int n=2`"));
  CHECK(contains(forward("t::f(Tensor x, int n=2, *, Tensor(a!) out) -> Tensor", old), "same number of out arguments"));
}
