#include "ops/bmm/checks.h"

#include <fmt/format.h>

#include "ops/common/checks.h"
#include "ops/expand/expand_geometry.h"
#include "ops/mm/checks.h"

namespace gb {
namespace {

void check_is_batch(const Tensor& t, const char* name, const char* op) {
  check_defined(t, op, name);
  GB_CHECK_OR_THROW(t.dim() == 3, Error, .what = fmt::format("gb::{}: {} must be a 3D tensor", op, name),
                    .cause = fmt::format("it has sizes {}", to_string(t.sizes())),
                    .repair = "unsqueeze a matrix to a batch of one, or use matmul, which broadcasts batches",
                    .chapter = chapters::kTensors);
}

void check_one_dtype(const Tensor& a, const Tensor& b, const char* op) {
  GB_CHECK_OR_THROW(a.scalar_type() == b.scalar_type(), Error,
                    .what = fmt::format("gb::{}: expected scalar type {} but found {}", op,
                                        toString(a.scalar_type()), toString(b.scalar_type())),
                    .cause = "matrix products do not promote their operands",
                    .repair = "convert one with .to(dtype)", .chapter = chapters::kTensors);
}

}  // namespace

void check_batches(const Tensor& batch1, const Tensor& batch2, const char* op) {
  check_is_batch(batch1, "batch1", op);
  check_is_batch(batch2, "batch2", op);
  const int64_t b = batch1.sizes()[0], k = batch1.sizes()[2];
  GB_CHECK_OR_THROW(batch2.sizes()[0] == b && batch2.sizes()[1] == k, Error,
                    .what = fmt::format("gb::{}: Expected size for first two dimensions of batch2 tensor to "
                                        "be: [{}, {}] but got: [{}, {}].",
                                        op, b, k, batch2.sizes()[0], batch2.sizes()[1]),
                    .cause = fmt::format("batch1 has sizes {}, batch2 has sizes {}",
                                         to_string(batch1.sizes()), to_string(batch2.sizes())),
                    .repair = "give batch1 [b, m, k] and batch2 [b, k, n]", .chapter = chapters::kTensors);
  check_one_dtype(batch1, batch2, op);
  check_same_device_as(batch2, batch1.device(), op);
}

impl::SizesAndStrides check_baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2,
                                    const Scalar& beta, const Scalar& alpha) {
  check_defined(self, "baddbmm", "self");
  check_batches(batch1, batch2, "baddbmm");
  check_one_dtype(batch1, self, "baddbmm");
  check_same_device_as(self, batch1.device(), "baddbmm");
  check_factor("baddbmm", beta, "beta", self.scalar_type());
  check_factor("baddbmm", alpha, "alpha", self.scalar_type());
  return expand_geometry(self, {batch1.sizes()[0], batch1.sizes()[1], batch2.sizes()[2]}, "baddbmm");
}

void check_baddbmm_(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                    const Scalar& alpha) {
  const impl::SizesAndStrides wanted = check_baddbmm(self, batch1, batch2, beta, alpha);
  const IntArrayRef sizes(wanted.sizes_data(), wanted.size());
  GB_CHECK_OR_THROW(
      self.sizes() == sizes, Error,
      .what = fmt::format("gb::baddbmm_: Expected an input tensor shape with shape {} but got shape: {}",
                          to_string(sizes), to_string(self.sizes())),
      .cause = "what is written in place cannot be broadcast",
      .repair = "use baddbmm, which makes a new tensor", .chapter = chapters::kTensors);
  check_no_internal_overlap(self, "baddbmm_");
}

}  // namespace gb
