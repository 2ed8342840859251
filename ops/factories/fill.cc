// zeros, ones, full, scalar_tensor: empty, then fill_. A new tensor's version is 0, so the fill runs below
// ADInplaceOrView, where versions are counted.
#include "dispatcher/local_dispatch_key_set.h"
#include "ops/factories/backend_select.h"
#include "ops/factories/factories.h"
#include "ops/factories/filled.h"

namespace gb {

Tensor filled(Tensor fresh, const Scalar& value) {
  AutoDispatchBelowADInplaceOrView guard;
  return fresh.fill_(value);
}

TensorOptions to_options(OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin_memory) {
  return TensorOptions().dtype(dtype).layout(layout).device(device).pinned_memory(pin_memory);
}

namespace {

using ZerosOp = TypedOperatorHandle<Tensor(IntArrayRef, OptDtype, OptLayout, OptDevice, OptBool)>;
const ZerosOp& zeros_op() {
  static const ZerosOp op = find_operator<ZerosOp>("aten::zeros", "");
  return op;
}
const ZerosOp& ones_op() {
  static const ZerosOp op = find_operator<ZerosOp>("aten::ones", "");
  return op;
}
using FullOp =
    TypedOperatorHandle<Tensor(IntArrayRef, const Scalar&, OptDtype, OptLayout, OptDevice, OptBool)>;
const FullOp& full_op() {
  static const FullOp op = find_operator<FullOp>("aten::full", "");
  return op;
}
using ScalarTensorOp = TypedOperatorHandle<Tensor(const Scalar&, OptDtype, OptLayout, OptDevice, OptBool)>;
const ScalarTensorOp& scalar_tensor_op() {
  static const ScalarTensorOp op = find_operator<ScalarTensorOp>("aten::scalar_tensor", "");
  return op;
}

Tensor zeros_kernel(IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return filled(empty(size, to_options(dtype, layout, device, pin)), 0);
}
Tensor ones_kernel(IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return filled(empty(size, to_options(dtype, layout, device, pin)), 1);
}
// Without a dtype the number decides: bool, int64 or the default dtype.
Tensor full_kernel(IntArrayRef size, const Scalar& value, OptDtype dtype, OptLayout layout, OptDevice device,
                   OptBool pin) {
  if (!dtype && !value.isFloatingPoint()) dtype = value.type();
  return filled(empty(size, to_options(dtype, layout, device, pin)), value);
}
Tensor scalar_tensor_kernel(const Scalar& value, OptDtype dtype, OptLayout layout, OptDevice device,
                            OptBool pin) {
  return filled(empty({}, to_options(dtype, layout, device, pin)), value);
}

}  // namespace

#define GB_OPTIONS \
  "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"
GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("zeros(SymInt[] size, " GB_OPTIONS);
  m.def("ones(SymInt[] size, " GB_OPTIONS);
  m.def("full(SymInt[] size, Scalar fill_value, " GB_OPTIONS);
  m.def("scalar_tensor(Scalar s, " GB_OPTIONS);
}
#undef GB_OPTIONS
GB_LIBRARY_IMPL(aten, BackendSelect, m) {
  m.impl("zeros", GB_FN((BackendSelect<&zeros_op>::run)));
  m.impl("ones", GB_FN((BackendSelect<&ones_op>::run)));
  m.impl("full", GB_FN((BackendSelect<&full_op>::run)));
  m.impl("scalar_tensor", GB_FN((BackendSelect<&scalar_tensor_op>::run)));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("zeros", GB_FN(zeros_kernel));
  m.impl("ones", GB_FN(ones_kernel));
  m.impl("full", GB_FN(full_kernel));
  m.impl("scalar_tensor", GB_FN(scalar_tensor_kernel));
}

Tensor zeros(IntArrayRef size, const TensorOptions& o) {
  return finish(zeros_op().call(size, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()),
                o);
}
Tensor ones(IntArrayRef size, const TensorOptions& o) {
  return finish(ones_op().call(size, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()),
                o);
}
Tensor full(IntArrayRef size, const Scalar& value, const TensorOptions& o) {
  return finish(
      full_op().call(size, value, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()), o);
}
Tensor scalar_tensor(const Scalar& value, const TensorOptions& o) {
  return finish(
      scalar_tensor_op().call(value, o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()),
      o);
}

}  // namespace gb
