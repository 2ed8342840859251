#include "autograd/operators.h"

#include "dispatcher/dispatcher.h"

namespace gb::autograd::ops {
namespace {

template <class F>
TypedOperatorHandle<F> find(const char* name, const char* overload) {
  return Dispatcher::singleton().findSchemaOrThrow(name, overload).typed<F>();
}

using Like = Tensor(const Tensor&, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>,
                    std::optional<bool>, std::optional<MemoryFormat>);

}  // namespace

Tensor add(const Tensor& self, const Tensor& other) {
  static const auto op = find<Tensor(const Tensor&, const Tensor&, const Scalar&)>("aten::add", "Tensor");
  return op.call(self, other, 1);
}

void add_(const Tensor& self, const Tensor& other) {
  static const auto op = find<Tensor&(Tensor&, const Tensor&, const Scalar&)>("aten::add_", "Tensor");
  op.call(const_cast<Tensor&>(self), other, 1);
}

Tensor sum(const Tensor& self, IntArrayRef dims) {
  static const auto op = find<Tensor(const Tensor&, OptionalIntArrayRef, bool, std::optional<ScalarType>)>(
      "aten::sum", "dim_IntList");
  return op.call(self, dims, /*keepdim=*/true, std::nullopt);
}

Tensor view(const Tensor& self, IntArrayRef sizes) {
  static const auto op = find<Tensor(const Tensor&, IntArrayRef)>("aten::view", "");
  return op.call(self, sizes);
}

Tensor clone(const Tensor& self) {
  static const auto op = find<Tensor(const Tensor&, std::optional<MemoryFormat>)>("aten::clone", "");
  return op.call(self, MemoryFormat::Contiguous);
}

Tensor clone_as(const Tensor& self, IntArrayRef strides) {
  static const auto empty_strided =
      find<Tensor(IntArrayRef, IntArrayRef, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>,
                  std::optional<bool>)>("aten::empty_strided", "");
  static const auto copy_ = find<Tensor&(Tensor&, const Tensor&, bool)>("aten::copy_", "");
  Tensor result = empty_strided.call(self.sizes(), strides, self.scalar_type(), std::nullopt, self.device(), std::nullopt);
  copy_.call(result, self, false);
  return result;
}

Tensor zeros(IntArrayRef sizes, const TensorOptions& options) {
  static const auto op = find<Tensor(IntArrayRef, std::optional<ScalarType>, std::optional<Layout>,
                                     std::optional<Device>, std::optional<bool>)>("aten::zeros", "");
  return op.call(sizes, options.dtype_opt(), options.layout_opt(), options.device_opt(), std::nullopt);
}

Tensor zeros_like(const Tensor& self) {
  static const auto op = find<Like>("aten::zeros_like", "");
  return op.call(self, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

Tensor ones_like(const Tensor& self) {
  static const auto op = find<Like>("aten::ones_like", "");
  return op.call(self, std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt);
}

Tensor to_dtype(const Tensor& self, ScalarType dtype) {
  static const auto op =
      find<Tensor(const Tensor&, ScalarType, bool, bool, std::optional<MemoryFormat>)>("aten::to", "dtype");
  return op.call(self, dtype, false, false, std::nullopt);
}

}  // namespace gb::autograd::ops
