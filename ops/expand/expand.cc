#include "ops/expand/expand.h"

#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/expand/expand_geometry.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)");
}

Tensor expand(const Tensor& self, IntArrayRef size, bool implicit) {
  GB_RETURN_CALL(expand_op(), self, size, implicit);
}
Tensor Tensor::expand(IntArrayRef sizes, bool implicit) const {
  GB_RETURN_CALL(expand_op(), *this, sizes, implicit);
}

namespace {
Tensor expand_kernel(const Tensor& self, IntArrayRef size, bool) {
  return make_view(self, expand_geometry(self, size, "expand"));
}
}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("expand", GB_FN(expand_kernel)); }

}  // namespace gb
