#include "ops/common/type_promotion.h"

#include "ops/common/empty.h"

namespace gb {
namespace {

ScalarType promote_skip_undefined(ScalarType a, ScalarType b) {
  if (a == ScalarType::Undefined) return b;
  if (b == ScalarType::Undefined) return a;
  return promoteTypes(a, b);
}

ScalarType combine_categories(ScalarType higher, ScalarType lower) {
  if (isFloatingType(higher)) return higher;
  if (higher == kBool || isFloatingType(lower)) return promote_skip_undefined(higher, lower);
  return higher != ScalarType::Undefined ? higher : lower;
}

// A floating number counts as the default dtype: that is what keeps int64 * 0.5 in float32.
ScalarType type_of_number(ScalarType type) {
  return isFloatingType(type) ? get_default_dtype().toScalarType() : type;
}

}  // namespace

ResultTypeState update_result_type_state(const Tensor& tensor, const ResultTypeState& before) {
  ResultTypeState state = before;
  if (!tensor.defined()) return state;
  const ScalarType type = tensor.scalar_type();
  if (tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
    state.wrappedResult = promote_skip_undefined(state.wrappedResult, type_of_number(type));
  } else if (tensor.dim() > 0) {
    state.dimResult = promote_skip_undefined(state.dimResult, type);
  } else {
    state.zeroResult = promote_skip_undefined(state.zeroResult, type);
  }
  return state;
}

ScalarType result_type(const ResultTypeState& state) {
  return combine_categories(state.dimResult, combine_categories(state.zeroResult, state.wrappedResult));
}

ScalarType result_type(const Tensor& a, const Tensor& b) {
  return result_type(update_result_type_state(b, update_result_type_state(a, {})));
}

ScalarType result_type(TensorList tensors) {
  ResultTypeState state;
  for (const Tensor& t : tensors) state = update_result_type_state(t, state);
  return result_type(state);
}

ScalarType result_type(const Tensor& a, const Scalar& b) {
  ResultTypeState state = update_result_type_state(a, {});
  state.wrappedResult = promote_skip_undefined(state.wrappedResult, type_of_number(b.type()));
  return result_type(state);
}

ScalarType result_type(const Scalar& a, const Tensor& b) { return result_type(b, a); }

ScalarType result_type(const Scalar& a, const Scalar& b) {
  return promoteTypes(type_of_number(a.type()), type_of_number(b.type()));
}

ScalarType floating_type_of(ScalarType dtype) {
  return isFloatingType(dtype) ? dtype : get_default_dtype().toScalarType();
}

Tensor wrapped_scalar_tensor(const Scalar& value) {
  Tensor t = empty_cpu({}, value.type());
  switch (value.type()) {
    case kDouble:
      *static_cast<double*>(t.mutable_data_ptr()) = value.toDouble();
      break;
    case kBool:
      *static_cast<bool*>(t.mutable_data_ptr()) = value.toBool();
      break;
    default:
      *static_cast<int64_t*>(t.mutable_data_ptr()) = value.toLong();
  }
  t.unsafeGetTensorImpl()->set_wrapped_number(true);
  return t;
}

}  // namespace gb
