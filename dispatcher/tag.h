// Tag: a property of an operator that its schema cannot say. Passes over graphs read them; the dispatcher only keeps them.
// The names are those of aten/src/ATen/native/tags.yaml that mean something here.
#pragma once

#include <cstdint>

namespace gb {

enum class Tag : uint8_t {
  core,                      // one of the few operators that the others can be written in
  data_dependent_output,     // returns a number read from a tensor: item()
  dynamic_output_shape,      // the sizes of the result depend on values
  inplace_view,              // changes sizes or strides of its argument: t_()
  needs_fixed_stride_order,  // its kernels read strides: a compiler must not change them
  nondeterministic_seeded,   // draws from a Generator
  pointwise,                 // element by element, with broadcasting
  pt2_compliant_tag,         // passes opcheck
  reduction,
  view_copy,  // a view operator's copying form
};
const char* toString(Tag tag);

}  // namespace gb
