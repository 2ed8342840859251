// CrossingsOf<Api>: the crossings of one library. As random_dispatch_player_of.h, one source for both.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

#include "tests/libtorch/random_boxing.h"
#include "tests/libtorch/random_dispatch_program.h"

namespace gb::tests::boxing {

using dispatch::Dice;

template <class Api>
class CrossingsOf {
  using Tensor = typename Api::Tensor;
  using Scalar = typename Api::Scalar;
  using IValue = typename Api::IValue;
  using Stack = typename Api::Stack;
  using TensorList = typename Api::TensorList;
  using IntArrayRef = typename Api::IntArrayRef;
  using DoubleArrayRef = typename Api::template ArrayRef<double>;
  template <class T>
  using List = typename Api::template List<T>;
  using OptionalTensors = List<std::optional<Tensor>>;
  template <class T>
  using Optional = std::optional<T>;

 public:
  explicit CrossingsOf(uint64_t seed) : dice_(seed) {
    for (int i = 0; i < 4; ++i) pool_.push_back(Api::make_tensor(typename Api::DispatchKeySet(Api::DispatchKey::CPU)));
  }

  std::vector<Crossing> run() {
    using std::string;
    using Text = std::string_view;
    cross<Tensor(const Tensor&, int64_t, double, bool)>("(Tensor self, int n, float d, bool b) -> Tensor");
    cross<int64_t(Text, const Scalar&, const Scalar&)>("(str text, Scalar a, Scalar b) -> int");
    cross<double(Optional<int64_t>, Optional<double>, Optional<bool>)>("(int? n, float? d, bool? b) -> float");
    cross<bool(const Optional<Tensor>&, const Optional<Scalar>&, Optional<Text>)>("(Tensor? t, Scalar? s, str? text) -> bool");
    cross<string(IntArrayRef, DoubleArrayRef, List<bool>)>("(int[] ints, float[] doubles, bool[] bools) -> str");
    cross<std::vector<Tensor>(TensorList, const OptionalTensors&)>("(Tensor[] all, Tensor?[] some) -> Tensor[]");
    cross<std::vector<int64_t>(int64_t)>("(int n) -> int[]");
    cross<Tensor&(Tensor&, double)>("(Tensor(a!) self, float d) -> Tensor(a!)");
    cross<Tensor&(const Tensor&, int64_t, Tensor&)>("(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)");
    cross<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>(
        "(Tensor self, *, Tensor(a!) one, Tensor(b!) two) -> (Tensor(a!), Tensor(b!))");
    cross<std::tuple<Tensor, int64_t, double, bool>(const Tensor&)>("(Tensor self) -> (Tensor, int, float, bool)");
    cross<std::tuple<Scalar, std::vector<Tensor>>(const Tensor&)>("(Tensor self) -> (Scalar, Tensor[])");
    cross<Optional<Tensor>(bool)>("(bool b) -> Tensor?");
    cross<void(const Tensor&, Text)>("(Tensor self, str text) -> ()");
    return std::move(crossings_);
  }

 private:
  // What holds an argument of the parameter type T.
  template <class T>
  struct owned {
    using type = std::remove_cvref_t<T>;
  };
  template <class T>
  struct owned<typename Api::template ArrayRef<T>> {
    using type = std::vector<T>;
  };
  template <class T>
  using owned_t = typename owned<T>::type;

  // --- random values: the edges of each type, and between them
  int64_t random_int() {
    switch (dice_.below(6)) {
      case 0: return std::numeric_limits<int64_t>::min();
      case 1: return std::numeric_limits<int64_t>::max();
      case 2: return dice_.below(3) - 1;
      default: return static_cast<int64_t>(random_bits());
    }
  }
  uint64_t random_bits() {
    uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) bits = bits << 16 | static_cast<uint64_t>(dice_.below(1 << 16));
    return bits;
  }
  double random_double() {
    switch (dice_.below(8)) {
      case 0: return -0.0;
      case 1: return std::numeric_limits<double>::infinity();
      case 2: return std::bit_cast<double>(uint64_t{0x7ff8000000000000} | random_bits() >> 14);  // a quiet NaN with a payload
      case 3: return std::numeric_limits<double>::denorm_min();
      default: return std::ldexp(static_cast<double>(dice_.below(1 << 30)), dice_.below(200) - 100);
    }
  }
  const std::string& random_text() {
    std::string text;
    for (int n = dice_.below(12); n > 0; --n) text += static_cast<char>(dice_.below(3) ? dice_.below(256) : 0);
    texts_.push_back(std::make_unique<std::string>(text));  // outlives the views of it
    return *texts_.back();
  }
  Tensor random_tensor() { return dice_.below(8) ? pool_[static_cast<size_t>(dice_.below(4))] : Tensor(); }

