// set_ counts as a write. There is no formula, so nothing is registered at Autograd: the fallback of
// autograd/not_implemented_fallback.h serves there (check_inplace, and a node that refuses to run).
#include "ops/common/recorded.h"
#include "ops/set/set.h"

namespace gb::autograd {

GB_LIBRARY_IMPL(aten, ADInplaceOrView, m) {
  m.impl("set_", bumps_version<&set__op>);
  m.impl("set_.source_Tensor", bumps_version<&set__tensor_op>);
  m.impl("set_.source_Storage", bumps_version<&set__storage_op>);
  m.impl("set_.source_Storage_storage_offset", bumps_version<&set__storage_offset_op>);
}

}  // namespace gb::autograd
