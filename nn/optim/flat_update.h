// What the fused kernels need: a parameter, its gradient and its state as plain rows of memory in the same order.
#pragma once

#include "core/tensor.h"
#include "nn/ordered_dict.h"

namespace gb::optim {

// `parameter` itself where its memory is one solid block, else a contiguous copy; after the kernel, finish() copies back.
class FlatUpdate {
 public:
  FlatUpdate(const Tensor& parameter, const Tensor& grad);

  // A zero tensor that lies as the parameter does; what `saved` holds, if it is defined.
  Tensor state(const Tensor& saved) const;
  void* parameter() const { return flat_.mutable_data_ptr(); }
  const void* grad() const { return grad_.const_data_ptr(); }
  ScalarType dtype() const { return flat_.scalar_type(); }
  int64_t numel() const { return flat_.numel(); }
  void finish() const;  // counts one in-place write

 private:
  Tensor laid_out(const Tensor& t) const;

  Tensor parameter_, flat_, grad_;
};

// The tensor `name` of a loaded state: of the parameter's shape and dtype, else ValueError. Undefined where `optional`.
Tensor state_tensor(const OrderedDict<std::string, Tensor>& state, const char* name, const Tensor& parameter,
                    bool optional = false);

}  // namespace gb::optim
