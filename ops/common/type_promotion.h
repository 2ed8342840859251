// Type promotion: the dtype of a result from the dtypes of its operands.
//
// Operands fall into three groups: tensors with dimensions, tensors without ("0-dim"), and wrapped numbers
// (made from a C++ number). Within a group promoteTypes decides. A lower group changes the result only by its
// category (bool < integral < floating): float32 tensor * double number stays float32, int64 tensor * 0.5
// becomes the default dtype. Source of the rule: aten/src/ATen/native/TypeProperties.cpp.
#pragma once

#include "core/tensor.h"

namespace gb {

struct ResultTypeState {
  ScalarType dimResult = ScalarType::Undefined;
  ScalarType zeroResult = ScalarType::Undefined;
  ScalarType wrappedResult = ScalarType::Undefined;
};
ResultTypeState update_result_type_state(const Tensor& tensor, const ResultTypeState& state);
ScalarType result_type(const ResultTypeState& state);

ScalarType result_type(const Tensor& a, const Tensor& b);
ScalarType result_type(const Tensor& a, const Scalar& b);
ScalarType result_type(const Scalar& a, const Tensor& b);
ScalarType result_type(const Scalar& a, const Scalar& b);
ScalarType result_type(TensorList tensors);

// bool and integers -> the default floating dtype; floating types stay.
ScalarType floating_type_of(ScalarType dtype);

// A number as a 0-dim CPU tensor that counts as a number in promotion: double, int64 or bool.
Tensor wrapped_scalar_tensor(const Scalar& value);

}  // namespace gb
