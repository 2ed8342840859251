// Boxed and unboxed, all four ways, for every kind of argument and result.
#include "dispatcher/boxing.h"

#include <doctest/doctest.h>

#include "dispatcher/list.h"
#include "dispatcher/tensors_in_value.h"
#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

// --- unboxed kernels
Tensor add_n(const Tensor& x, int64_t n, double f, bool minus) {
  const double sum = static_cast<double>(n) + f;
  return tensor(DispatchKey::CPU, value(x) + static_cast<float>(minus ? -sum : sum));
}
Tensor& inplace(Tensor& self, double by) {
  self.data_ptr<float>()[0] += static_cast<float>(by);
  return self;
}
std::tuple<Tensor, int64_t> both(const Tensor& x, int64_t n) { return {tensor(DispatchKey::CPU, value(x) * 2), n * 2}; }
std::tuple<Tensor&, Tensor&> outs(const Tensor& x, Tensor& a, Tensor& b) {
  a.data_ptr<float>()[0] = value(x) + 1;
  b.data_ptr<float>()[0] = value(x) + 2;
  return {a, b};
}
int64_t lists(TensorList tensors, IntArrayRef ints, const List<std::optional<Tensor>>& maybe) {
  int64_t sum = static_cast<int64_t>(tensors.size()) * 100 + static_cast<int64_t>(maybe.size()) * 1000;
  for (int64_t i : ints) sum += i;
  return sum;
}
std::string optionals(const std::optional<Tensor>& t, std::optional<int64_t> n, std::optional<IntArrayRef> ints,
                      std::string_view text) {
  return std::string(t ? "tensor" : "none") + (n ? std::to_string(*n) : "none") +
         (ints ? std::to_string(ints->size()) : "none") + std::string(text);
}
int calls = 0;
void nothing() { ++calls; }
std::vector<Tensor> split(const Tensor& x) { return {x, x}; }

// Boxed kernels that do the same for two of them.
void add_n_boxed(const OperatorHandle&, Stack* stack) {
  const auto args = jit::pop(*stack, 4);
  jit::push(stack, add_n(args[0].toTensor(), args[1].toInt(), args[2].toDouble(), args[3].toBool()));
}
void inplace_boxed(const OperatorHandle&, DispatchKeySet ks, Stack* stack) {
  CHECK((ks.highestPriorityTypeId() == DispatchKey::CPU));
  const double by = jit::pop(stack).toDouble();
  Tensor self = jit::pop(stack).toTensor();
  self.data_ptr<float>()[0] += static_cast<float>(by);
  jit::push(stack, self);
}
void both_boxed(const OperatorHandle&, Stack* stack) {
  const int64_t n = jit::pop(stack).toInt();
  const Tensor x = jit::pop(stack).toTensor();
  jit::push(stack, tensor(DispatchKey::CPU, value(x) * 2), n * 2);
}
void outs_boxed(const OperatorHandle&, Stack* stack) {
  auto args = jit::pop(*stack, 3);
  args[1].toTensor().data_ptr<float>()[0] = value(args[0].toTensor()) + 1;
  args[2].toTensor().data_ptr<float>()[0] = value(args[0].toTensor()) + 2;
  jit::push(stack, args[1], args[2]);
}
void lists_boxed(const OperatorHandle&, Stack* stack) {
  auto args = jit::pop(*stack, 3);
  jit::push(stack, lists(args[0].toTensorVector(), args[1].to<std::vector<int64_t>>(),
                         args[2].to<List<std::optional<Tensor>>>()));
}
void nothing_boxed(const OperatorHandle&, Stack*) { ++calls; }

// An operator `f` with one kernel, for every backend.
struct Op {
  Op(const char* schema, CppFunction kernel) {
    library.def(schema);
    library.impl("f", DispatchKey::CPU, std::move(kernel));
    library.impl("f", DispatchKey::Autograd, CppFunction::makeFallthrough());
  }
  Library library = MAKE_GB_LIBRARY(box);
};
template <class F>
TypedOperatorHandle<F> f() { return find("box::f").typed<F>(); }
std::vector<IValue> call_boxed(std::vector<IValue> arguments) {
  Stack stack{IValue(42)};  // what lies below is not touched
  stack.insert(stack.end(), arguments.begin(), arguments.end());
  find("box::f").callBoxed(&stack);
  REQUIRE(stack.size() >= 1);
  CHECK(stack[0].toInt() == 42);
  return {stack.begin() + 1, stack.end()};
}

}  // namespace

TEST_CASE("boxing: values in, a tensor out") {
  const char* schema = "f(Tensor x, int n, float f, bool minus) -> Tensor";
  for (bool boxed : {false, true}) {
    const Op op(schema, boxed ? CppFunction::makeFromBoxedFunction<&add_n_boxed>() : CppFunction(&add_n));
    CHECK(value((f<Tensor(const Tensor&, int64_t, double, bool)>().call(tensor(DispatchKey::CPU, 1), 2, 0.5, true))) == -1.5f);
    const auto results = call_boxed({tensor(DispatchKey::CPU, 1), 2, 0.5, false});
    REQUIRE(results.size() == 1);
    CHECK(value(results[0].toTensor()) == 3.5f);
  }
}