  template <class T>
  struct tag {};
  int64_t make(tag<int64_t>) { return random_int(); }
  double make(tag<double>) { return random_double(); }
  bool make(tag<bool>) { return dice_.below(2) == 1; }
  std::string make(tag<std::string>) { return random_text(); }
  std::string_view make(tag<std::string_view>) { return random_text(); }
  Tensor make(tag<Tensor>) { return random_tensor(); }
  Scalar make(tag<Scalar>) {
    switch (dice_.below(3)) {
      case 0: return Scalar(random_int());
      case 1: return Scalar(random_double());
      default: return Scalar(dice_.below(2) == 1);
    }
  }
  template <class T>
  std::optional<T> make(tag<std::optional<T>>) {
    if (dice_.below(3) == 0) return std::nullopt;
    return make(tag<T>());
  }
  std::optional<Tensor> make(tag<std::optional<Tensor>>) {  // an undefined tensor and None are one thing to some crossings
    if (dice_.below(3) == 0) return std::nullopt;
    return pool_[static_cast<size_t>(dice_.below(4))];
  }
  template <class T>
  std::vector<T> make(tag<std::vector<T>>) {
    std::vector<T> values;
    for (int n = dice_.below(5); n > 0; --n) values.push_back(make(tag<T>()));
    return values;
  }
  template <class T>
  List<T> make(tag<List<T>>) {
    List<T> values;
    for (int n = dice_.below(5); n > 0; --n) values.push_back(make(tag<T>()));
    return values;
  }
  template <class... Ts>
  std::tuple<Ts...> make(tag<std::tuple<Ts...>>) { return std::tuple<Ts...>{make(tag<Ts>())...}; }

