#include "ops/as_strided/as_strided.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)");
}

const TypedOperatorHandle<Tensor(const Tensor&, IntArrayRef, IntArrayRef, std::optional<int64_t>)>&
as_strided_op() {
  static const auto op =
      Dispatcher::singleton()
          .findSchemaOrThrow("aten::as_strided", "")
          .typed<Tensor(const Tensor&, IntArrayRef, IntArrayRef, std::optional<int64_t>)>();
  return op;
}

Tensor as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                  std::optional<int64_t> storage_offset) {
  return as_strided_op().call(self, size, stride, storage_offset);
}

Tensor Tensor::as_strided(IntArrayRef sizes, IntArrayRef strides,
                          std::optional<int64_t> storage_offset) const {
  return as_strided_op().call(*this, sizes, strides, storage_offset);
}

}  // namespace gb
