#include "tests/ops/on_device.h"

#include "core/autograd_state.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/tensors_in_value.h"
#include "ops/ops.h"

namespace gb::tests {
namespace {

OperatorHandle find(const std::string& op) {
  const size_t dot = op.find('.');
  return Dispatcher::singleton().findSchemaOrThrow(op.substr(0, dot).c_str(),
                                                   dot == std::string::npos ? "" : op.c_str() + dot + 1);
}

// The whole storage is moved, then looked at as before.
Tensor moved(const Tensor& t, Device device) {
  if (!t.defined() || t.unsafeGetTensorImpl()->is_wrapped_number()) return t;
  const NoGradGuard unrecorded;
  const int64_t stored = static_cast<int64_t>(t.storage().nbytes()) / static_cast<int64_t>(t.element_size());
  const Tensor detached = t.detach();
  if (stored == 0) return empty(t.sizes(), TensorOptions(t.scalar_type()).device(device));
  const Tensor all = as_strided(detached, {stored}, {1}, 0).to(device, t.scalar_type());
  return as_strided(all, t.sizes(), t.strides(), t.storage_offset()).detach();
}

}  // namespace

Stack on_device(const OpCase& op_case, const Stack& arguments, Device device) {
  const FunctionSchema& schema = find(op_case.op).schema();
  Stack result;
  for (const IValue& value : arguments)
    result.push_back(map_tensors(value, [&](const Tensor& t) { return moved(t, device); }));
  if (const auto at = schema.argumentIndexWithName("device"))
    if (!result[static_cast<size_t>(*at)].isDevice()) result[static_cast<size_t>(*at)] = device;
  return result;
}

Run run_with(const OpCase& op_case, Stack arguments) {
  Run result;
  result.arguments = arguments;
  result.results = std::move(arguments);
  try {
    find(op_case.op).callBoxed(result.results);
  } catch (const std::exception& e) {
    result.results.clear();
    result.error = e.what();
  }
  return result;
}

DifferentiableCase on_device(const OpCase& op_case, const DifferentiableCase& made, Device device) {
  DifferentiableCase there;
  there.op = made.op;
  there.positions = made.positions;
  there.arguments = on_device(op_case, made.arguments, device);
  for (const size_t i : there.positions) there.inputs.push_back(there.arguments[i].toTensor().requires_grad_());
  return there;
}

}  // namespace gb::tests
