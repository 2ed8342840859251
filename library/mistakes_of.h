// Twelve classic mistakes in a backward, each as a Function of the library given by its Api, with the same function written
// with operators alone beside it. gradcheck and gradgradcheck have to accept the one and to catch the other.
#pragma once

#include <functional>
#include <vector>

namespace gb::tests {

enum class CaughtBy { kGradcheck, kGradgradcheck };

template <class Api>
struct MistakeOf {
  using Tensor = typename Api::Tensor;
  using F = std::function<std::vector<Tensor>(const std::vector<Tensor>&)>;
  const char* name;
  F right, wrong;
  std::vector<std::vector<int64_t>> inputs;  // sizes
  CaughtBy caught_by = CaughtBy::kGradcheck;
  const char* words = "Jacobian mismatch";  // of glassbox's message
};

template <class Api>
class MistakesOf {
  using Tensor = typename Api::Tensor;
  using List = typename Api::variable_list;
  using Context = typename Api::AutogradContext;
  template <class T>
  using Function = typename Api::template Function<T>;
  using Mistake = MistakeOf<Api>;
  using X = const std::vector<Tensor>&;

  struct ForgottenGrad : Function<ForgottenGrad> {
    static Tensor forward(Context* ctx, Tensor x) { return ctx->save_for_backward({x}), x * x; }
    static List backward(Context* ctx, List) { return {ctx->get_saved_variables()[0] * 2}; }
  };
  struct WrongSign : Function<WrongSign> {
    static Tensor forward(Context* ctx, Tensor x) { return ctx->save_for_backward({x}), x.cos(); }
    static List backward(Context* ctx, List g) { return {g[0] * ctx->get_saved_variables()[0].sin()}; }
  };
  struct WrongPower : Function<WrongPower> {
    static Tensor forward(Context* ctx, Tensor x) { return ctx->save_for_backward({x}), x * x * x; }
    static List backward(Context* ctx, List g) { return {g[0] * ctx->get_saved_variables()[0] * 3}; }
  };
  struct NotTransposed : Function<NotTransposed> {
    static Tensor forward(Context* ctx, Tensor a, Tensor b) { return ctx->save_for_backward({a, b}), a.mm(b); }
    static List backward(Context* ctx, List g) {
      const List saved = ctx->get_saved_variables();
      return {g[0].mm(saved[1]), saved[0].t().mm(g[0])};
    }
  };
  struct MeanForSum : Function<MeanForSum> {
    static Tensor forward(Context* ctx, Tensor x) { return ctx->save_for_backward({x}), x.sum(); }
    static List backward(Context* ctx, List g) {
      const Tensor x = ctx->get_saved_variables()[0];
      return {g[0].expand_as(x) * (1.0 / static_cast<double>(x.numel()))};
    }
  };
  struct OneUseForgotten : Function<OneUseForgotten> {
    static Tensor forward(Context* ctx, Tensor x) { return ctx->save_for_backward({x}), x * x.sin(); }
    static List backward(Context* ctx, List g) { return {g[0] * ctx->get_saved_variables()[0].sin()}; }
  };
  struct DrawsAnew : Function<DrawsAnew> {
    static Tensor forward(Context*, Tensor x) { return x * 2; }
    static List backward(Context*, List g) {
      static int draws = 0;
      return {g[0] * (1 + 0.25 * (draws++ % 5))};
    }
  };
  struct SoftmaxByElement : Function<SoftmaxByElement> {
    static Tensor forward(Context* ctx, Tensor x) {
      const Tensor y = x.softmax(0);
      return ctx->save_for_backward({y}), y;
    }
    static List backward(Context* ctx, List g) {
      const Tensor y = ctx->get_saved_variables()[0];
      return {g[0] * y * (y * -1 + 1)};
    }
  };
  struct NeedsGradient : Function<NeedsGradient> {
    static Tensor forward(Context* ctx, Tensor x) { return ctx->set_materialize_grads(false), x * 2; }
    static List backward(Context*, List g) { return {g[0] * 2}; }
  };
  struct KeptAsConstant : Function<KeptAsConstant> {
    static Tensor forward(Context* ctx, Tensor x) {
      const Tensor y = x.exp();
      ctx->saved_data["y"] = y.clone();
      return y;
    }
    static List backward(Context* ctx, List g) { return {g[0] * ctx->saved_data["y"].toTensor()}; }
  };
  struct WritesToItsOwn : Function<WritesToItsOwn> {
    static Tensor forward(Context* ctx, Tensor x) {
      ctx->saved_data["twice"] = x * 2;
      return x * x;
    }
    static List backward(Context* ctx, List g) { return {ctx->saved_data["twice"].toTensor().mul_(g[0])}; }
  };
  struct Swapped : Function<Swapped> {
    static Tensor forward(Context* ctx, Tensor a, Tensor b) { return ctx->save_for_backward({a, b}), a * b; }
    static List backward(Context* ctx, List g) {
      const List saved = ctx->get_saved_variables();
      return {g[0] * saved[0], g[0] * saved[1]};
    }
  };

  template <class T>
  static std::vector<Tensor> of_one(X x) {
    return {T::apply(x[0])};
  }
  template <class T>
  static std::vector<Tensor> of_two(X x) {
    return {T::apply(x[0], x[1])};
  }

 public:
  static std::vector<Mistake> all() {
    const auto square = [](X x) { return std::vector<Tensor>{x[0] * x[0]}; };
    const auto twice = [](X x) { return std::vector<Tensor>{x[0] * 2}; };
    const char* const kNotReentrant = "Backward is not reentrant";
    return {
        {"the gradient that arrives is not multiplied in", square, of_one<ForgottenGrad>, {{3}}},
        {"a wrong sign", [](X x) { return std::vector<Tensor>{x[0].cos()}; }, of_one<WrongSign>, {{2, 3}}},
        {"a wrong power", [](X x) { return std::vector<Tensor>{x[0] * x[0] * x[0]}; }, of_one<WrongPower>, {{3}}},
        {"a matrix that is not transposed", [](X x) { return std::vector<Tensor>{x[0].mm(x[1])}; },
         of_two<NotTransposed>, {{3, 3}, {3, 3}}},
        {"the gradient of a mean for that of a sum", [](X x) { return std::vector<Tensor>{x[0].sum()}; },
         of_one<MeanForSum>, {{2, 2}}},
        {"one of two uses is forgotten", [](X x) { return std::vector<Tensor>{x[0] * x[0].sin()}; },
         of_one<OneUseForgotten>, {{3}}},
        {"backward draws a mask of its own", twice, of_one<DrawsAnew>, {{3}}, CaughtBy::kGradcheck, kNotReentrant},
        {"softmax as if every element stood alone", [](X x) { return std::vector<Tensor>{x[0].softmax(0)}; },
         of_one<SoftmaxByElement>, {{4}}},
        {"no gradient arrives, and is used", twice, of_one<NeedsGradient>, {{2}}, CaughtBy::kGradcheck,
         "Expected backward function to handle undefined output grads"},
        {"an intermediate result is kept as a constant", [](X x) { return std::vector<Tensor>{x[0].exp()}; },
         of_one<KeptAsConstant>, {{3}}, CaughtBy::kGradgradcheck},
        {"backward writes to what forward kept", square, of_one<WritesToItsOwn>, {{3}}, CaughtBy::kGradcheck,
         kNotReentrant},
        {"the gradients of two inputs are swapped", [](X x) { return std::vector<Tensor>{x[0] * x[1]}; },
         of_two<Swapped>, {{2}, {2}}},
    };
  }
};

}  // namespace gb::tests
