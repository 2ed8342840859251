#include "tests/ops/run_case.h"

#include <exception>

#include "dispatcher/dispatcher.h"
#include "dispatcher/ivalue_print.h"

namespace gb::tests {
namespace {

OperatorHandle find(const std::string& op) {
  const size_t dot = op.find('.');
  return Dispatcher::singleton().findSchemaOrThrow(op.substr(0, dot).c_str(),
                                                   dot == std::string::npos ? "" : op.c_str() + dot + 1);
}

std::string geometry_of(const Tensor& t) {
  std::vector<int64_t> strides = t.strides().vec();
  for (size_t d = 0; d < strides.size(); ++d)  // a step that is never taken may be any number
    if (t.numel() == 0 || t.sizes()[d] == 1) strides[d] = 0;
  return "sizes " + to_string(t.sizes()) + ", strides " + to_string(IntArrayRef(strides)) + ", offset " +
         std::to_string(t.storage_offset()) + ", " + toString(t.scalar_type());
}

}  // namespace

Run run(const OpCase& op_case, const MakeOptions& options) {
  Run result;
  result.arguments =
      make_arguments(op_case, options);  // an unknown operator is a mistake in the case: not caught
  result.results = result.arguments;
  try {
    find(op_case.op).callBoxed(result.results);
  } catch (const std::exception& e) {
    result.results.clear();
    result.error = e.what();
  }
  return result;
}

DifferentiableCase differentiable_case(const OpCase& op_case, uint64_t seed) {
  DifferentiableCase made;
  made.op = op_case.op;
  made.arguments = make_arguments(op_case, {.dtype = kDouble, .seed = seed, .for_gradients = true});
  made.positions = differentiable_positions(op_case, made.arguments);
  for (const size_t i : made.positions) made.inputs.push_back(made.arguments[i].toTensor().requires_grad_());
  return made;
}

std::vector<Tensor> DifferentiableCase::call(const std::vector<Tensor>& values) const {
  const OperatorHandle handle = find(op);
  Stack stack = arguments;
  for (size_t i = 0; i < positions.size(); ++i) {
    const bool written = handle.schema().arguments()[positions[i]].is_write();
    stack[positions[i]] = written ? values[i].clone() : values[i];
  }
  for (size_t i = 0; i < stack.size();
       ++i)  // a constant that is written: a fresh copy for each of gradcheck's calls
    if (stack[i].isTensor() && handle.schema().arguments()[i].is_write() &&
        !stack[i].toTensor().requires_grad())
      stack[i] = stack[i].toTensor().clone();
  handle.callBoxed(stack);
  std::vector<Tensor> outputs;
  for (const IValue& value : stack) {
    if (value.isTensor()) outputs.push_back(value.toTensor());
    if (value.isTensorList())
      for (const Tensor& one : value.toTensorVector()) outputs.push_back(one);
  }
  return outputs;
}

std::string geometry(const Stack& values) {
  std::string text;
  for (const IValue& value : values) {
    if (!text.empty()) text += "; ";
    if (value.isTensorList())
      for (const Tensor& one : value.toTensorVector()) text += "[" + geometry_of(one) + "]";
    else
      text += value.isTensor() ? geometry_of(value.toTensor()) : to_string(value);
  }
  return text;
}

}  // namespace gb::tests
