// item and _local_scalar_dense: the one element of a tensor as a C++ number. From a device it is copied,
// which waits for all work before it.
#include <fmt/format.h>

#include "core/device_hooks.h"
#include "core/error.h"
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/operator.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

using ItemOp = TypedOperatorHandle<Scalar(const Tensor&)>;

Scalar read_scalar(ScalarType dtype, const void* data) {
  switch (dtype) {
    case kFloat:
      return *static_cast<const float*>(data);
    case kDouble:
      return *static_cast<const double*>(data);
    case kHalf:
      return *static_cast<const Half*>(data);
    case kBFloat16:
      return *static_cast<const BFloat16*>(data);
    case kInt:
      return *static_cast<const int32_t*>(data);
    case kBool:
      return *static_cast<const bool*>(data);
    default:
      return *static_cast<const int64_t*>(data);
  }
}

Scalar item_kernel(const Tensor& self) {
  check_defined(self, "item", "self");
  GB_CHECK_OR_THROW(
      self.numel() == 1, Error,
      .what = fmt::format("item: a Tensor with {} elements cannot be converted to Scalar", self.numel()),
      .cause = fmt::format("its shape is {}", to_string(self.sizes())),
      .repair = "reduce it first, for example with sum() or mean()", .chapter = chapters::kTensors);
  static const ItemOp op = find_operator<ItemOp>("aten::_local_scalar_dense", "");
  return op.call(self);
}

Scalar local_scalar_dense_cpu(const Tensor& self) {
  return read_scalar(self.scalar_type(), self.const_data_ptr());
}

Scalar local_scalar_dense_device(const Tensor& self) {
  alignas(8) char element[8];
  device_hooks(self.device().type())
      ->copy(element, Device(kCPU), self.const_data_ptr(), self.device(), elementSize(self.scalar_type()));
  return read_scalar(self.scalar_type(), element);
}

Scalar local_scalar_dense_meta(const Tensor&) {
  GB_THROW(NotImplementedError, .what = "item: a meta tensor has no data",
           .cause = "it has a shape and a dtype only", .repair = "make the tensor on a device with memory",
           .chapter = chapters::kTensors);
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("item(Tensor self) -> Scalar", GB_FN(item_kernel));
  m.def("_local_scalar_dense(Tensor self) -> Scalar");
}
GB_LIBRARY_IMPL(aten, CPU, m) { m.impl("_local_scalar_dense", GB_FN(local_scalar_dense_cpu)); }
GB_LIBRARY_IMPL(aten, CUDA, m) { m.impl("_local_scalar_dense", GB_FN(local_scalar_dense_device)); }
GB_LIBRARY_IMPL(aten, Meta, m) { m.impl("_local_scalar_dense", GB_FN(local_scalar_dense_meta)); }
// A C++ number carries no gradient: nothing to record.
GB_LIBRARY_IMPL(aten, Autograd, m) { m.impl("_local_scalar_dense", CppFunction::makeFallthrough()); }

Scalar Tensor::item() const {
  static const ItemOp op = find_operator<ItemOp>("aten::item", "");
  return op.call(*this);
}

}  // namespace gb
