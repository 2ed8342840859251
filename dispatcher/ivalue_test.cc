#include "dispatcher/ivalue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "dispatcher/boxing_traits.h"
#include "dispatcher/stack.h"
#include "dispatcher/weak_ivalue.h"

using namespace gb;

namespace {

Tensor make_tensor() {
  return detail::make_tensor<TensorImpl>(DispatchKeySet(DispatchKey::Meta), TypeMeta(kFloat), Device(kMeta));
}

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

TEST_CASE("ivalue: every kind goes in and comes out") {
  CHECK(IValue().isNone());
  CHECK(IValue(std::nullopt).isNone());
  CHECK(IValue(3).toInt() == 3);
  CHECK(IValue(int64_t{-5}).toInt() == -5);
  CHECK(IValue(2.5f).toDouble() == 2.5);
  CHECK(IValue(true).isBool());
  CHECK_FALSE(IValue(true).isInt());
  CHECK(IValue("text").toStringRef() == "text");
  CHECK(IValue(std::string_view("view")).toStringView() == "view");
  CHECK(IValue(Device(kCUDA, 1)).toDevice() == Device(kCUDA, 1));
  CHECK(IValue(Scalar(1.5)).isDouble());
  CHECK(IValue(Scalar(2)).isInt());
  CHECK(IValue(Scalar(true)).isBool());
  CHECK(IValue(Scalar(true)).toScalar().isBoolean());
  for (const ScalarType t : {kFloat, kLong, kBool, kBFloat16}) CHECK((IValue(t).toScalarType() == t));
  CHECK((IValue(MemoryFormat::Preserve).toMemoryFormat() == MemoryFormat::Preserve));
  CHECK(IValue(std::optional<int64_t>(4)).toInt() == 4);
  CHECK(IValue(std::optional<Tensor>()).isNone());
  CHECK(IValue(std::optional<double>(1.0)).toOptional<double>() == 1.0);
  CHECK(IValue().toOptional<double>() == std::nullopt);
  CHECK(IValue(std::vector<int64_t>{1, 2}).toIntVector() == std::vector<int64_t>{1, 2});
  CHECK(IValue(IntArrayRef{7}).isIntList());
  CHECK(IValue(std::vector<bool>{true, false}).to<std::vector<bool>>() == std::vector<bool>{true, false});
  CHECK(IValue(std::array<bool, 2>{true, false}).to<std::array<bool, 2>>() ==
        std::array<bool, 2>{true, false});
  CHECK(IValue(std::vector<ScalarType>{kFloat}).isIntList());
  const IValue tuple(std::make_tuple(1, 2.5, std::string("x")));
  CHECK(tuple.to<std::tuple<int64_t, double, std::string>>() ==
        std::make_tuple(int64_t{1}, 2.5, std::string("x")));
}

TEST_CASE("ivalue: a tensor is held as itself, also an undefined one") {
  const Tensor t = make_tensor();
  IValue v(t);
  CHECK(v.toTensor().is_same(t));
  CHECK(&v.toTensor() == &v.toTensor());
  CHECK(t.use_count() == 2);
  {
    const IValue copy = v;
    CHECK(t.use_count() == 3);
    CHECK(copy.is(v));
  }
  CHECK(v.use_count() == 2);
  const Tensor stolen = std::move(v).toTensor();
  CHECK(t.use_count() == 2);
  CHECK_FALSE(v.toTensor().defined());
  CHECK(IValue(Tensor()).isTensor());
  CHECK_FALSE(IValue(Tensor()).isNone());
}

TEST_CASE("ivalue: copies share, a moved-from value is None, self-assignment is harmless") {
  IValue a(std::vector<int64_t>{1, 2});
  IValue b = a;
  CHECK(a.use_count() == 2);
  b.toIntList().push_back(3);
  CHECK(a.toIntVector() == std::vector<int64_t>{1, 2, 3});
  const IValue c = std::move(a);
  CHECK(a.isNone());
  CHECK(c.is(b));
  IValue& alias = b;
  b = alias;
  CHECK(b.toListRef().size() == 3);
  b = b.toListRef()[0];  // the list dies while its element is assigned
  CHECK(b.toInt() == 1);
}

TEST_CASE("ivalue: equality, identity and hash") {
  CHECK(IValue(1) == IValue(1));
  CHECK_FALSE(IValue(1) == IValue(1.0));
  CHECK_FALSE(IValue(1) == IValue(true));
  CHECK(IValue().is(IValue()));
  const IValue x(std::vector<int64_t>{1}), y(std::vector<int64_t>{1});
  CHECK(x == y);
  CHECK(x.hash() == y.hash());
  CHECK_FALSE(x.is(y));
  CHECK(x.equals(y).toBool());
  CHECK(x.hash().toInt() == static_cast<int64_t>(IValue::hash(y)));
  CHECK(IValue("a").is(IValue("a")));  // strings cannot change, so their value is their identity
  CHECK(IValue(Tensor()).is(IValue()));
  CHECK_FALSE(IValue(1).is(IValue(1.0)));
}

TEST_CASE("ivalue: shared memory, and what is inside") {
  const Tensor t = make_tensor(), u = make_tensor();
  const IValue list(std::vector<Tensor>{t, u}), pair(std::make_tuple(1, u));
  CHECK(IValue(t).isAliasOf(IValue(t)));
  CHECK_FALSE(IValue(t).isAliasOf(IValue(u)));
  CHECK_FALSE(IValue(t).isAliasOf(list));  // other memory: the list's own
  CHECK_FALSE(IValue(1).isAliasOf(IValue(1)));
  CHECK(IValue(t).overlaps(list));
  CHECK(list.overlaps(pair));
  CHECK_FALSE(pair.overlaps(IValue(t)));
  CHECK_FALSE(IValue(std::vector<int64_t>{1}).overlaps(IValue(std::vector<int64_t>{1})));
  IValue::HashAliasedIValues parts;
  IValue(std::make_tuple(list, t, 3, std::string("x"))).getSubValues(parts);
  CHECK(parts.size() == 4);  // the tuple, the list, t once, u
  CHECK(parts.count(IValue(u)) == 1);
  int seen = 0;
  list.visit([&seen](const IValue& v) { return ++seen, v.isList(); });  // true: not into the list
  CHECK(seen == 1);
}

TEST_CASE("ivalue: storage, generator, stream") {
  const Storage storage(Storage::use_byte_size_t(), 16, GetCPUAllocator());
  const IValue s(storage), g(Generator(7)), stream(Stream(Stream::UNSAFE, Device(kCUDA, 1), 3));
  CHECK(s.toStorage().is_alias_of(storage));
  CHECK(storage.use_count() == 2);
  CHECK(IValue(Storage()).toStorage().nbytes() == 0);
  CHECK(IValue(Storage()).use_count() == 0);
  CHECK(g.toGenerator().current_seed() == 7);
  CHECK(g.to<std::optional<Generator>>() == g.toGenerator());
  const double first = g.toGenerator().uniform();
  CHECK(g.toGenerator().uniform() != first);  // one source, shared
  CHECK(stream.toStream().id() == 3);
  CHECK(stream.is(IValue(Stream(Stream::UNSAFE, Device(kCUDA, 1), 3))));
  CHECK(stream.tagKind() == "Stream");
  CHECK(to_string(stream) == "stream 3 on device cuda:1");
  CHECK(to_string(s) == "Storage(16 bytes)");
  CHECK(s.type()->str() == "Storage");
  CHECK(g.has_type(*GeneratorType::get()));
  CHECK_THROWS_AS(s.toGenerator(), TypeError);
}

TEST_CASE("ivalue: an object of a custom class") {
  struct Base : CustomClassHolder {
    int n = 5;
  };
  struct Derived final : Base {};
  struct Other final : CustomClassHolder {};
  const auto object = make_intrusive<Derived>();
  const IValue v(object);
  CHECK(v.isCustomClass());
  CHECK(v.to<intrusive_ptr<Derived>>() == object);
  CHECK(v.toCustomClass<Base>()->n == 5);
  CHECK(object.use_count() == 2);
  CHECK(v.has_type(*ClassType::create("__torch__.torch.classes.my.Derived")));
  CHECK(message([&] { v.toCustomClass<Other>(); }).find("IValue: expected an object of class ") == 0);
  CHECK_THROWS_AS(IValue(1).toCustomClass<Base>(), TypeError);
}

TEST_CASE("weak ivalue: gives back what still has an owner") {
  Tensor t = make_tensor();
  IValue list(std::vector<int64_t>{1});
  const WeakIValue weak_tensor{IValue(t)}, weak_list(list), number(IValue(3)), undefined{IValue(Tensor())};
  CHECK(weak_tensor.lock().toTensor().is_same(t));
  CHECK(weak_tensor.use_count() == 1);
  CHECK(weak_tensor.weak_use_count() == 2);
  CHECK(weak_tensor.isSameIdentity(WeakIValue(IValue(t))));
  CHECK_FALSE(weak_tensor.isSameIdentity(weak_list));
  CHECK(weak_list.lock().is(list));
  t.reset();
  list = IValue();
  CHECK(weak_tensor.lock().isNone());
  CHECK(weak_list.lock().isNone());
  CHECK(number.lock().toInt() == 3);
  CHECK_FALSE(undefined.lock().toTensor().defined());
}

TEST_CASE("ivalue: a wrong kind is named, with the value") {
  CHECK(message([] { IValue(3).toTensor(); }) ==
        "IValue: expected Tensor but got Int\n"
        "  cause:   the value is 3\n"
        "  repair:  pass a value of kind Tensor, or ask with is...() before to...()\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
  CHECK(message([] { IValue().toInt(); }).find("expected Int but got None") != std::string::npos);
  CHECK(message([] { IValue("a").toScalar(); }).find("expected Scalar but got String") != std::string::npos);
  CHECK(message([] {
          IValue(99).toScalarType();
        }).find("99 stands for none of the 11 values of ScalarType") != std::string::npos);
  CHECK(message([] {
          IValue(std::vector<int64_t>{1}).toTensorList();
        }).find("expected a list of `Tensor` but got a list of `int`") != std::string::npos);
  CHECK(message([] {
          IValue(std::vector<bool>{true}).to<std::array<bool, 2>>();
        }).find("expected 2 elements but got 1") != std::string::npos);
  CHECK_THROWS_AS(IValue(int64_t{1} << 40).to<int32_t>(), Error);
  CHECK_THROWS_AS(IValue(1.0).toInt(), TypeError);
}

TEST_CASE("ivalue: types and what may be passed for what") {
  CHECK(IValue(std::make_tuple(1, std::vector<double>{})).type()->str() == "(int, float[])");
  CHECK(IValue().has_type(*OptionalType::create(TensorType::get())));
  CHECK(IValue(1).has_type(*NumberType::get()));
  CHECK(IValue(1).has_type(*ScalarTypeType::get()));
  CHECK_FALSE(IValue(1).has_type(*FloatType::get()));
  CHECK(IValue(std::vector<Tensor>{Tensor()})
            .has_type(*ListType::create(OptionalType::create(TensorType::get()))));
  CHECK_FALSE(IValue(std::vector<int64_t>{1}).has_type(*ListType::create(TensorType::get())));
}

TEST_CASE("ivalue: printed as schemas print defaults") {
  CHECK(to_string(IValue()) == "None");
  CHECK(to_string(IValue(true)) == "True");
  CHECK(to_string(IValue(1.0)) == "1.");
  CHECK(to_string(IValue(-0.0)) == "-0.");
  CHECK(to_string(IValue(-3.0)) == "-3.");
  CHECK(to_string(IValue(1e-5)) == "1.0000000000000001e-05");
  CHECK(to_string(IValue(INFINITY)) == "inf");
  CHECK(to_string(IValue(std::vector<int64_t>{1, 2})) == "[1, 2]");
  CHECK(to_string(IValue(std::make_tuple(1))) == "(1,)");
  CHECK(to_string(IValue("a\"\n\x01")) == "\"a\\\"\\n\\001\"");
  CHECK(to_string(IValue(Device(kCUDA, 1))) == "cuda:1");
}

TEST_CASE("stack: push, pop, peek, last, drop") {
  Stack s;
  jit::push(s, 1, 2.0, "three");
  jit::push(&s, true);
  CHECK(jit::peek(s, 0, 3).toDouble() == 2.0);
  CHECK(jit::last(s, 2)[0].toStringRef() == "three");
  CHECK(jit::pop(s).toBool());
  const std::vector<IValue> two = jit::pop(s, 2);
  CHECK(two[0].toDouble() == 2.0);
  CHECK(two[1].toStringRef() == "three");
  CHECK(message([&] { jit::drop(s, 2); }).find("stack: drop needs 2 values but there are 1") !=
        std::string::npos);
  CHECK(s.size() == 1);
  jit::push(s, 7, "x");
  int64_t n = 0;
  std::string text;
  CHECK_THROWS_AS(jit::pop(s, text, n), TypeError);
  jit::pop(s, n, text);
  CHECK(n == 7);
  CHECK(text == "x");
  jit::drop(s, 1);
  CHECK_THROWS_AS(jit::pop(s), IndexError);
}

TEST_CASE("boxing traits: slots to arguments, results to the stack") {
  Stack s{IValue(make_tensor()), IValue(std::vector<int64_t>{4, 5}), IValue()};
  Tensor& t = ivalue_to_arg<Tensor&>::call(s[0]);
  CHECK(&t == &s[0].toTensor());
  const auto sum = [](IntArrayRef sizes, OptionalIntArrayRef none, OptionalIntArrayRef some) {
    return sizes[0] + sizes[1] + (none ? 100 : 0) + (*some)[1];
  };
  CHECK(sum(ivalue_to_arg<IntArrayRef>::call(s[1]), ivalue_to_arg<OptionalIntArrayRef>::call(s[2]),
            ivalue_to_arg<OptionalIntArrayRef>::call(s[1])) == 14);
  Stack out;
  push_outputs(out, std::tuple<>());
  CHECK(out.empty());
  push_outputs(out, std::tuple<Tensor&, Tensor&>(t, t));
  push_outputs(out, int64_t{3});
  push_outputs(out, t);
  REQUIRE(out.size() == 4);
  CHECK(out[1].toTensor().is_same(t));
  CHECK(out[2].toInt() == 3);
  CHECK(pop_outputs<Tensor>(out).is_same(t));
  const auto [u, n] = pop_outputs<std::tuple<Tensor, int64_t>>(out);
  CHECK(u.is_same(t));
  CHECK(n == 3);
  CHECK(out.size() == 1);
}
