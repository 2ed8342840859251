// FormulaNode: a formula is a node. It says what it saves and, for each differentiable input, what its
// gradient is:
//
//   struct MulBackward0 final : FormulaNode<MulBackward0> {
//     Tensor d_self(const Tensor& grad) { return grad.mul(unpack(other_)); }
//     Tensor d_other(const Tensor& grad) { return grad.mul(unpack(self_)); }
//     static auto gradients() { return std::tuple{&MulBackward0::d_self, &MulBackward0::d_other}; }
//     static auto fields() {
//       return std::tuple{field("other", &MulBackward0::other_), field("self", &MulBackward0::self_)};
//     }
//     bool needs_self() const { return should_compute_output(1); }
//     void save(const Tensor& self, const Tensor& other) {  // the operator's arguments, all of them
//       if (should_compute_output(0)) other_ = saved_input(other);
//       if (needs_self()) self_ = saved_input(self);
//     }
//     SavedVariable self_, other_;
//   };
//
// The kernels around it are made from the operator's signature: recorded.h. A node that saves one thing
// shrinks to its mathematics: SavesSelf, SavesResult, SavesSizes, SavesNothing below.
//
// Rules. No incoming gradient: no outgoing ones. The engine undoes broadcasting and promotion
// (validate_outputs), so a formula never sums. A formula calls recorded operators only, never writes in place
// and never detaches: so it is differentiable again. What PyTorch computes by an inner operator
// (tanh_backward) is that operator here too, since graphs are compared by names. Several differentiable
// outputs: derive from FieldsNode and write apply() by hand.
#pragma once

#include <functional>
#include <type_traits>

#include "ops/common/fields.h"
#include "ops/common/recorded.h"

namespace gb::autograd {

template <class Derived>
struct FormulaNode : FieldsNode<Derived> {
  variable_list apply(variable_list&& grads) override {
    variable_list inputs(this->num_outputs());
    if (!grads[0].defined()) return inputs;
    const auto give_all = [&](auto... gradients) {
      const size_t list_size = inputs.size() + 1 - sizeof...(gradients);  // at most one of them is of a list
      size_t edge = 0;
      (give(inputs, edge, list_size, gradients, grads[0]), ...);
    };
    std::apply(give_all, Derived::gradients());
    return inputs;
  }

 private:
  template <class Gradient>
  void give(variable_list& inputs, size_t& edge, size_t list_size, Gradient gradient, const Tensor& grad) {
    Derived& self = static_cast<Derived&>(*this);
    if constexpr (std::is_same_v<std::invoke_result_t<Gradient, Derived&, const Tensor&>, Tensor>) {
      if (this->task_should_compute_output(edge)) inputs[edge] = std::invoke(gradient, self, grad);
      ++edge;
    } else {
      bool wanted = false;
      for (size_t i = 0; i < list_size; ++i) wanted |= this->task_should_compute_output(edge + i);
      if (wanted) {
        variable_list given = std::invoke(gradient, self, grad);
        for (size_t i = 0; i < list_size; ++i) inputs[edge + i] = std::move(given[i]);
      }
      edge += list_size;
    }
  }
};

// One differentiable input, "self"; the derived node has d_self(grad) and no more.
template <class Derived>
struct SavesNothing : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  static auto fields() { return std::tuple{}; }
  template <class... Arguments>
  void save(const Arguments&...) {}
};

template <class Derived>
struct SavesSelf : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  static auto fields() { return std::tuple{field("self", &SavesSelf::self_)}; }
  bool needs_self() const { return true; }
  template <class... Arguments>
  void save(const Tensor& self, const Arguments&...) {
    self_ = this->saved_input(self);
  }
  Tensor self() { return this->unpack(self_); }
  SavedVariable self_;
};

template <class Derived>
struct SavesResult : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  static auto fields() { return std::tuple{field("result", &SavesResult::result_)}; }
  template <class... Arguments>
  void save(const Arguments&...) {}
  void save_result(const Tensor& result) { result_ = this->saved_result(result); }
  Tensor result() { return this->unpack(result_); }
  SavedVariable result_;
};

// Of most views.
template <class Derived>
struct SavesSizes : FormulaNode<Derived> {
  static auto gradients() { return std::tuple{&Derived::d_self}; }
  static auto fields() { return std::tuple{field("self_sizes", &SavesSizes::self_sizes_)}; }
  template <class... Arguments>
  void save(const Tensor& self, const Arguments&...) {
    self_sizes_ = self.sizes().vec();
  }
  std::vector<int64_t> self_sizes_;
};

}  // namespace gb::autograd