TEST_CASE("boxing: an in-place result is the very argument") {
  for (bool boxed : {false, true}) {
    const Op op("f(Tensor(a!) self, float by) -> Tensor(a!)",
                boxed ? CppFunction::makeFromBoxedFunction<&inplace_boxed>() : CppFunction(&inplace));
    Tensor self = tensor(DispatchKey::CPU, 1);
    Tensor& result = f<Tensor&(Tensor&, double)>().call(self, 2);
    CHECK(&result == &self);
    CHECK(value(self) == 3);
    const auto results = call_boxed({self, 1.0});
    REQUIRE(results.size() == 1);
    CHECK(results[0].toTensor().is_same(self));
    CHECK(value(self) == 4);
  }
}

TEST_CASE("boxing: a tuple is several results") {
  for (bool boxed : {false, true}) {
    const Op op("f(Tensor x, int n) -> (Tensor, int)",
                boxed ? CppFunction::makeFromBoxedFunction<&both_boxed>() : CppFunction(&both));
    const auto [t, n] = f<std::tuple<Tensor, int64_t>(const Tensor&, int64_t)>().call(tensor(DispatchKey::CPU, 3), 4);
    CHECK(value(t) == 6);
    CHECK(n == 8);
    const auto results = call_boxed({tensor(DispatchKey::CPU, 3), 4});
    REQUIRE(results.size() == 2);
    CHECK(value(results[0].toTensor()) == 6);
    CHECK(results[1].toInt() == 8);
  }
}

TEST_CASE("boxing: a tuple of references is the out= arguments") {
  for (bool boxed : {false, true}) {
    const Op op("f(Tensor x, *, Tensor(a!) a, Tensor(b!) b) -> (Tensor(a!), Tensor(b!))",
                boxed ? CppFunction::makeFromBoxedFunction<&outs_boxed>() : CppFunction(&outs));
    Tensor a = tensor(), b = tensor();
    const auto [ra, rb] = f<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>().call(tensor(DispatchKey::CPU, 5), a, b);
    CHECK(&ra == &a);
    CHECK(&rb == &b);
    CHECK(value(a) == 6);
    CHECK(value(b) == 7);
    const auto results = call_boxed({tensor(DispatchKey::CPU, 1), a, b});
    REQUIRE(results.size() == 2);
    CHECK(results[0].toTensor().is_same(a));
    CHECK(results[1].toTensor().is_same(b));
    CHECK(value(b) == 3);
  }
}

TEST_CASE("boxing: lists") {
  using F = int64_t(TensorList, IntArrayRef, const List<std::optional<Tensor>>&);
  for (bool boxed : {false, true}) {
    const Op op("f(Tensor[] tensors, int[] ints, Tensor?[] maybe) -> int",
                boxed ? CppFunction::makeFromBoxedFunction<&lists_boxed>() : CppFunction(&lists));
    const List<std::optional<Tensor>> maybe{std::nullopt, tensor()};
    const std::vector<Tensor> two{tensor(), tensor()};
    CHECK(f<F>().call(two, {1, 2}, maybe) == 2203);
    CHECK(f<F>().call({}, {1, 2}, maybe) == 2003);  // only the Tensor?[] names the backend
    CHECK(call_boxed({IValue(two), IValue(std::vector<int64_t>{4}), IValue(maybe)})[0].toInt() == 2204);
    CHECK(call_boxed({IValue(std::vector<Tensor>{}), IValue(std::vector<int64_t>{4}), IValue(maybe)})[0].toInt() == 2004);
  }
}

TEST_CASE("boxing: both conventions see the same keys") {
  using E = impl::OperatorEntry;
  const Tensor cpu = tensor(), meta = tensor(DispatchKey::Meta);
  const DispatchKeySet all = cpu.key_set() | meta.key_set();
  const std::vector<std::optional<Tensor>> maybe{cpu, std::nullopt, meta};
  CHECK((E::keys_of(ArrayRef<std::optional<Tensor>>(maybe)) == all));
  CHECK((E::keys_of(List<std::optional<Tensor>>(maybe)) == all));
  CHECK((E::keys_of(List<Tensor>({cpu, meta})) == all));
  CHECK((E::keys_of(std::vector<Tensor>{cpu, meta}) == all));
  CHECK((E::keys_of_value(IValue(List<std::optional<Tensor>>(maybe))) == all));
  CHECK((E::keys_of_value(IValue(std::vector<Tensor>{cpu, meta})) == all));
  CHECK(E::keys_of(std::optional<Tensor>()).empty());
  CHECK(E::keys_of_value(IValue()).empty());
}

