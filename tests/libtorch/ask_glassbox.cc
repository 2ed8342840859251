#include <cstring>
#include <deque>
#include <exception>
#include <unordered_map>

#include "autograd/autograd.h"
#include "autograd/node.h"
#include "dispatcher/dispatcher.h"
#include "tests/libtorch/answer.h"
#include "tests/op_case.h"

namespace gb::tests {
namespace {

std::string describe_graph(const std::vector<Tensor>& outputs) {
  std::unordered_map<const autograd::Node*, size_t> numbers;
  std::deque<const autograd::Node*> queue;
  const auto number_of = [&](const autograd::Node* node) {
    const auto [at, is_new] = numbers.emplace(node, numbers.size());
    if (is_new) queue.push_back(node);
    return at->second;
  };
  for (const Tensor& t : outputs)
    if (t.defined() && t.grad_fn()) number_of(t.grad_fn().get());
  std::string text;
  while (!queue.empty()) {
    const autograd::Node* node = queue.front();
    queue.pop_front();
    text += (text.empty() ? "" : " ") + node->name() + "(";
    for (size_t i = 0; i < node->num_outputs(); ++i) {
      const autograd::Edge& edge = node->next_edge(i);
      text += i > 0 ? ", " : "";
      text += edge.is_valid() ? std::to_string(number_of(edge.function.get())) + ":" + std::to_string(edge.input_nr) : "-";
    }
    text += ")";
  }
  return text;
}

// A copy of the whole storage, and the same view of it: what the operator later does to the original stays out of it.
Tensor copy_of(const Tensor& t) {
  if (!t.defined()) return {};
  const size_t nbytes = t.storage().nbytes();
  Storage storage = t.is_meta() ? Storage(Storage::use_byte_size_t(), nbytes, DataPtr(nullptr, kMeta))
                                : Storage(Storage::use_byte_size_t(), nbytes, GetCPUAllocator(), true);
  if (!t.is_meta() && nbytes > 0) std::memcpy(storage.mutable_data(), t.storage().data(), nbytes);
  Tensor copy = detail::make_tensor<TensorImpl>(std::move(storage), t.is_meta() ? DispatchKey::Meta : DispatchKey::CPU,
                                                t.scalar_type());
  copy.unsafeGetTensorImpl()->set_sizes_and_strides(t.sizes(), t.strides(), t.storage_offset());
  copy.unsafeGetTensorImpl()->set_wrapped_number(t.unsafeGetTensorImpl()->is_wrapped_number());
  return copy;
}

void differentiate_twice(const std::vector<Tensor>& results, const std::vector<Tensor>& leaves, Answer& answer) {
  std::vector<Tensor> roots, seeds, by = leaves, second_roots, second_seeds;
  for (const Tensor& result : results)
    if (result.requires_grad()) {
      roots.push_back(result);
      seeds.push_back(grad_output(result.sizes(), result.scalar_type()).requires_grad_());
    }
  if (roots.empty()) return;
  for (const Tensor& g : autograd::grad(roots, leaves, seeds, /*retain_graph=*/true, /*create_graph=*/true, /*allow_unused=*/true))
    if (g.defined() && g.requires_grad()) {
      second_roots.push_back(g);
      second_seeds.push_back(grad_output(g.sizes(), g.scalar_type(), 4712));
    }
  if (second_roots.empty()) return;
  by.insert(by.end(), seeds.begin(), seeds.end());
  for (const Tensor& g : autograd::grad(second_roots, by, second_seeds, /*retain_graph=*/false, /*create_graph=*/false,
                                        /*allow_unused=*/true))
    answer.second_gradients.push_back(copy_of(g));
}

void ask_unchecked(const Question& question, Answer& answer) {
  const size_t dot = question.op.find('.');
  const OperatorHandle op = Dispatcher::singleton().findSchemaOrThrow(
      question.op.substr(0, dot).c_str(), dot == std::string::npos ? "" : question.op.c_str() + dot + 1);
  Stack stack;
  for (const IValue& argument : question.arguments)
    stack.push_back(argument.isTensor() ? IValue(copy_of(argument.toTensor())) : argument);
  std::vector<Tensor> leaves;
  for (const size_t i : question.requires_grad) {
    Tensor leaf = stack[i].toTensor();
    leaves.push_back(leaf.requires_grad_());
    if (op.schema().arguments()[i].is_write()) stack[i] = leaf.clone();  // a leaf may not be written
  }
  const Stack arguments = stack;
  op.callBoxed(stack);
  Stack outputs;  // a list's tensors one by one
  for (const IValue& value : stack) {
    if (!value.isTensorList()) outputs.push_back(value);
    else for (const Tensor& t : value.toTensorVector()) outputs.push_back(t);
  }
  std::vector<Tensor> results;
  for (const IValue& value : outputs) {
    answer.outputs.push_back(value.isTensor() ? IValue(copy_of(value.toTensor())) : value);
    answer.output_alias_of.push_back(-1);
    answer.output_requires_grad.push_back(value.isTensor() && value.toTensor().requires_grad());
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    results.push_back(value.toTensor());
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].isTensor() && arguments[i].toTensor().defined() &&
          arguments[i].toTensor().is_alias_of(value.toTensor()))
        answer.output_alias_of.back() = static_cast<int64_t>(i);
  }
  for (const IValue& argument : arguments)
    answer.versions.push_back(argument.isTensor() && argument.toTensor().defined() ? argument.toTensor()._version() : 0);
  answer.graph = describe_graph(results);
  if (question.twice) return differentiate_twice(results, leaves, answer);
  if (!leaves.empty())
    for (const Tensor& result : results)
      if (result.requires_grad()) result.backward(grad_output(result.sizes(), result.scalar_type()), true);
  for (const Tensor& leaf : leaves) answer.gradients.push_back(leaf.grad().defined() ? copy_of(leaf.grad()) : Tensor());
}

}  // namespace

Tensor grad_output(IntArrayRef sizes, ScalarType dtype, uint64_t seed) {
  return make_tensor(input(sizes.vec()).as(dtype), MakeOptions{.dtype = dtype, .seed = seed});
}

Answer ask_glassbox(const Question& question) {
  Answer answer;
  try {
    ask_unchecked(question, answer);
  } catch (const std::exception& e) {
    answer.error = e.what();
  }
  return answer;
}

}  // namespace gb::tests
