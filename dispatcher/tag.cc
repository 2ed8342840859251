#include "dispatcher/tag.h"

namespace gb {

const char* toString(Tag tag) {
  switch (tag) {
    case Tag::core: return "core";
    case Tag::data_dependent_output: return "data_dependent_output";
    case Tag::dynamic_output_shape: return "dynamic_output_shape";
    case Tag::inplace_view: return "inplace_view";
    case Tag::needs_fixed_stride_order: return "needs_fixed_stride_order";
    case Tag::nondeterministic_seeded: return "nondeterministic_seeded";
    case Tag::pointwise: return "pointwise";
    case Tag::pt2_compliant_tag: return "pt2_compliant_tag";
    case Tag::reduction: return "reduction";
    case Tag::view_copy: return "view_copy";
  }
  return "unknown";
}

}  // namespace gb
