// Schemas and entry points; the forms with `unbiased` are those with a correction.
#include "ops/statistics/statistics.h"

#include "dispatcher/library.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("var(Tensor self, bool unbiased=True) -> Tensor");
  m.def("var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor");
  m.def(
      "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> "
      "Tensor");
  m.def("std(Tensor self, bool unbiased=True) -> Tensor");
  m.def("std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor");
  m.def(
      "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> "
      "Tensor");
  m.def("logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor");
}

Tensor var(const Tensor& self, bool unbiased) { GB_RETURN_CALL(var_op(), self, unbiased); }
Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  GB_RETURN_CALL(var_dim_op(), self, dim, unbiased, keepdim);
}
Tensor var(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  GB_RETURN_CALL(var_correction_op(), self, dim, correction, keepdim);
}
Tensor Tensor::var(bool unbiased) const { GB_RETURN_CALL(var_op(), *this, unbiased); }
Tensor Tensor::var(OptionalIntArrayRef dim, bool unbiased, bool keepdim) const {
  GB_RETURN_CALL(var_dim_op(), *this, dim, unbiased, keepdim);
}
Tensor Tensor::var(OptionalIntArrayRef dim, const std::optional<Scalar>& correction, bool keepdim) const {
  GB_RETURN_CALL(var_correction_op(), *this, dim, correction, keepdim);
}

Tensor std(const Tensor& self, bool unbiased) { GB_RETURN_CALL(std_op(), self, unbiased); }
Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  GB_RETURN_CALL(std_dim_op(), self, dim, unbiased, keepdim);
}
Tensor std(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
           bool keepdim) {
  GB_RETURN_CALL(std_correction_op(), self, dim, correction, keepdim);
}
Tensor Tensor::std(bool unbiased) const { GB_RETURN_CALL(std_op(), *this, unbiased); }
Tensor Tensor::std(OptionalIntArrayRef dim, bool unbiased, bool keepdim) const {
  GB_RETURN_CALL(std_dim_op(), *this, dim, unbiased, keepdim);
}
Tensor Tensor::std(OptionalIntArrayRef dim, const std::optional<Scalar>& correction, bool keepdim) const {
  GB_RETURN_CALL(std_correction_op(), *this, dim, correction, keepdim);
}

Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim) {
  GB_RETURN_CALL(logsumexp_op(), self, dim, keepdim);
}
Tensor Tensor::logsumexp(IntArrayRef dim, bool keepdim) const {
  GB_RETURN_CALL(logsumexp_op(), *this, dim, keepdim);
}

namespace {

std::optional<Scalar> correction_of(bool unbiased) { return Scalar(unbiased ? 1 : 0); }

Tensor var_of_all(const Tensor& self, bool unbiased) { return var(self, {}, correction_of(unbiased)); }
Tensor var_of_dims(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return var(self, dim, correction_of(unbiased), keepdim);
}
Tensor std_of_all(const Tensor& self, bool unbiased) { return std(self, {}, correction_of(unbiased)); }
Tensor std_of_dims(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim) {
  return std(self, dim, correction_of(unbiased), keepdim);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("var", GB_FN(var_of_all));
  m.impl("var.dim", GB_FN(var_of_dims));
  m.impl("std", GB_FN(std_of_all));
  m.impl("std.dim", GB_FN(std_of_dims));
}

}  // namespace gb
