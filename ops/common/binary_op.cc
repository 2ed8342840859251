#include "ops/common/binary_op.h"

#include <fmt/format.h>

#include "core/error.h"
#include "kernels/cpu/copy.h"
#include "ops/common/checks.h"
#include "ops/common/geometry.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

void check_alpha(BinaryOp op, ScalarType dtype, const Scalar& alpha) {
  const char* name = toString(op);
  GB_CHECK_OR_THROW(!alpha.isBoolean() || dtype == kBool, Error,
                    .what = fmt::format("{}: Boolean alpha only supported for Boolean results", name),
                    .cause = fmt::format("the result is {}", toString(dtype)),
                    .repair = "give alpha as a number", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      !alpha.isFloatingPoint() || isFloatingType(dtype), Error,
      .what = fmt::format("{}: For integral input tensors, argument alpha must not be a floating point "
                          "number",
                          name),
      .cause = fmt::format("alpha is {}, the result {}", to_string(alpha), toString(dtype)),
      .repair = "give an integer alpha, or convert an operand to a floating dtype",
      .chapter = chapters::kTensors);
}

void check_subtraction(const Tensor& self, const Tensor& other) {
  const bool a = self.scalar_type() == kBool, b = other.scalar_type() == kBool;
  GB_CHECK_OR_THROW(
      !(a || b), Error,
      .what = fmt::format("sub: Subtraction, the `-` operator, with {} bool tensor{} is not supported",
                          a && b ? "two" : "a", a && b ? "s" : ""),
      .cause = fmt::format("the operands are {} and {}", toString(self.scalar_type()),
                           toString(other.scalar_type())),
      .repair = "for \"differs\" use ne(), or convert to an integer type: x.to(kLong)",
      .chapter = chapters::kTensors);
}

// The dtype both operands are converted to. Checks everything that dtypes alone decide.
ScalarType checked_dtype(BinaryOp op, const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (op == BinaryOp::Sub) check_subtraction(self, other);
  ScalarType dtype = result_type(self, other);
  if (op == BinaryOp::Div) dtype = floating_type_of(dtype);
  if (op == BinaryOp::Add || op == BinaryOp::Sub) check_alpha(op, dtype, alpha);
  return dtype;
}

// One operand as the kernel reads it: of the common dtype, on the common device.
class Operand {
 public:
  Operand(const Tensor& t, ScalarType dtype, Device device) : tensor_(t) {
    if (t.scalar_type() == dtype && t.device() == device) {
      data_ = t.const_data_ptr();
    } else if (device.is_cpu() && t.dim() == 0) {  // a number, most likely: no tensor need be made for it
      cpu::copy_contiguous(dtype, number_, t.scalar_type(), t.const_data_ptr(), 1);
      data_ = number_;
    } else {
      tensor_ = t.to(device, dtype);
      data_ = tensor_.const_data_ptr();
    }
  }
  Operand(const Operand&) = delete;

  const Tensor& tensor() const { return tensor_; }  // for its sizes and strides
  const void* data() const { return data_; }

 private:
  Tensor tensor_;
  const void* data_;
  alignas(8) char number_[8];
};

void run(BinaryOp op, ScalarType dtype, const Tensor& out, const Operand& a, const Operand& b,
         const Scalar& alpha, BinaryKernel* kernel) {
  const cpu::Dims<3> space = elementwise_space<3>({&out, &a.tensor(), &b.tensor()});
  kernel(op, dtype, out.mutable_data_ptr(), a.data(), b.data(), space, to_scalar_arg(alpha), out.device());
}

}  // namespace

Tensor binary_op(BinaryOp op, const Tensor& self, const Tensor& other, const Scalar& alpha,
                 BinaryKernel* kernel) {
  check_defined(self, toString(op), "self");
  check_defined(other, toString(op), "other");
  const Device device = common_device(self, other, toString(op));
  const ScalarType dtype = checked_dtype(op, self, other, alpha);
  const std::vector<int64_t> sizes = infer_size(self.sizes(), other.sizes());
  Tensor out = empty_strided_on(device, sizes, elementwise_strides(sizes, {&self, &other}),
                                cpu::isComparison(op) ? kBool : dtype);
  if (!kernel || out.numel() == 0) return out;
  run(op, dtype, out, Operand(self, dtype, device), Operand(other, dtype, device), alpha, kernel);
  return out;
}

Tensor& binary_op_(BinaryOp op, Tensor& self, const Tensor& other, const Scalar& alpha,
                   BinaryKernel* kernel) {
  const std::string name = std::string(toString(op)) + "_";
  check_defined(self, name.c_str(), "self");
  check_defined(other, name.c_str(), "other");
  const Device device = common_device(self, other, name.c_str());
  check_same_device_as(self, device, name.c_str());
  const ScalarType dtype = checked_dtype(op, self, other, alpha);
  const ScalarType result = cpu::isComparison(op) ? kBool : dtype;
  check_can_cast(result, self.scalar_type(), name.c_str());
  check_broadcasts_into(other.sizes(), self.sizes(), name.c_str());
  check_no_internal_overlap(self, name.c_str());
  check_no_partial_overlap(self, other, name.c_str());
  if (!kernel || self.numel() == 0) return self;
  if (dtype == self.scalar_type() && dtype == result) {
    run(op, dtype, self, Operand(self, dtype, device), Operand(other, dtype, device), alpha, kernel);
    return self;
  }
  return self.copy_(binary_op(op, self, other, alpha, kernel));  // computed in the wider type, rounded once
}

void binary_kernel_cpu(BinaryOp op, ScalarType dtype, void* out, const void* a, const void* b,
                       const cpu::Strided<3>& space, cpu::ScalarArg alpha, Device) {
  cpu::binary(op, dtype, out, a, b, space, alpha);
}

}  // namespace gb
