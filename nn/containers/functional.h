// Functional: a function as a module, so that it can stand in a Sequential: Functional(softmax, -1). Further arguments
// are bound behind the input. Source: torch/nn/modules/container/functional.h.
#pragma once

#include <functional>

#include "nn/cloneable.h"

namespace gb::nn {

class FunctionalImpl : public Cloneable<FunctionalImpl> {
 public:
  using Function = std::function<Tensor(Tensor)>;

  explicit FunctionalImpl(Function function) : function_(std::move(function)) {}
  template <class F, class... Bound>
    requires(sizeof...(Bound) > 0)
  explicit FunctionalImpl(F function, Bound... bound)
      : function_([=](Tensor input) { return function(std::move(input), bound...); }) {}

  Tensor forward(Tensor input) const { return function_(std::move(input)); }

  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

 private:
  Function function_;
};
GB_MODULE(Functional);

}  // namespace gb::nn
