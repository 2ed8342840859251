#include "core/tensor_options.h"

namespace gb {

const char* toString(Layout) { return "Strided"; }

const char* toString(MemoryFormat format) { return format == MemoryFormat::Contiguous ? "Contiguous" : "Preserve"; }

TensorOptions TensorOptions::merge_in(TensorOptions o) const {
  TensorOptions merged = *this;
  if (o.dtype_) merged.dtype_ = o.dtype_;
  if (o.device_) merged.device_ = o.device_;
  if (o.layout_) merged.layout_ = o.layout_;
  if (o.requires_grad_) merged.requires_grad_ = o.requires_grad_;
  if (o.pinned_memory_) merged.pinned_memory_ = o.pinned_memory_;
  if (o.memory_format_) merged.memory_format_ = o.memory_format_;
  return merged;
}

}  // namespace gb
