// clone and contiguous.
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/common/operator.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

// Row-major, or as self lies. A self that is not dense (stepped, expanded) becomes dense in its order of
// strides.
Tensor clone_kernel(const Tensor& self, std::optional<MemoryFormat> memory_format) {
  check_defined(self, "clone", "self");
  Tensor result = memory_format.value_or(MemoryFormat::Preserve) == MemoryFormat::Contiguous
                      ? empty_on(self.device(), self.sizes(), self.scalar_type())
                      : empty_strided_on(self.device(), self.sizes(),
                                         elementwise_strides(self.sizes(), {&self}), self.scalar_type());
  return result.copy_(self);
}

Tensor contiguous_kernel(const Tensor& self, MemoryFormat) {
  check_defined(self, "contiguous", "self");
  return self.is_contiguous() ? self : self.clone(MemoryFormat::Contiguous);
}

using ContiguousOp = TypedOperatorHandle<Tensor(const Tensor&, MemoryFormat)>;
const ContiguousOp& contiguous_op() {
  static const ContiguousOp op = find_operator<ContiguousOp>("aten::contiguous", "");
  return op;
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor");
  m.def("contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
        GB_FN(contiguous_kernel));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) { m.impl("clone", GB_FN(clone_kernel)); }

const CloneOp& clone_op() {
  static const CloneOp op = find_operator<CloneOp>("aten::clone", "");
  return op;
}

Tensor clone(const Tensor& self, std::optional<MemoryFormat> format) { GB_RETURN_CALL(clone_op(), self, format); }
Tensor Tensor::clone(std::optional<MemoryFormat> format) const { GB_RETURN_CALL(clone_op(), *this, format); }
Tensor Tensor::contiguous(MemoryFormat format) const { GB_RETURN_CALL(contiguous_op(), *this, format); }

}  // namespace gb
