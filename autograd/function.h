// Function<T>: an operation with a gradient of the user's own, without the dispatcher.
//
//   struct Square : autograd::Function<Square> {
//     static Tensor forward(AutogradContext* ctx, Tensor x) {
//       ctx->save_for_backward({x});
//       return x * x;
//     }
//     static variable_list backward(AutogradContext* ctx, variable_list grads) {
//       return {grads[0] * 2 * ctx->get_saved_variables()[0]};
//     }
//   };
//   Tensor y = Square::apply(x);
//
// Rules: forward runs with grad mode off. backward returns one gradient per argument of forward: undefined
// for those that are not tensors; surplus undefined ones are dropped. An input that is returned as it is
// becomes a view of itself with a history; an input written in place must be marked dirty, and returned.
// backward may run another backward. Names follow torch/csrc/autograd/custom_function.h.
#pragma once

#include <mutex>
#include <optional>
#include <type_traits>

#include "autograd/formula.h"
#include "autograd/function_context.h"

namespace gb::autograd {

// The part of a Function's node that does not depend on T.
struct FunctionNode : Node {
  variable_list apply(variable_list&& grads) override;
  void release_variables() override;
  std::vector<SavedField> saved() const override;

  AutogradContext ctx;

 protected:
  virtual variable_list run_backward(variable_list&& grads) = 0;

 private:
  template <class T>
  friend struct Function;

  // Before forward: takes the edges, if anything is to be recorded.
  void begin(const std::shared_ptr<FunctionNode>& self, const variable_list& inputs);
  // After forward: gives the outputs their history, and saves what forward asked to save.
  void finish(const std::shared_ptr<FunctionNode>& self, const variable_list& inputs, variable_list& outputs);
  Tensor with_history(const std::shared_ptr<FunctionNode>& self, const Tensor& output, bool is_input,
                      bool seen);

  std::vector<bool> is_variable_;  // per forward argument (per element of a list)
  std::mutex mutex_;               // two threads may run backward through one node
  bool recording_ = false;
};

template <class T>
struct CppNode final : FunctionNode {
  variable_list run_backward(variable_list&& grads) override { return T::backward(&ctx, std::move(grads)); }
};

template <class T>
struct Function {
  // T, or a class derived from it with the same statics.
  template <class X = T, class... Args>
  static auto apply(Args&&... args) {
    auto node = std::make_shared<CppNode<X>>();
    variable_list inputs;
    (note(*node, inputs, args), ...);
    node->begin(node, inputs);

    using Result = std::remove_cvref_t<decltype(X::forward(&node->ctx, std::forward<Args>(args)...))>;
    static_assert(std::is_same_v<Result, Tensor> || std::is_same_v<Result, variable_list>,
                  "forward returns a Tensor or a variable_list");
    variable_list outputs;
    {
      const AutoGradMode no_grad(false);
      if constexpr (std::is_same_v<Result, Tensor>) {
        outputs.push_back(X::forward(&node->ctx, std::forward<Args>(args)...));
      } else {
        outputs = X::forward(&node->ctx, std::forward<Args>(args)...);
      }
    }
    node->finish(node, inputs, outputs);
    if constexpr (std::is_same_v<Result, Tensor>) {
      return outputs[0];
    } else {
      return outputs;
    }
  }

 private:
  template <class Arg>
  static void note(FunctionNode& node, variable_list& inputs, const Arg& arg) {
    if constexpr (std::is_same_v<Arg, Tensor>) {
      inputs.push_back(arg);
      node.is_variable_.push_back(true);
    } else if constexpr (std::is_same_v<Arg, std::optional<Tensor>>) {
      inputs.push_back(arg.value_or(Tensor()));
      node.is_variable_.push_back(true);
    } else if constexpr (std::is_convertible_v<const Arg&, TensorList>) {
      for (const Tensor& t : TensorList(arg)) note(node, inputs, t);
    } else {
      node.is_variable_.push_back(false);
    }
  }
};

}  // namespace gb::autograd
