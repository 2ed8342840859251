#include "autograd/variable.h"

#include <algorithm>

namespace gb::autograd {

Variable make_variable(Tensor data, bool requires_grad, bool) {
  if (!data.defined()) return data;
  if (data.use_count() == 1 && data.unsafeGetTensorImpl()->version_counter().unique()) {
    data.unsafeGetTensorImpl()->set_autograd_meta(nullptr);
  } else {
    data = data.variable_data();
  }
  if (requires_grad) data.requires_grad_();
  return data;
}

Variable make_variable(const Tensor& data, Edge gradient_edge, bool) {
  if (!data.defined()) return data;
  Variable variable = data.variable_data();
  impl::set_gradient_edge(variable, std::move(gradient_edge));
  return variable;
}

void create_gradient_edge(Variable& variable, std::shared_ptr<Node> function) {
  const uint32_t nr = function->add_input_metadata(variable);
  impl::set_gradient_edge(variable, Edge(std::move(function), nr));
}

bool any_variable_requires_grad(const variable_list& variables) {
  return std::any_of(variables.begin(), variables.end(), [](const Variable& v) { return v.requires_grad(); });
}

}  // namespace gb::autograd