TEST_CASE("boxing: optionals and strings") {
  using F = std::string(const std::optional<Tensor>&, std::optional<int64_t>, std::optional<IntArrayRef>, std::string_view);
  const Op op("f(Tensor? t, int? n, int[]? ints, str text) -> str", CppFunction(&optionals));
  CHECK(f<F>().call(tensor(), 3, IntArrayRef({1, 2}), "x") == "tensor32x");
  CHECK(call_boxed({tensor(), IValue(), std::vector<int64_t>{1}, "y"})[0].toStringRef() == "tensornone1y");
  CHECK(call_boxed({tensor(), 7, IValue(), ""})[0].toStringRef() == "tensor7none");
}

TEST_CASE("boxing: nothing in, nothing out") {
  for (bool boxed : {false, true}) {
    Library library = MAKE_GB_LIBRARY(box);
    library.def("f() -> ()");
    library.impl("f", DispatchKey::CompositeExplicitAutograd,
                 boxed ? CppFunction::makeFromBoxedFunction<&nothing_boxed>() : CppFunction(&nothing));
    calls = 0;
    f<void()>().call();
    CHECK(call_boxed({}).empty());
    CHECK(calls == 2);
  }
}

TEST_CASE("boxing: a list of tensors out") {
  const Op op("f(Tensor x) -> Tensor[]", CppFunction(&split));
  CHECK((f<std::vector<Tensor>(const Tensor&)>().call(tensor()).size() == 2));
  CHECK(call_boxed({tensor()})[0].toTensorVector().size() == 2);
}

TEST_CASE("boxing: kernels with state, unboxed and boxed") {
  struct Boxed {
    explicit Boxed(int* count) : count(count) {}
    ~Boxed() { *count += 100; }
    void operator()(const OperatorHandle& op, DispatchKeySet, Stack*) const {
      CHECK(op.operator_name().name == "box::f");
      ++*count;
    }
    int* count;
  };
  int count = 0;
  {
    const Op op("f(Tensor x) -> Tensor", CppFunction::makeFromBoxedFunctor(std::make_unique<Boxed>(&count)));
    const Tensor x = tensor();
    CHECK(f<Tensor(const Tensor&)>().call(x).is_same(x));
    CHECK(count == 1);
  }
  float add = 5;
  const Op op("f(Tensor x) -> Tensor", CppFunction([add](DispatchKeySet ks, const Tensor& x) {
                CHECK((ks.highestPriorityTypeId() == DispatchKey::CPU));
                return tensor(DispatchKey::CPU, value(x) + add);
              }));
  CHECK(value(f<Tensor(const Tensor&)>().call(tensor())) == 5);
  CHECK(value(call_boxed({tensor()})[0].toTensor()) == 5);
}

TEST_CASE("boxing: a value of the wrong type on the stack is an error, and the kernel does not run") {
  const Op op("f(Tensor x, int n, float f, bool minus) -> Tensor", CppFunction(&add_n));
  CHECK_THROWS_AS(call_boxed({tensor(), "two", 0.5, false}), Error);
}

TEST_CASE("boxing: what a kernel says of itself") {
  CHECK(KernelFunction::makeFromUnboxedRuntimeFunction(&add_n).dumpState() == "unboxed");
  CHECK(KernelFunction::makeFromBoxedFunction<&add_n_boxed>().dumpState() == "boxed");
  CHECK(KernelFunction::makeFallthrough().dumpState() == "fallthrough");
  CHECK(KernelFunction().dumpState() == "none");
  CHECK_FALSE(KernelFunction().isValid());
}

TEST_CASE("boxing: the tensors in a value are visited, collected and replaced") {
  const Tensor a = tensor(DispatchKey::CPU, 1), b = tensor(DispatchKey::CPU, 2);
  const IValue maybe(List<std::optional<Tensor>>({a, std::nullopt, b})), ints(std::vector<int64_t>{1, 2});
  const IValue list(std::vector<Tensor>{Tensor(), b}), none;
  int visited = 0;
  for (const IValue& v : {IValue(a), maybe, ints, list, none}) for_each_tensor(v, [&](const Tensor&) { ++visited; });
  CHECK(visited == 5);  // the undefined one too
  const std::vector<Tensor> found = tensors_in(std::vector<IValue>{none, maybe, list, a});
  REQUIRE(found.size() == 4);
  CHECK((found[0].is_same(a) && found[1].is_same(b) && found[2].is_same(b) && found[3].is_same(a)));

  const auto more = [](const Tensor& t) { return tensor(DispatchKey::CPU, value(t) + 10); };
  const auto mapped = map_tensors(maybe, more).to<List<std::optional<Tensor>>>();
  CHECK(value(*mapped.get(0)) == 11);
  CHECK_FALSE(mapped.get(1).has_value());
  CHECK(value(*maybe.toOptionalTensorVector()[0]) == 1);  // the list itself is as it was
  const List<Tensor> tensors = map_tensors(list, more).toTensorList();
  CHECK_FALSE(tensors.get(0).defined());
  CHECK(value(tensors.get(1)) == 12);
  CHECK(map_tensors(ints, more).is(ints));
  CHECK(map_tensors(none, more).isNone());
  CHECK(value(map_tensors(a, more).toTensor()) == 11);
}
