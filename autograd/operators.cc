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

Tensor sum(const Tensor& self) {
  static const auto op = find<Tensor(const Tensor&, std::optional<ScalarType>)>("aten::sum", "");
  return op.call(self, std::nullopt);
}

Tensor view(const Tensor& self, IntArrayRef sizes) {
  static const auto op = find<Tensor(const Tensor&, IntArrayRef)>("aten::view", "");
  return op.call(self, sizes);
}

Tensor clone(const Tensor& self) {
  static const auto op = find<Tensor(const Tensor&, std::optional<MemoryFormat>)>("aten::clone", "");
  return op.call(self, MemoryFormat::Contiguous);
}

void copy_(const Tensor& self, const Tensor& src) {
  static const auto op = find<Tensor&(Tensor&, const Tensor&, bool)>("aten::copy_", "");
  op.call(const_cast<Tensor&>(self), src, false);
}

void zero_(const Tensor& self) {
  static const auto op = find<Tensor&(Tensor&)>("aten::zero_", "");
  op.call(const_cast<Tensor&>(self));
}

bool has_nan(const Tensor& self) {
  static const auto ne = find<Tensor(const Tensor&, const Tensor&)>("aten::ne", "Tensor");
  return sum(ne.call(self, self)).item().to<int64_t>() != 0;
}

Tensor as_strided(const Tensor& self, IntArrayRef sizes, IntArrayRef strides, int64_t storage_offset) {
  static const auto op =
      find<Tensor(const Tensor&, IntArrayRef, IntArrayRef, std::optional<int64_t>)>("aten::as_strided", "");
  return op.call(self, sizes, strides, storage_offset);
}

Tensor empty_strided(IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  static const auto op =
      find<Tensor(IntArrayRef, IntArrayRef, std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>,
                  std::optional<bool>)>("aten::empty_strided", "");
  return op.call(sizes, strides, options.dtype_opt(), std::nullopt, options.device_opt(), std::nullopt);
}

Tensor clone_as(const Tensor& self, IntArrayRef strides) {
  Tensor result = empty_strided(self.sizes(), strides, self.options());
  copy_(result, self);
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