  // --- written down
  void put(const Tensor& t) {
    std::string name = t.defined() ? "t?" : "undefined";
    for (size_t i = 0; i < pool_.size(); ++i)
      if (t.defined() && t.unsafeGetTensorImpl() == pool_[i].unsafeGetTensorImpl()) name = "t" + std::to_string(i);
    text_ += name + " ";
  }
  void put(int64_t n) { text_ += "i" + std::to_string(n) + " "; }
  void put(bool b) { text_ += b ? "true " : "false "; }
  void put(double d) { text_ += "d" + std::to_string(std::bit_cast<uint64_t>(d)) + " "; }
  void put(std::string_view s) {
    text_ += "s";
    for (const char c : s) text_ += std::to_string(static_cast<unsigned char>(c)) + ".";
    text_ += " ";
  }
  void put(const std::string& s) { put(std::string_view(s)); }
  void put(const Scalar& s) {
    text_ += "scalar ";
    if (s.isFloatingPoint()) put(s.toDouble());
    else if (s.isBoolean()) put(s.toBool());
    else put(static_cast<int64_t>(s.toLong()));
  }
  template <class T>
  void put(const std::optional<T>& o) {
    if (o) put(*o);
    else text_ += "none ";
  }
  template <class Range>
  void put_range(const Range& range) {
    text_ += "[";
    for (size_t i = 0; i < range.size(); ++i) put(range[i]);
    text_ += "] ";
  }
  void put(IntArrayRef list) { put_range(list); }
  void put(DoubleArrayRef list) { put_range(list); }
  void put(TensorList list) { put_range(list); }
  template <class T>
  void put(const std::vector<T>& list) { put_range(list); }
  template <class T>
  void put(const List<T>& list) {
    text_ += "[";
    for (size_t i = 0; i < list.size(); ++i) put(static_cast<T>(list.get(i)));
    text_ += "] ";
  }
  template <class... Ts>
  void put(const std::tuple<Ts...>& t) {
    std::apply([this](const auto&... parts) { (put(parts), ...); }, t);
  }
  // A boxed value, by the parameter it is for: what the box says of itself must fit it.
  template <class T>
  void put_boxed(const IValue& v) {
    using U = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<U, Tensor>) put(v.toTensor());
    else if constexpr (std::is_same_v<U, int64_t>) v.isInt() ? put(v.toInt()) : wrong();
    else if constexpr (std::is_same_v<U, double>) v.isDouble() ? put(v.toDouble()) : wrong();
    else if constexpr (std::is_same_v<U, bool>) v.isBool() ? put(v.toBool()) : wrong();
    else if constexpr (std::is_same_v<U, std::string> || std::is_same_v<U, std::string_view>) put(v.toStringRef());
    else if constexpr (std::is_same_v<U, Scalar>) put(v.toScalar());
    else put(v.template to<owned_t<U>>());
  }
  template <class U>
  void put_boxed_optional(const IValue& v) {
    if (v.isNone()) text_ += "none ";
    else put_boxed<U>(v);
  }
  void wrong() { text_ += "another type "; }
  template <class F>
  std::string written(F&& f) {
    text_.clear();
    f();
    return text_;
  }

  // --- one signature
  template <class T>
  struct is_optional : std::false_type {};
  template <class T>
  struct is_optional<std::optional<T>> : std::true_type {
    using element = T;
  };
  template <class T>
  void put_argument(const IValue& v) {
    using U = std::remove_cvref_t<T>;
    if constexpr (is_optional<U>::value) put_boxed_optional<typename is_optional<U>::element>(v);
    else put_boxed<T>(v);
  }

  template <class R>
  static constexpr bool refers = std::is_reference_v<R>;
  template <class F>
  struct Signature;
  template <class R, class... A>
  struct Signature<R(A...)> {
    using Result = std::conditional_t<std::is_void_v<R>, std::tuple<>, std::remove_cvref_t<R>>;
    using Arguments = std::tuple<owned_t<A>...>;
  };

  template <class F>
  void cross(const char* schema) { cross_signature(schema, static_cast<F*>(nullptr)); }

  // A result that refers to arguments is not made but taken: the first (in-place) or the last ones (out=).
  template <class R, class Arguments>
  static R taken(Arguments& arguments) {
    constexpr size_t n = std::tuple_size_v<Arguments>;
    if constexpr (std::is_reference_v<R>) {
      if constexpr (std::is_same_v<std::tuple_element_t<0, Arguments>, R>) return std::get<0>(arguments);
      else return std::get<n - 1>(arguments);
    } else {
      return R{std::get<n - 2>(arguments), std::get<n - 1>(arguments)};
    }
  }
  template <class R>
  static constexpr bool is_taken = std::is_reference_v<R> || std::is_same_v<R, std::tuple<Tensor&, Tensor&>>;

  template <class R, class... A>
  void cross_signature(const char* schema, R (*)(A...)) {
    std::tuple<owned_t<A>...> arguments{make(tag<owned_t<A>>())...};
    if constexpr (is_taken<R>) {  // distinct and defined, so that the wrong one would be seen
      size_t next = 0;
      std::apply([&](auto&... one) { (replace_tensor(one, next), ...); }, arguments);
    }
    using Made = std::conditional_t<is_taken<R> || std::is_void_v<R>, std::tuple<>, R>;
    const Made result = make(tag<Made>());
    const std::string sent = written([&] { std::apply([this](const auto&... one) { (put(one), ...); }, arguments); });
    for (const bool boxed_kernel : {false, true}) {
      typename Api::Library library(Api::Library::FRAGMENT, "random_boxing", std::nullopt, "boxing", 0);
      library.def((std::string("f") + schema).c_str());
      std::string received, returned;
      if (boxed_kernel) {
        auto run = [&](const typename Api::OperatorHandle&, Stack& stack) {
          received = written([&] { put_stack<A...>(stack, std::index_sequence_for<A...>()); });
          returned = finish_boxed<R, A...>(stack, result);
        };
        library.impl("f", Api::CppFunction::makeFromBoxedFunctor(std::make_unique<Boxed<decltype(run)>>(run)));
      } else {
        library.impl("f", [&](A... a) -> R {
          received = written([&] { (put(a), ...); });
          auto references = std::forward_as_tuple(a...);
          if constexpr (std::is_void_v<R>) {
            return;
          } else if constexpr (is_taken<R>) {
            returned = written([&] { put_result(taken<R>(references)); });
            return taken<R>(references);
          } else {
            returned = written([&] { put(result); });
            return result;
          }
        });
      }
      for (const bool boxed_call : {false, true}) {
        const std::string arrived = boxed_call ? call_boxed<R>(arguments) : call_unboxed<R, A...>(arguments);
        crossings_.push_back({.what = std::string(schema) + (boxed_call ? ", boxed call, " : ", unboxed call, ") +
                                      (boxed_kernel ? "boxed kernel" : "unboxed kernel"),
                              .sent = sent, .received = received, .returned = returned, .arrived = arrived});
      }
    }
  }

  void replace_tensor(Tensor& t, size_t& next) { t = pool_[next++]; }
  template <class T>
  void replace_tensor(T&, size_t&) {}
  template <class T>
  void put_result(const T& value) { put(value); }
  void put_result(const std::tuple<Tensor&, Tensor&>& two) {
    put(std::get<0>(two));
    put(std::get<1>(two));
  }

  template <class Run>
  struct Boxed : Api::OperatorKernel {
    explicit Boxed(Run r) : run(r) {}
    void operator()(const typename Api::OperatorHandle& op, typename Api::DispatchKeySet, Stack* stack) { run(op, *stack); }
    Run run;
  };
  template <class... A, size_t... i>
  void put_stack(const Stack& stack, std::index_sequence<i...>) {
    (put_argument<A>(stack[stack.size() - sizeof...(A) + i]), ...);
  }
  template <class R, class... A, class Made>
  std::string finish_boxed(Stack& stack, const Made& result) {
    const Stack arguments(stack.end() - sizeof...(A), stack.end());
    stack.resize(stack.size() - sizeof...(A));
    if constexpr (std::is_void_v<R>) {
      return "";
    } else if constexpr (is_taken<R>) {
      constexpr size_t n = std::is_reference_v<R> ? 1 : 2;
      const bool in_place = std::is_same_v<std::tuple_element_t<0, std::tuple<A...>>, R>;
      for (size_t i = 0; i < n; ++i) stack.push_back(arguments[in_place ? 0 : sizeof...(A) - n + i]);
      return written([&] {
        for (size_t i = 0; i < n; ++i) put(stack[stack.size() - n + i].toTensor());
      });
    } else {
      push(stack, result);
      return written([&] { put(result); });
    }
  }
  template <class T>
  static void push(Stack& stack, const T& value) { stack.emplace_back(value); }
  template <class... Ts>
  static void push(Stack& stack, const std::tuple<Ts...>& values) {
    std::apply([&](const auto&... one) { (stack.emplace_back(one), ...); }, values);
  }

  typename Api::OperatorHandle f() { return Api::Dispatcher::singleton().findSchemaOrThrow("random_boxing::f", ""); }

  template <class R, class... A>
  std::string call_unboxed(std::tuple<owned_t<A>...>& arguments) {
    const auto op = f().template typed<R(A...)>();
    return std::apply(
        [&](auto&... one) -> std::string {
          if constexpr (std::is_void_v<R>) {
            op.call(one...);
            return "";
          } else {
            R result = op.call(one...);
            return written([&] { put_result(result); });
          }
        },
        arguments);
  }
  template <class R, class Arguments>
  std::string call_boxed(const Arguments& arguments) {
    Stack stack;
    std::apply([&](const auto&... one) { (stack.emplace_back(one), ...); }, arguments);
    f().callBoxed(&stack);
    return written([&] { put_results(stack, static_cast<std::remove_reference_t<R>*>(nullptr)); });
  }
  void put_results(const Stack&, void*) {}
  template <class T>
  void put_results(const Stack& stack, T*) { put_argument<T>(stack.at(0)); }
  template <class... Ts>
  void put_results(const Stack& stack, std::tuple<Ts...>*) {
    size_t i = 0;
    (put_argument<Ts>(stack.at(i++)), ...);
  }

  Dice dice_;
  std::vector<Tensor> pool_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::string text_;
  std::vector<Crossing> crossings_;
};

}  // namespace gb::tests::boxing
