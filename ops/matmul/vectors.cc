// mv and dot: mm with a matrix of one column, or of one row and one column; with gradients of their own.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/common/derivative.h"
#include "ops/matmul/matmul.h"
#include "ops/mm/mm.h"
#include "ops/t/t.h"
#include "ops/view/view.h"

namespace gb {

GB_LIBRARY_FRAGMENT(aten, m) {
  m.def("mv(Tensor self, Tensor vec) -> Tensor");
  m.def("dot(Tensor self, Tensor tensor) -> Tensor");
}

Tensor mv(const Tensor& self, const Tensor& vec) { GB_RETURN_CALL(mv_op(), self, vec); }
Tensor dot(const Tensor& self, const Tensor& tensor) { GB_RETURN_CALL(dot_op(), self, tensor); }
Tensor Tensor::mv(const Tensor& vec) const { GB_RETURN_CALL(mv_op(), *this, vec); }
Tensor Tensor::dot(const Tensor& tensor) const { GB_RETURN_CALL(dot_op(), *this, tensor); }

namespace {

// PyTorch has kernels of their own for these, so on the CPU autocast, which casts mm, leaves them alone.
constexpr DispatchKeySet kNotCast = autocast_dispatch_keyset;

Tensor mv_by_mm(const Tensor& self, const Tensor& vec) {
  check_defined(self, "mv", "self");
  check_defined(vec, "mv", "vec");
  GB_CHECK_OR_THROW(self.dim() == 2 && vec.dim() == 1, Error,
                    .what = fmt::format("gb::mv: vector + matrix @ vector expected, got {}, {}, {}",
                                        vec.dim(), self.dim(), vec.dim()),
                    .cause = fmt::format("self has sizes {}, vec has sizes {}", to_string(self.sizes()),
                                         to_string(vec.sizes())),
                    .repair = "give a matrix and a vector; matmul takes any", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(self.sizes()[1] == vec.sizes()[0], Error,
                    .what = fmt::format("gb::mv: size mismatch, got input ({}), mat ({}x{}), vec ({})",
                                        self.sizes()[0], self.sizes()[0], self.sizes()[1], vec.sizes()[0]),
                    .cause = "the matrix has another number of columns than the vector has elements",
                    .repair = "the inner sizes must agree", .chapter = chapters::kTensors);
  const impl::ExcludeDispatchKeyGuard no_autocast(kNotCast);
  return squeeze(self.mm(unsqueeze(vec, 1)), 1);
}

Tensor dot_by_mm(const Tensor& self, const Tensor& tensor) {
  check_defined(self, "dot", "self");
  check_defined(tensor, "dot", "tensor");
  GB_CHECK_OR_THROW(self.dim() == 1 && tensor.dim() == 1, Error,
                    .what = fmt::format("gb::dot: 1D tensors expected, but got {}D and {}D tensors",
                                        self.dim(), tensor.dim()),
                    .cause = "dot multiplies vectors", .repair = "matmul takes any number of dimensions",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      self.scalar_type() == tensor.scalar_type(), Error,
      .what = fmt::format("gb::dot: expected both vectors to have same dtype, but found {} and {}",
                          toString(self.scalar_type()), toString(tensor.scalar_type())),
      .cause = "products of vectors do not promote their operands", .repair = "convert one with .to(dtype)",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      self.sizes() == tensor.sizes(), Error,
      .what = fmt::format(
          "gb::dot: inconsistent tensor size, expected tensor {} and src {} to have the same number of "
          "elements, but got {} and {} elements respectively",
          to_string(self.sizes()), to_string(tensor.sizes()), self.numel(), tensor.numel()),
      .cause = "each element needs a partner", .repair = "give vectors of one length",
      .chapter = chapters::kTensors);
  const impl::ExcludeDispatchKeyGuard no_autocast(kNotCast);
  return unsqueeze(self, 0).mm(unsqueeze(tensor, 1)).view({});
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("mv", GB_FN(mv_by_mm));
  m.impl("dot", GB_FN(dot_by_mm));
}

namespace autograd {
namespace {

struct MvBackward0 final : FormulaNode<MvBackward0> {
  Tensor d_self(const Tensor& grad) { return unsqueeze(grad, 1).mul(unpack(vec_)); }
  Tensor d_vec(const Tensor& grad) { return mv(unpack(self_).t(), grad); }
  static auto gradients() { return std::tuple{&MvBackward0::d_self, &MvBackward0::d_vec}; }
  static auto fields() {
    return std::tuple{field("self", &MvBackward0::self_), field("vec", &MvBackward0::vec_)};
  }
  void save(const Tensor& self, const Tensor& vec) {
    if (should_compute_output(0)) vec_ = saved_input(vec);
    if (should_compute_output(1)) self_ = saved_input(self);
  }
  SavedVariable self_, vec_;
};

struct DotBackward0 final : FormulaNode<DotBackward0> {
  Tensor d_self(const Tensor& grad) { return grad.mul(unpack(tensor_)); }
  Tensor d_tensor(const Tensor& grad) { return grad.mul(unpack(self_)); }
  static auto gradients() { return std::tuple{&DotBackward0::d_self, &DotBackward0::d_tensor}; }
  static auto fields() {
    return std::tuple{field("self", &DotBackward0::self_), field("tensor", &DotBackward0::tensor_)};
  }
  void save(const Tensor& self, const Tensor& tensor) {
    if (should_compute_output(0)) tensor_ = saved_input(tensor);
    if (should_compute_output(1)) self_ = saved_input(self);
  }
  SavedVariable self_, tensor_;
};

}  // namespace

GB_LIBRARY_IMPL(aten, Autograd, m) {
  m.impl("mv", recorded<MvBackward0, &mv_op>);
  m.impl("dot", recorded<DotBackward0, &dot_op>);
}

}  // namespace autograd
}  // namespace gb
