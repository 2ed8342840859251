// Schemas and entry points.
#include "ops/activations/activations.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("tanh(Tensor self) -> Tensor");
  m.def("tanh_(Tensor(a!) self) -> Tensor(a!)");
  m.def("sigmoid(Tensor self) -> Tensor");
  m.def("sigmoid_(Tensor(a!) self) -> Tensor(a!)");
  m.def("relu(Tensor self) -> Tensor");
  m.def("relu_(Tensor(a!) self) -> Tensor(a!)");
  m.def("gelu(Tensor self, *, str approximate='none') -> Tensor");
  m.def("gelu_(Tensor(a!) self, *, str approximate='none') -> Tensor(a!)");
  m.def("tanh_backward(Tensor grad_output, Tensor output) -> Tensor");
  m.def("sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor");
  m.def("threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor");
  m.def("gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor");
}

Tensor tanh(const Tensor& self) { GB_RETURN_CALL(tanh_op(), self); }
Tensor& tanh_(Tensor& self) { GB_RETURN_CALL(tanh__op(), self); }
Tensor Tensor::tanh() const { GB_RETURN_CALL(tanh_op(), *this); }
Tensor& Tensor::tanh_() const { GB_RETURN_CALL(tanh__op(), const_cast<Tensor&>(*this)); }

Tensor sigmoid(const Tensor& self) { GB_RETURN_CALL(sigmoid_op(), self); }
Tensor& sigmoid_(Tensor& self) { GB_RETURN_CALL(sigmoid__op(), self); }
Tensor Tensor::sigmoid() const { GB_RETURN_CALL(sigmoid_op(), *this); }
Tensor& Tensor::sigmoid_() const { GB_RETURN_CALL(sigmoid__op(), const_cast<Tensor&>(*this)); }

Tensor relu(const Tensor& self) { GB_RETURN_CALL(relu_op(), self); }
Tensor& relu_(Tensor& self) { GB_RETURN_CALL(relu__op(), self); }
Tensor Tensor::relu() const { GB_RETURN_CALL(relu_op(), *this); }
Tensor& Tensor::relu_() const { GB_RETURN_CALL(relu__op(), const_cast<Tensor&>(*this)); }

Tensor gelu(const Tensor& self, std::string_view approximate) {
  GB_RETURN_CALL(gelu_op(), self, approximate);
}
Tensor& gelu_(Tensor& self, std::string_view approximate) { GB_RETURN_CALL(gelu__op(), self, approximate); }

Tensor tanh_backward(const Tensor& grad_output, const Tensor& output) {
  GB_RETURN_CALL(tanh_backward_op(), grad_output, output);
}
Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output) {
  GB_RETURN_CALL(sigmoid_backward_op(), grad_output, output);
}
Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, const Scalar& threshold) {
  GB_RETURN_CALL(threshold_backward_op(), grad_output, self, threshold);
}
Tensor gelu_backward(const Tensor& grad_output, const Tensor& self, std::string_view approximate) {
  GB_RETURN_CALL(gelu_backward_op(), grad_output, self, approximate);
}

}  // namespace gb
