// Every type of the schema grammar crosses the box, both ways and back, as an argument and as a result.
#include <doctest/doctest.h>

#include "dispatcher/boxing.h"
#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

// What a parameter of type T is as a value that lives by itself.
template <class T>
std::remove_cvref_t<T> own(const T& v) {
  return v;
}
std::string own(std::string_view v) { return std::string(v); }
template <class T>
std::vector<T> own(ArrayRef<T> v) {
  return v.vec();
}
template <class T>
std::optional<std::vector<T>> own(std::optional<ArrayRef<T>> v) {
  return v ? std::optional(v->vec()) : std::nullopt;
}
std::optional<std::string> own(std::optional<std::string_view> v) {
  return v ? std::optional(std::string(*v)) : std::nullopt;
}
template <class T>
using Owned = decltype(own(std::declval<std::remove_reference_t<T>>()));

void as_it_is(const OperatorHandle&, Stack*) {}
template <const char* name>
void on_to(const OperatorHandle&, Stack* stack) {
  find(name).callBoxed(stack);
}
constexpr char kUnboxed[] = "cross::unboxed";

// unboxed call -> boxed kernel -> unboxed kernel, and boxed call -> unboxed kernel -> boxed kernel: all four hand their
// argument back. `type` is what the schema says.
template <class T>
void crosses(const char* type, T value) {
  using F = Owned<T>(T);
  CAPTURE(type);
  Library library = MAKE_GB_LIBRARY(cross);
  const auto def = [&](const std::string& name, CppFunction&& kernel) {
    library.def((name + "(" + type + " x) -> (" + type + ")").c_str());
    library.impl(name.c_str(), DispatchKey::CompositeImplicitAutograd, std::move(kernel));
  };
  def("unboxed", CppFunction([](T x) -> Owned<T> { return own(x); }));
  def("boxes", CppFunction::makeFromBoxedFunction<&on_to<kUnboxed>>());
  def("boxed", CppFunction::makeFromBoxedFunction<&as_it_is>());
  def("unboxes", CppFunction([](T x) -> Owned<T> { return find("cross::boxed").typed<F>().call(x); }));
  const IValue in(own(value));
  CHECK(in.has_type(*find("cross::boxed").schema().arguments()[0].type()));
  CHECK(IValue(find("cross::boxes").typed<F>().call(value)) == in);
  Stack stack{IValue("below"), in};
  find("cross::unboxes").callBoxed(&stack);
  REQUIRE(stack.size() == 2);
  CHECK(stack[1] == in);
  CHECK(stack[0].toStringRef() == "below");
}
// The value, the optional that has it, and the one that has none.
template <class T>
void crosses_with_optional(const std::string& type, T value) {
  crosses<T>(type.c_str(), value);
  crosses<std::optional<T>>((type + "?").c_str(), value);
  crosses<std::optional<T>>((type + "?").c_str(), std::nullopt);
  crosses<const std::optional<T>&>((type + "?").c_str(), value);
}
// As each of the types that a kernel may take for a list.
template <class T>
void crosses_as_list(const std::string& type, std::initializer_list<T> values) {
  const std::vector<T> owner(values);
  for (const std::string& t : {type + "[]", type + "[2]"}) {
    crosses<std::vector<T>>(t.c_str(), owner);
    crosses<List<T>>(t.c_str(), List<T>(values));
    crosses<ArrayRef<T>>(t.c_str(), values);
  }
  crosses<List<T>>((type + "[]").c_str(), List<T>());
  crosses<std::optional<ArrayRef<T>>>((type + "[]?").c_str(), ArrayRef<T>(values));
  crosses<std::optional<ArrayRef<T>>>((type + "[]?").c_str(), std::nullopt);
}

struct Thing final : CustomClassHolder {};

}  // namespace

TEST_CASE("boxing types: one value") {
  const Tensor t = tensor();
  crosses_with_optional<Tensor>("Tensor", t);
  crosses<const Tensor&>("Tensor", t);
  crosses<Tensor>("Tensor", Tensor());
  crosses_with_optional<int64_t>("int", -(int64_t{1} << 62));
  crosses_with_optional<int64_t>("SymInt", 5);
  crosses_with_optional<double>("float", -0.1);
  crosses_with_optional<bool>("bool", true);
  crosses_with_optional<Scalar>("Scalar", 2.5);
  crosses<const Scalar&>("Scalar", true);
  crosses_with_optional<std::string>("str", "text \"quoted\"");
  crosses_with_optional<std::string_view>("str", "view");
  crosses<const std::string&>("str", "text");
  crosses_with_optional<ScalarType>("ScalarType", kBFloat16);
  crosses_with_optional<Device>("Device", Device(kCUDA, 3));
  crosses_with_optional<Layout>("Layout", kStrided);
  crosses_with_optional<MemoryFormat>("MemoryFormat", MemoryFormat::Preserve);
  crosses_with_optional<Generator>("Generator", Generator(3));
  crosses_with_optional<Stream>("Stream", Stream(Stream::UNSAFE, Device(kCUDA, 0), 9));
  crosses_with_optional<Storage>("Storage", t.storage());
  crosses<intrusive_ptr<Thing>>("__torch__.torch.classes.my.Thing", make_intrusive<Thing>());
}

