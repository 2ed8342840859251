// The gradients of copy_, clone, _to_copy, fill_ and zero_.
//
//   clone, _to_copy      the gradient passes through; the engine converts it back to the input's dtype
//   copy_(self, src)     self's old value is gone: zero for it, all of the gradient for src
//   fill_, zero_         zero; where the value is a tensor, it gets the sum
#include "autograd/operators.h"
#include "ops/common/derivative.h"
#include "ops/copy/copy.h"

namespace gb::autograd {
namespace {

struct CloneBackward0 final : Node {
  variable_list apply(variable_list&& grads) override { return {grads[0]}; }
  std::string name() const override { return "CloneBackward0"; }
};

struct ToCopyBackward0 final : Node {
  variable_list apply(variable_list&& grads) override {
    if (!grads[0].defined()) return {Tensor()};
    return {grads[0].to(device_, dtype_)};
  }
  std::string name() const override { return "ToCopyBackward0"; }

  Device device_{kCPU};
  ScalarType dtype_ = kFloat;
};

struct CopyBackwards final : Node {
  variable_list apply(variable_list&& grads) override {
    variable_list inputs(2);
    if (!grads[0].defined()) return inputs;
    if (task_should_compute_output(0)) inputs[0] = ops::zeros_like(grads[0]);
    if (task_should_compute_output(1)) inputs[1] = grads[0].to(device_, dtype_);
    return inputs;
  }
  std::string name() const override { return "CopyBackwards"; }

  Device device_{kCPU};  // of src
  ScalarType dtype_ = kFloat;
};

struct ConstantBackward : Node {
  variable_list apply(variable_list&& grads) override {
    return {grads[0].defined() ? ops::zeros_like(grads[0]) : Tensor()};
  }
};
struct FillBackward2 final : ConstantBackward {  // the number is PyTorch's: fill_.Scalar is its third formula
  std::string name() const override { return "FillBackward2"; }
};
struct ZeroBackward0 final : ConstantBackward {
  std::string name() const override { return "ZeroBackward0"; }
};

struct FillBackward3 final : FormulaNode<FillBackward3> {
  Tensor d_self(const Tensor& grad) { return ops::zeros_like(grad); }
  Tensor d_value(const Tensor& grad) { return grad.sum(); }
  static auto gradients() { return std::tuple{&FillBackward3::d_self, &FillBackward3::d_value}; }
  static auto fields() { return std::tuple{}; }
  void save(const Tensor&, const Tensor&) {}
};

Tensor clone_autograd(DispatchKeySet ks, const Tensor& self, std::optional<MemoryFormat> format) {
  return record(make_node<CloneBackward0>(self),
                [&] { return clone_op().redispatch(ks & after_autograd_keyset, self, format); });
}

Tensor to_copy_autograd(DispatchKeySet ks, const Tensor& self, std::optional<ScalarType> dtype,
                        std::optional<Layout> layout, std::optional<Device> device,
                        std::optional<bool> pin_memory, bool non_blocking,
                        std::optional<MemoryFormat> format) {
  auto grad_fn = make_node<ToCopyBackward0>(self);
  if (grad_fn) {
    grad_fn->device_ = self.device();
    grad_fn->dtype_ = self.scalar_type();
  }
  return record(grad_fn, [&] {
    return _to_copy_op().redispatch(ks & after_autograd_keyset, self, dtype, layout, device, pin_memory,
                                    non_blocking, format);
  });
}

Tensor& copy__autograd(DispatchKeySet ks, Tensor& self, const Tensor& src, bool non_blocking) {
  const bool differentiable = isFloatingType(self.scalar_type());
  check_inplace(self, "copy_", differentiable && compute_requires_grad(self, src));
  auto grad_fn = differentiable ? make_node<CopyBackwards>(self, src) : nullptr;
  if (grad_fn) {
    grad_fn->device_ = src.device();
    grad_fn->dtype_ = src.scalar_type();
  }
  return record_inplace(self, grad_fn,
                        [&] { copy__op().redispatch(ks & after_autograd_keyset, self, src, non_blocking); });
}

Tensor& fill__autograd(DispatchKeySet ks, Tensor& self, const Scalar& value) {
  check_inplace(self, "fill_");
  return record_inplace(self, make_node<FillBackward2>(self),
                        [&] { fill__op().redispatch(ks & after_autograd_keyset, self, value); });
}

Tensor& zero__autograd(DispatchKeySet ks, Tensor& self) {
  check_inplace(self, "zero_");
  return record_inplace(self, make_node<ZeroBackward0>(self),
                        [&] { zero__op().redispatch(ks & after_autograd_keyset, self); });
}

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("clone", GB_FN(clone_autograd));
  m.impl("_to_copy", GB_FN(to_copy_autograd));
  m.impl("copy_", GB_FN(copy__autograd));
  m.impl("fill_.Scalar", GB_FN(fill__autograd));
  m.impl("fill_.Tensor", recorded_inplace<FillBackward3, &fill_tensor__op>);
  m.impl("zero_", GB_FN(zero__autograd));
}

GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("copy_", bumps_version<&copy__op>);
  m.impl("fill_.Scalar", bumps_version<&fill__op>);
  m.impl("fill_.Tensor", bumps_version<&fill_tensor__op>);
  m.impl("zero_", bumps_version<&zero__op>);
}

}  // namespace gb::autograd
