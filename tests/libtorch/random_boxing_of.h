// CrossingsOf<Api>: the crossings of one library. As random_dispatch_player_of.h, one source for both.
#pragma once

#include "tests/libtorch/random_boxing.h"
#include "tests/libtorch/random_boxing_values.h"

namespace gb::tests::boxing {

template <class Api>
class CrossingsOf final : RandomValues<Api> {
  using Base = RandomValues<Api>;
  using typename Base::DoubleArrayRef;
  using typename Base::IntArrayRef;
  using typename Base::IValue;
  using typename Base::Scalar;
  using typename Base::Tensor;
  using typename Base::TensorList;
  template <class T>
  using List = typename Api::template List<T>;
  using OptionalTensors = List<std::optional<Tensor>>;
  template <class T>
  using Optional = std::optional<T>;
  template <class T>
  using owned_t = typename Base::template owned_t<T>;
  template <class T>
  using tag = typename Base::template tag<T>;
  using Stack = typename Api::Stack;
  using Base::make;
  using Base::pool_;
  using Base::put;
  using Base::written;

 public:
  explicit CrossingsOf(uint64_t seed) : Base(seed) {}

  std::vector<Crossing> run() {
    using std::string;
    using Text = std::string_view;
    cross<Tensor(const Tensor&, int64_t, double, bool)>("(Tensor self, int n, float d, bool b) -> Tensor");
    cross<int64_t(Text, const Scalar&, const Scalar&)>("(str text, Scalar a, Scalar b) -> int");
    cross<double(Optional<int64_t>, Optional<double>, Optional<bool>)>(
        "(int? n, float? d, bool? b) -> float");
    cross<bool(const Optional<Tensor>&, const Optional<Scalar>&, Optional<Text>)>(
        "(Tensor? t, Scalar? s, str? text) -> bool");
    cross<string(IntArrayRef, DoubleArrayRef, List<bool>)>(
        "(int[] ints, float[] doubles, bool[] bools) -> str");
    cross<std::vector<Tensor>(TensorList, const OptionalTensors&)>(
        "(Tensor[] all, Tensor?[] some) -> Tensor[]");
    cross<std::vector<int64_t>(int64_t)>("(int n) -> int[]");
    cross<Tensor&(Tensor&, double)>("(Tensor(a!) self, float d) -> Tensor(a!)");
    cross<Tensor&(const Tensor&, int64_t, Tensor&)>("(Tensor self, int n, *, Tensor(a!) out) -> Tensor(a!)");
    cross<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>(
        "(Tensor self, *, Tensor(a!) one, Tensor(b!) two) -> (Tensor(a!), Tensor(b!))");
    cross<std::tuple<Tensor, int64_t, double, bool>(const Tensor&)>(
        "(Tensor self) -> (Tensor, int, float, bool)");
    cross<std::tuple<Scalar, std::vector<Tensor>>(const Tensor&)>("(Tensor self) -> (Scalar, Tensor[])");
    cross<Optional<Tensor>(bool)>("(bool b) -> Tensor?");
    cross<void(const Tensor&, Text)>("(Tensor self, str text) -> ()");
    return std::move(crossings_);
  }

 private:
  // --- one signature
  template <class F>
  void cross(const char* schema) {
    cross_signature(schema, static_cast<F*>(nullptr));
  }

  // A result that refers to arguments is not made but taken: the first (in-place) or the last ones (out=).
  template <class R, class Arguments>
  static R taken(Arguments& arguments) {
    constexpr size_t n = std::tuple_size_v<Arguments>;
    if constexpr (std::is_reference_v<R>) {
      if constexpr (std::is_same_v<std::tuple_element_t<0, Arguments>, R>)
        return std::get<0>(arguments);
      else
        return std::get<n - 1>(arguments);
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
    const std::string sent =
        written([&] { std::apply([this](const auto&... one) { (put(one), ...); }, arguments); });
    for (const bool boxed_kernel : {false, true}) {
      typename Api::Library library(Api::Library::FRAGMENT, "random_boxing", std::nullopt, "boxing", 0);
      library.def((std::string("f") + schema).c_str());
      std::string received, returned;
      if (boxed_kernel) {
        auto run = [&](const typename Api::OperatorHandle&, Stack& stack) {
          received = written([&] { put_stack<A...>(stack, std::index_sequence_for<A...>()); });
          returned = finish_boxed<R, A...>(stack, result);
        };
        library.impl("f",
                     Api::CppFunction::makeFromBoxedFunctor(std::make_unique<Boxed<decltype(run)>>(run)));
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
        crossings_.push_back({.what = std::string(schema) +
                                      (boxed_call ? ", boxed call, " : ", unboxed call, ") +
                                      (boxed_kernel ? "boxed kernel" : "unboxed kernel"),
                              .sent = sent,
                              .received = received,
                              .returned = returned,
                              .arrived = arrived});
      }
    }
  }

  void replace_tensor(Tensor& t, size_t& next) { t = pool_[next++]; }
  template <class T>
  void replace_tensor(T&, size_t&) {}
  template <class T>
  void put_result(const T& value) {
    put(value);
  }
  void put_result(const std::tuple<Tensor&, Tensor&>& two) {
    put(std::get<0>(two));
    put(std::get<1>(two));
  }

  template <class Run>
  struct Boxed : Api::OperatorKernel {
    explicit Boxed(Run r) : run(r) {}
    void operator()(const typename Api::OperatorHandle& op, typename Api::DispatchKeySet, Stack* stack) {
      run(op, *stack);
    }
    Run run;
  };
  template <class... A, size_t... i>
  void put_stack(const Stack& stack, std::index_sequence<i...>) {
    (this->template put_argument<A>(stack[stack.size() - sizeof...(A) + i]), ...);
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
  static void push(Stack& stack, const T& value) {
    stack.emplace_back(value);
  }
  template <class... Ts>
  static void push(Stack& stack, const std::tuple<Ts...>& values) {
    std::apply([&](const auto&... one) { (stack.emplace_back(one), ...); }, values);
  }

  typename Api::OperatorHandle f() {
    return Api::Dispatcher::singleton().findSchemaOrThrow("random_boxing::f", "");
  }

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
  void put_results(const Stack& stack, T*) {
    this->template put_argument<T>(stack.at(0));
  }
  template <class... Ts>
  void put_results(const Stack& stack, std::tuple<Ts...>*) {
    size_t i = 0;
    (this->template put_argument<Ts>(stack.at(i++)), ...);
  }

  std::vector<Crossing> crossings_;
};

}  // namespace gb::tests::boxing
