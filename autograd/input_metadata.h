// InputMetadata: what a node knows of one output of its forward call, so that a gradient for it can be
// checked: sizes, dtype, device. (An output of the forward call is an input of the node.)
//
// Names follow torch/csrc/autograd/input_metadata.h.
#pragma once

#include "core/sizes_and_strides.h"
#include "core/tensor.h"

namespace gb::autograd {

class InputMetadata {
 public:
  InputMetadata() = default;  // of an output that has no gradient: nothing is checked
  explicit InputMetadata(const Tensor& t)
      : geometry_(t.unsafeGetTensorImpl()->geometry()),
        dtype_(t.dtype()),
        device_(t.device()),
        defined_(true) {}

  bool is_defined() const { return defined_; }
  IntArrayRef sizes() const { return geometry_.sizes_arrayref(); }
  TypeMeta dtype() const { return dtype_; }
  Device device() const { return device_; }
  TensorOptions options() const { return TensorOptions(dtype_).device(device_); }

  bool is_same_shape(const Tensor& grad) const { return grad.sizes() == sizes(); }
  bool is_expandable_to_shape(
      const Tensor& grad) const;                 // could these sizes have been broadcast to the gradient's?
  Tensor reduce_grad(const Tensor& grad) const;  // undoes that broadcast by a sum
  Tensor zeros_like() const;

 private:
  gb::impl::SizesAndStrides geometry_;
  TypeMeta dtype_;
  Device device_{kCPU};
  bool defined_ = false;
};

}  // namespace gb::autograd