TEST_CASE("boxing types: lists") {
  const Tensor t = tensor(), u = tensor();
  crosses_as_list<int64_t>("int", {1, -2});
  crosses_as_list<int64_t>("SymInt", {1, -2});
  crosses_as_list<double>("float", {0.5, 1e300});
  crosses_as_list<bool>("bool", {true, false});
  crosses_as_list<Tensor>("Tensor", {t, u});
  crosses_as_list<Scalar>("Scalar", {1, 0.5});
  crosses_as_list<std::string>("str", {"a", ""});
  crosses_as_list<ScalarType>("ScalarType", {kLong, kHalf});
  crosses_as_list<Device>("Device", {Device(kCPU), Device(kMeta)});
  crosses_as_list<std::optional<Tensor>>("Tensor?", {t, std::nullopt});
  crosses_as_list<std::optional<int64_t>>("int?", {std::nullopt, 4});
  const std::vector<int64_t> ints{3, 4};
  crosses<const std::vector<int64_t>&>("int[]", ints);
  crosses<const List<int64_t>&>("int[]", List<int64_t>(ints));
  crosses<std::optional<std::vector<int64_t>>>("int[]?", ints);
  crosses<std::optional<List<int64_t>>>("int[]?", List<int64_t>(ints));
  crosses<std::array<int64_t, 2>>("int[2]", {3, 4});
  crosses<std::array<bool, 3>>("bool[3]", {true, false, true});
  crosses<std::array<Device, 2>>("Device[2]", {Device(kCPU), Device(kMeta)});
  crosses<List<std::optional<Tensor>>>("Tensor?[]", List<std::optional<Tensor>>({std::nullopt, t}));
  crosses<std::vector<std::vector<int64_t>>>("int[][]", {{1}, {}, {2, 3}});
  crosses<List<List<Tensor>>>("Tensor[][]", List<List<Tensor>>({List<Tensor>({t}), List<Tensor>()}));
}

TEST_CASE("boxing types: dicts, tuples, anything") {
  const Tensor t = tensor();
  Dict<std::string, Tensor> weights;
  weights.insert("w", t);
  Dict<std::string, List<int64_t>> shapes;
  shapes.insert("w", List<int64_t>({2, 3}));
  Dict<int64_t, Dict<std::string, Tensor>> nested;
  nested.insert(1, weights);
  crosses_with_optional<Dict<std::string, Tensor>>("Dict(str, Tensor)", weights);
  crosses<const Dict<std::string, Tensor>&>("Dict(str, Tensor)", weights);
  crosses<Dict<std::string, List<int64_t>>>("Dict(str, int[])", shapes);
  crosses<Dict<int64_t, Dict<std::string, Tensor>>>("Dict(int, Dict(str, Tensor))", nested);
  crosses<List<Dict<std::string, Tensor>>>("Dict(str, Tensor)[]", List<Dict<std::string, Tensor>>({weights}));
  crosses<std::vector<std::tuple<int64_t, Tensor>>>("(int, Tensor)[]", {{1, t}, {2, Tensor()}});
  crosses<std::optional<std::tuple<std::string, bool>>>("(str, bool)?", std::tuple("x", true));
  crosses<IValue>("Any", IValue(std::vector<Tensor>{t}));
  crosses<const IValue&>("Any", IValue());
}

TEST_CASE("boxing types: the results of one call") {
  Library library = MAKE_GB_LIBRARY(cross);
  const auto def = [&](const char* schema, CppFunction&& kernel) {
    library.def(schema);
    library.impl(std::string(schema).substr(0, std::string(schema).find('(')).c_str(),
                 DispatchKey::CompositeImplicitAutograd, std::move(kernel));
  };
  using Several = std::tuple<Tensor, int64_t, std::vector<Tensor>, std::optional<double>, std::string>;
  def("nothing(int x) -> ()", CppFunction([](int64_t) { return std::tuple<>(); }));
  def("several(Tensor x) -> (Tensor, int, Tensor[], float?, str)",
      CppFunction([](const Tensor& x) { return Several(x, 2, {x, x}, std::nullopt, "s"); }));
  def("swapped(*, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))",
      CppFunction([](Tensor& a, Tensor& b) { return std::tuple<Tensor&, Tensor&>(a, b); }));
  Stack none{IValue(3)};
  find("cross::nothing").callBoxed(&none);
  CHECK(none.empty());
  CHECK_NOTHROW(find("cross::nothing").typed<std::tuple<>(int64_t)>().call(3));
  const Tensor x = tensor(), y = tensor();
  const auto [t, n, list, maybe, text] = find("cross::several").typed<Several(const Tensor&)>().call(x);
  CHECK((t.is_same(x) && n == 2 && list.size() == 2 && !maybe && text == "s"));
  Stack five{x};
  find("cross::several").callBoxed(&five);
  REQUIRE(five.size() == 5);
  CHECK(five[0].toTensor().is_same(x));
  CHECK(five[2].toTensorVector()[1].is_same(x));
  CHECK(five[3].isNone());
  Stack two{x, y};
  find("cross::swapped").callBoxed(&two);
  REQUIRE(two.size() == 2);
  CHECK(two[0].toTensor().is_same(x));
  CHECK(two[1].toTensor().is_same(y));
}

TEST_CASE("boxing types: an array of another length is an error, and nothing runs") {
  Library library = MAKE_GB_LIBRARY(cross);
  library.def("pair(int[2] x) -> int");
  library.impl("pair", DispatchKey::CompositeImplicitAutograd,
               CppFunction([](std::array<int64_t, 2> x) { return x[0]; }));
  Stack stack{IValue(std::vector<int64_t>{1, 2, 3})};
  CHECK(contains(error_of([&] { find("cross::pair").callBoxed(&stack); }), "expected 2 elements but got 3"));
}
