#include "ops/factories/tensor.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "ops/common/empty.h"

namespace gb {
namespace detail {

TensorDataContainer::TensorDataContainer(std::initializer_list<TensorDataContainer> items)
    : sizes_{static_cast<int64_t>(items.size())} {
  if (items.size() == 0) return;
  const TensorDataContainer& first = *items.begin();
  type_ = first.type_;
  sizes_.insert(sizes_.end(), first.sizes_.begin(), first.sizes_.end());
  for (const TensorDataContainer& item : items) {
    GB_CHECK_OR_THROW(
        item.sizes_ == first.sizes_, ValueError,
        .what = fmt::format("tensor: Expected all sub-lists to have sizes: {}, but got one with sizes: {}",
                            to_string(first.sizes_), to_string(item.sizes_)),
        .cause = "a tensor is a box: every row has the same length", .repair = "make the lists equally long",
        .chapter = chapters::kTensors);
    GB_CHECK_OR_THROW(
        item.type_ == type_, ValueError,
        .what = fmt::format(
            "tensor: Expected all elements of the tensor to have the same scalar type: {}, but got "
            "element of scalar type: {}",
            toString(type_), toString(item.type_)),
        .cause = "the dtype follows from the kind of the numbers",
        .repair = "write all of them alike: {1.0, 2.5}", .chapter = chapters::kTensors);
    values_.insert(values_.end(), item.values_.begin(), item.values_.end());
  }
}

}  // namespace detail

namespace {

// The widest type of a kind holds every value; the conversion to the wanted dtype is copy_'s.
Tensor exact_values(const detail::TensorDataContainer& data) {
  const bool integral = isIntegralType(data.type(), true);
  Tensor t = empty_cpu(data.sizes(), integral ? kLong : kDouble);
  for (size_t i = 0; i < data.values().size(); ++i) {
    if (integral)
      t.data_ptr<int64_t>()[i] = data.values()[i].toLong();
    else
      t.data_ptr<double>()[i] = data.values()[i].toDouble();
  }
  return t;
}

}  // namespace

Tensor tensor(const detail::TensorDataContainer& data, const TensorOptions& options) {
  const ScalarType natural =
      isIntegralType(data.type(), true) ? data.type() : get_default_dtype().toScalarType();
  Tensor result = [&] {
    AutoDispatchBelowADInplaceOrView guard;
    return exact_values(data).to(
        options.dtype(options.dtype_opt().value_or(natural)).requires_grad(std::nullopt));
  }();
  if (options.requires_grad_opt().value_or(false)) result.set_requires_grad(true);
  return result;
}

}  // namespace gb
