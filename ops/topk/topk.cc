#include "ops/topk/topk.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def(
      "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, "
      "Tensor indices)");
}

std::tuple<Tensor, Tensor> topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted) {
  GB_RETURN_CALL(topk_op(), self, k, dim, largest, sorted);
}
std::tuple<Tensor, Tensor> Tensor::topk(int64_t k, int64_t dim, bool largest, bool sorted) const {
  GB_RETURN_CALL(topk_op(), *this, k, dim, largest, sorted);
}

}  // namespace gb
