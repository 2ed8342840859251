// The Meta kernels: the checks of the real ones, no bytes. A Meta tensor may be written from anywhere;
// nothing can be read out of one.
#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/copy/copy.h"

namespace gb {
namespace {

Tensor& copy__meta(Tensor& self, const Tensor& src, bool) {
  check_copy(self, src);
  GB_CHECK_OR_THROW(self.is_meta(), NotImplementedError,
                    .what = "copy_: Cannot copy out of meta tensor; no data!",
                    .cause = fmt::format("a meta tensor of shape {} was to be copied to {}",
                                         to_string(src.sizes()), self.device().str()),
                    .repair = "make the tensor on the device you need: a meta tensor has a shape only",
                    .chapter = chapters::kTensors);
  return self;
}

Tensor& fill__meta(Tensor& self, const Scalar&) {
  check_defined(self, "fill_", "self");
  return self;
}

}  // namespace

GB_LIBRARY_IMPL(aten, Meta, m) {
  m.impl("copy_", GB_FN(copy__meta));
  m.impl("fill_.Scalar", GB_FN(fill__meta));
}

}  // namespace gb
