#include "dispatcher/infer_schema.h"

#include <doctest/doctest.h>

#include "dispatcher/ivalue.h"
#include "dispatcher/schema_parser.h"

using namespace gb;

namespace {

using Plain = Tensor(const Tensor&, Tensor, IntArrayRef, double, bool);
using Several = std::tuple<Tensor, int64_t>(DispatchKeySet, const std::optional<Tensor>&, OptionalIntArrayRef,
                                            TensorList);
using InPlace = Tensor&(Tensor&, const Scalar&, std::optional<ScalarType>);
using Nothing = void();
using NothingEither = std::tuple<>(const List<std::optional<Tensor>>&, std::string_view, Device,
                                   std::array<bool, 2>);

template <class F>
std::string inferred() {
  return to_string(*detail::inferFunctionSchemaFromFunctor<F>());
}
template <class F>
std::optional<std::string> differences(const char* declared) {
  return findSchemaDifferences(jit::parseSchema(declared), *detail::inferFunctionSchemaFromFunctor<F>());
}

}  // namespace

TEST_CASE("infer schema: from functions, pointers and lambdas") {
  CHECK(inferred<Plain>() == "(Tensor _0, Tensor _1, int[] _2, float _3, bool _4) -> Tensor");
  CHECK(inferred<Several*>() == "(Tensor? _0, int[]? _1, Tensor[] _2) -> (Tensor, int)");
  CHECK(inferred<InPlace>() == "(Tensor _0, Scalar _1, ScalarType? _2) -> Tensor");
  CHECK(inferred<Nothing>() == "() -> ()");
  CHECK(inferred<NothingEither>() == "(Tensor?[] _0, str _1, Device _2, bool[] _3) -> ()");
  const auto lambda = [count = 0](const Tensor& x) mutable { return ++count, x; };
  CHECK(inferred<decltype(lambda)>() == "(Tensor _0) -> Tensor");
  CHECK(to_string(*detail::inferFunctionSchemaFlattenedReturns<Several>()) == inferred<Several>());
  CHECK(guts::is_functor<decltype(lambda)>::value);
  CHECK_FALSE(guts::is_functor<Plain>::value);
  CHECK(guts::is_function_type<Plain>::value);
  CHECK_FALSE(guts::is_function_type<Plain*>::value);
}

TEST_CASE("infer schema: declared types that a C++ type satisfies") {
  CHECK(differences<Tensor(const Tensor&, int64_t, std::optional<ScalarType>)>(
            "aten::softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor") == std::nullopt);
  CHECK(differences<Tensor(const Tensor&, int64_t, std::optional<int64_t>)>(
            "aten::softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor") == std::nullopt);
  CHECK(differences<Tensor(const Tensor&, OptionalIntArrayRef, bool)>(
            "a::sum(Tensor x, int[1]? dim, bool keepdim) -> Tensor") == std::nullopt);
  CHECK(differences<Tensor(IntArrayRef, std::optional<Layout>, std::optional<MemoryFormat>)>(
            "a::empty(SymInt[] size, Layout? l, MemoryFormat? m) -> Tensor") == std::nullopt);
  CHECK(differences<Tensor&(Tensor&, const Tensor&)>("a::add_(Tensor(a!) x, Tensor y) -> Tensor(a!)") ==
        std::nullopt);
  CHECK(differences<std::tuple<Tensor&, Tensor&>(const std::optional<Tensor>&, Tensor&, Tensor&)>(
            "a::f(Tensor? w, *, Tensor(a!) p, Tensor(b!) q) -> (Tensor(a!), Tensor(b!))") == std::nullopt);
}

TEST_CASE("infer schema: containers, objects and the rest") {
  struct Thing : CustomClassHolder {};
  using F = Dict<std::string, List<Tensor>>(std::vector<std::vector<int64_t>>, std::optional<Generator>, Storage, Stream,
                                            const IValue&, intrusive_ptr<Thing>, std::tuple<int64_t, bool>);
  CHECK(inferred<F>() ==
        "(int[][] _0, Generator? _1, Storage _2, Stream _3, Any _4, AnyClassType _5, (int, bool) _6) -> "
        "Dict(str, Tensor[])");
  // A class is known by its name there, by its C++ type here.
  CHECK(differences<void(std::optional<intrusive_ptr<Thing>>)>("a::f(__torch__.torch.classes.my.Thing? x) -> ()") ==
        std::nullopt);
  CHECK(differences<void(int64_t)>("a::f(__torch__.torch.classes.my.Thing x) -> ()") ==
        "Type mismatch in argument 0: __torch__.torch.classes.my.Thing vs int.");
}

TEST_CASE("infer schema: differences are said in words") {
  CHECK(differences<Tensor(const Tensor&)>("a::f(Tensor x, int n) -> Tensor") ==
        "The number of arguments is different. 2 vs 1.");
  CHECK(differences<Tensor(const Tensor&, double)>("a::f(Tensor x, int n) -> Tensor") ==
        "Type mismatch in argument 1: int vs float.");
  CHECK(differences<void(const Tensor&)>("a::f(Tensor x) -> Tensor") ==
        "The number of returns is different. 1 vs 0.");
  CHECK(differences<int64_t(const Tensor&)>("a::f(Tensor x) -> Tensor") ==
        "Type mismatch in return 0: Tensor vs int.");
  CHECK(differences<Tensor(const Tensor&)>("a::f(Tensor? x) -> Tensor") ==
        "Type mismatch in argument 0: Tensor? vs Tensor.");
}
