#include "tools/demo_ops.h"

#include "dispatcher/library.h"

namespace gb::demo {
namespace {

Tensor empty_like_cpu(IntArrayRef sizes, int64_t numel) {
  const size_t nbytes = static_cast<size_t>(numel) * sizeof(float);
  Tensor t = detail::make_tensor(Storage(Storage::use_byte_size_t(), nbytes, GetCPUAllocator()), DispatchKey::CPU,
                                 TypeMeta(kFloat));
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}

template <class F>
const TypedOperatorHandle<F> lookup(const char* name) {
  return Dispatcher::singleton().findSchemaOrThrow(name, "").typed<F>();
}
const auto& affine_op() {
  static const auto op = lookup<Tensor(const Tensor&, double, double)>("demo::affine");
  return op;
}
const auto& scale_op() {
  static const auto op = lookup<Tensor(const Tensor&, double)>("demo::scale");
  return op;
}
const auto& shift_op() {
  static const auto op = lookup<Tensor&(Tensor&, double)>("demo::shift_");
  return op;
}

// Any shape, contiguous.
Tensor scale_cpu(const Tensor& x, double by) {
  Tensor out = empty_like_cpu(x.sizes(), x.numel());
  for (int64_t i = 0; i < x.numel(); ++i) out.data_ptr<float>()[i] = x.data_ptr<float>()[i] * static_cast<float>(by);
  return out;
}

Tensor scale_autograd(DispatchKeySet ks, const Tensor& x, double by) {
  const AutoDispatchBelowADInplaceOrView guard;
  return scale_op().redispatch(ks & after_autograd_keyset, x, by);
}

Tensor& shift_cpu(Tensor& self, double by) {
  for (int64_t i = 0; i < self.numel(); ++i) self.data_ptr<float>()[i] += static_cast<float>(by);
  return self;
}

Tensor& shift_version(DispatchKeySet ks, Tensor& self, double by) {
  {
    const AutoDispatchBelowADInplaceOrView guard;
    shift_op().redispatch(ks & after_ADInplaceOrView_keyset, self, by);
  }
  self.unsafeGetTensorImpl()->bump_version();
  return self;
}

Tensor affine_composite(const Tensor& x, double scale_by, double shift_by) {
  Tensor out = scale(x, scale_by);
  shift_(out, shift_by);
  return out;
}

}  // namespace

Tensor affine(const Tensor& x, double scale, double shift) { return affine_op().call(x, scale, shift); }
Tensor scale(const Tensor& x, double by) { return scale_op().call(x, by); }
Tensor& shift_(Tensor& self, double by) { return shift_op().call(self, by); }

Tensor counting(IntArrayRef sizes) {
  int64_t numel = 1;
  for (int64_t size : sizes) numel *= size;
  Tensor t = empty_like_cpu(sizes, numel);
  for (int64_t i = 0; i < numel; ++i) t.data_ptr<float>()[i] = static_cast<float>(i + 1);
  return t;
}

GB_LIBRARY(demo, m) {
  m.def("affine(Tensor x, float scale, float shift) -> Tensor", &affine_composite);
  m.def("scale(Tensor x, float by) -> Tensor");
  m.def("shift_(Tensor(a!) self, float by) -> Tensor(a!)");
}
GB_LIBRARY_IMPL(demo, CPU, m) {
  m.impl("scale", &scale_cpu);
  m.impl("shift_", &shift_cpu);
}
GB_LIBRARY_IMPL(demo, Autograd, m) {
  m.impl("scale", &scale_autograd);
  m.impl("shift_", CppFunction::makeFallthrough());
}
GB_LIBRARY_IMPL(demo, ADInplaceOrView, m) { m.impl("shift_", &shift_version); }

}  // namespace gb::demo
