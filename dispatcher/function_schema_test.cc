#include "dispatcher/function_schema.h"

#include <doctest/doctest.h>

#include "dispatcher/schema_parser.h"

using namespace gb;
using jit::parseSchema;

namespace {
constexpr SchemaArgument in(size_t i) { return {SchemaArgType::input, i}; }
constexpr SchemaArgument out(size_t i) { return {SchemaArgType::output, i}; }

template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}
}  // namespace

TEST_CASE("function schema: parts") {
  const FunctionSchema s = parseSchema(
      "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  CHECK(s.name() == "aten::add");
  CHECK(s.overload_name() == "out");
  CHECK(s.getNamespace() == "aten");
  CHECK((s.operator_name() == OperatorName("aten::add", "out")));
  CHECK(toString(s.operator_name()) == "aten::add.out");
  CHECK(s.argumentIndexWithName("alpha") == 2);
  CHECK(s.argumentIndexWithName("beta") == std::nullopt);
  CHECK(s.arguments()[3].is_out());
  CHECK_FALSE(s.arguments()[2].is_out());
  CHECK(s.is_mutable());
  CHECK(s.is_mutable("out"));
  CHECK_FALSE(s.is_mutable(in(0)));
  CHECK(s.is_aliasing(out(0)));
  CHECK(s.isDefaultAliasAnalysisKind());
  const FunctionSchema renamed = s.cloneWithName("my::add", "");
  CHECK(to_string(renamed).substr(0, 8) == "my::add(");
  CHECK_FALSE((renamed == s));
  CHECK(message([&] { s.is_mutable("beta"); }).find("no argument named `beta`") != std::string::npos);
  CHECK(message([&] { s.is_aliasing(out(1)); }).find("no return 1") != std::string::npos);
  OperatorName name("add", "");
  CHECK(name.setNamespaceIfNotSet("aten"));
  CHECK_FALSE(name.setNamespaceIfNotSet("other"));
  CHECK(name.name == "aten::add");
}

TEST_CASE("function schema: held and spelled types") {
  const FunctionSchema s =
      parseSchema("aten::x(SymInt[2] size, ScalarType? dtype=None, Layout layout=strided) -> SymInt");
  CHECK(s.arguments()[0].type()->str() == "int[]");
  CHECK(s.arguments()[0].real_type()->str() == "SymInt[]");
  CHECK(s.arguments()[0].N() == 2);
  CHECK(s.arguments()[1].type()->str() == "int?");
  CHECK((s.arguments()[2].default_value()->toLayout() == kStrided));
  CHECK(s.returns()[0].type()->kind() == TypeKind::IntType);
}

TEST_CASE("function schema: the constructor keeps the invariants") {
  const auto make = [](std::vector<Argument> args) {
    return FunctionSchema("t::f", "", std::move(args), {});
  };
  CHECK(message([&] {
          make({Argument("x"), Argument("x")});
        }).find("two arguments are named `x`") != std::string::npos);
  CHECK(message([&] {
          make({Argument("x", IntType::get(), {}, IValue(1)), Argument("y")});
        }).find("argument `y` has no default but follows `x`, which has one") != std::string::npos);
  CHECK_NOTHROW(make({Argument("x", IntType::get(), {}, IValue(1)), Argument("y", {}, {}, {}, true)}));
}

TEST_CASE("function schema: aliasing through sets, lists and wildcards") {
  const FunctionSchema view = parseSchema("aten::t(Tensor(a) self, Tensor other) -> Tensor(a)");
  CHECK(view.may_alias(in(0), out(0)));
  CHECK_FALSE(view.may_alias(in(1), out(0)));
  CHECK_FALSE(view.is_mutable());
  CHECK(view.hasAnyAliasInfo());
  const FunctionSchema split = parseSchema("aten::split.Tensor(Tensor(a -> *) self, int n) -> Tensor(a)[]");
  CHECK_FALSE(split.may_alias(in(0), out(0)));
  CHECK(split.may_contain_alias(in(0), out(0)));
  const FunctionSchema wild = parseSchema("aten::test.Tensor(Tensor(*) self) -> (Tensor[], Tensor)");
  CHECK_FALSE(wild.may_alias(out(0), in(0)));
  CHECK(wild.may_contain_alias(out(0), in(0)));
  CHECK(wild.may_contain_alias(out(0), in(0), false));
  CHECK_FALSE(wild.may_contain_alias(in(0), out(0), false));
  CHECK_FALSE(wild.may_alias(out(1), in(0)));
  const FunctionSchema lists = parseSchema("aten::test(Tensor[] self, int[] n) -> Tensor[]");
  CHECK_FALSE(lists.may_alias(in(0), out(0)));
  CHECK(lists.may_contain_alias(in(0), out(0)));
  CHECK_FALSE(lists.may_contain_alias(in(1), out(0)));
  CHECK_FALSE(lists.hasAnyAliasInfo());
  const FunctionSchema written = parseSchema("aten::_foreach_add_(Tensor(a!)[] self) -> ()");
  CHECK(written.is_mutable("self"));
  CHECK(written.arguments()[0].alias_info()->containedTypes().size() == 1);
  CHECK(written.arguments()[0].alias_info()->containedTypes()[0].isWrite());
}

TEST_CASE("function schema: inputs are completed, and refused whole") {
  const FunctionSchema s =
      parseSchema("t::f(Tensor x, int n=2, *, Scalar alpha=1, ScalarType? dtype=None) -> Tensor");
  std::vector<IValue> v{IValue(Tensor())};
  s.checkAndNormalizeInputs(v, {{"alpha", IValue(0.5)}});
  REQUIRE(v.size() == 4);
  CHECK(v[1].toInt() == 2);
  CHECK(v[2].toDouble() == 0.5);
  CHECK(v[3].isNone());
  std::vector<IValue> bad{IValue(3)};
  CHECK(message([&] {
          s.checkAndNormalizeInputs(bad);
        }).find("t::f: argument `x` is of the wrong type\n  cause:   expected `Tensor`, got `int`") == 0);
  CHECK(bad.size() == 1);
  std::vector<IValue> none;
  CHECK(message([&] { s.checkAndNormalizeInputs(none); }).find("argument `x` is missing") !=
        std::string::npos);
  std::vector<IValue> many(5);
  CHECK(message([&] { s.checkAndNormalizeInputs(many); }).find("too many arguments") != std::string::npos);
  std::vector<IValue> ok{IValue(Tensor())};
  CHECK(message([&] {
          s.checkAndNormalizeInputs(ok, {{"x", IValue(Tensor())}});
        }).find("`x` is given twice") != std::string::npos);
  CHECK(message([&] {
          s.checkAndNormalizeInputs(ok, {{"beta", IValue(1)}});
        }).find("no argument named `beta`") != std::string::npos);
  CHECK(ok.size() == 1);
}

TEST_CASE("types: structure, subtypes, spelling") {
  const TypePtr list = ListType::create(OptionalType::create(TensorType::get()));
  CHECK(list->str() == "Tensor?[]");
  CHECK(list->annotation_str() == "List[Optional[Tensor]]");
  CHECK(*list == *ListType::create(OptionalType::create(TensorType::get())));
  CHECK_FALSE(*list == *ListType::create(TensorType::get()));
  CHECK(IntType::get()->isSubtypeOf(NumberType::get()));
  CHECK(NoneType::get()->isSubtypeOf(OptionalType::create(IntType::get())));
  CHECK(IntType::get()->isSubtypeOf(OptionalType::create(IntType::get())));
  CHECK_FALSE(OptionalType::create(IntType::get())->isSubtypeOf(IntType::get()));
  CHECK_FALSE(ListType::create(IntType::get())->isSubtypeOf(ListType::create(NumberType::get())));
  CHECK(list->cast<ListType>()->getElementType()->kind() == TypeKind::OptionalType);
  CHECK(list->cast<TupleType>() == nullptr);
  CHECK(message([&] { list->expectRef<IntType>(); }).find("the type is not a IntType") != std::string::npos);
  CHECK(lower_type(OptionalType::create(ListType::create(SymIntType::get())))->str() == "int[]?");
}
