// Built with -DNDEBUG, as the wheel is. The only file of the tests that includes LibTorch (about 18 s to compile).
#include "tests/libtorch/bridge.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/headeronly/version.h>

#include <cstring>
#include <deque>
#include <unordered_map>

#include "dispatcher/dispatcher.h"

namespace gb::tests::libtorch {
namespace {

// The two enums number their members differently.
constexpr std::pair<ScalarType, at::ScalarType> kTypes[] = {
    {kByte, at::kByte},     {kChar, at::kChar},     {kShort, at::kShort}, {kInt, at::kInt},   {kLong, at::kLong},
    {kHalf, at::kHalf},     {kFloat, at::kFloat},   {kDouble, at::kDouble}, {kBool, at::kBool},
    {kBFloat16, at::kBFloat16}};

at::ScalarType to_torch(ScalarType type) {
  for (const auto& [ours, theirs] : kTypes)
    if (ours == type) return theirs;
  return at::ScalarType::Undefined;
}

ScalarType from_torch(at::ScalarType type) {
  for (const auto& [ours, theirs] : kTypes)
    if (theirs == type) return ours;
  return ScalarType::Undefined;
}

at::IntArrayRef to_torch(IntArrayRef values) { return {values.data(), values.size()}; }
IntArrayRef from_torch(at::IntArrayRef values) { return {values.data(), values.size()}; }

// A copy of the whole storage, and the same view of it.
at::Tensor to_torch(const Tensor& t) {
  if (!t.defined()) return {};
  const auto options = at::TensorOptions(to_torch(t.scalar_type())).device(t.is_meta() ? at::kMeta : at::kCPU);
  const int64_t elements = static_cast<int64_t>(t.storage().nbytes() / t.itemsize());
  at::Tensor flat = at::empty({elements}, options);
  if (!t.is_meta() && elements > 0) std::memcpy(flat.data_ptr(), t.storage().data(), t.storage().nbytes());
  at::Tensor view = at::empty({0}, options);
  view.set_(flat.storage(), t.storage_offset(), to_torch(t.sizes()), to_torch(t.strides()));
  if (t.unsafeGetTensorImpl()->is_wrapped_number()) view.unsafeGetTensorImpl()->set_wrapped_number(true);
  // set_ is an in-place operator: start from version 0, as the other side does.
  return view.variable_data();
}

Tensor from_torch(const at::Tensor& t) {
  if (!t.defined()) return {};
  if (t._is_zerotensor()) return from_torch(at::zeros(t.sizes(), t.options()));  // zeros without memory
  const ScalarType dtype = from_torch(t.scalar_type());
  const size_t nbytes = t.is_meta() ? 0 : t.storage().nbytes();
  Storage storage = t.is_meta() ? Storage(Storage::use_byte_size_t(), t.storage().nbytes(), DataPtr(nullptr, kMeta))
                                : Storage(Storage::use_byte_size_t(), nbytes, GetCPUAllocator(), true);
  if (nbytes > 0) std::memcpy(storage.mutable_data(), t.storage().data(), nbytes);
  Tensor copy = detail::make_tensor<TensorImpl>(std::move(storage), t.is_meta() ? DispatchKey::Meta : DispatchKey::CPU,
                                                dtype);
  copy.unsafeGetTensorImpl()->set_sizes_and_strides(from_torch(t.sizes()), from_torch(t.strides()),
                                                    t.storage_offset());
  return copy;
}

bool names_a_scalar_type(const Type& type) {
  if (type.kind() == TypeKind::OptionalType) return names_a_scalar_type(*type.containedType(0));
  return type.kind() == TypeKind::ScalarTypeType;
}
bool names_a_memory_format(const Type& type) {
  if (type.kind() == TypeKind::OptionalType) return names_a_memory_format(*type.containedType(0));
  return type.kind() == TypeKind::MemoryFormatType;
}

c10::IValue to_torch(const IValue& v, const Type& type) {
  if (v.isTensor()) return to_torch(v.toTensor());
  if (v.isDouble()) return v.toDouble();
  if (v.isBool()) return v.toBool();
  if (v.isInt() && names_a_scalar_type(type)) return to_torch(v.toScalarType());
  if (v.isInt() && names_a_memory_format(type))
    return v.toMemoryFormat() == MemoryFormat::Preserve ? at::MemoryFormat::Preserve : at::MemoryFormat::Contiguous;
  if (v.isInt()) return v.toInt();
  if (v.isString()) return v.toStringRef();
  if (v.isDevice()) return at::Device(v.toDevice().is_meta() ? at::kMeta : at::kCPU);
  if (v.isIntList()) return v.toIntVector();
  if (v.isDoubleList()) return v.toDoubleVector();
  if (v.isBoolList()) {
    c10::List<bool> flags;
    for (const bool flag : v.toBoolList()) flags.push_back(flag);
    return flags;
  }
  if (v.isTensorList()) {
    std::vector<at::Tensor> tensors;
    for (const Tensor& t : v.toTensorVector()) tensors.push_back(to_torch(t));
    return tensors;
  }
  if (v.isList() && v.toListRef().empty()) return std::vector<int64_t>();
  return {};
}

IValue from_torch(const c10::IValue& v) {
  if (v.isTensor()) return from_torch(v.toTensor());
  if (v.isDouble()) return v.toDouble();
  if (v.isBool()) return v.toBool();
  if (v.isInt()) return v.toInt();
  if (v.isTensorList()) {
    std::vector<Tensor> tensors;
    for (const at::Tensor& t : v.toTensorVector()) tensors.push_back(from_torch(t));
    return tensors;
  }
  return {};
}

std::optional<c10::OperatorHandle> find(const std::string& op) {
  const size_t dot = op.find('.');
  return c10::Dispatcher::singleton().findSchema(
      {op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1)});
}

// "torch::autograd::AccumulateGrad" -> "AccumulateGrad"
std::string plain_name(const torch::autograd::Node& node) {
  const std::string name = node.name();
  const size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

std::string describe_graph(const std::vector<at::Tensor>& outputs) {
  std::unordered_map<const torch::autograd::Node*, size_t> numbers;
  std::deque<const torch::autograd::Node*> queue;
  const auto number_of = [&](const torch::autograd::Node* node) {
    const auto [at, is_new] = numbers.emplace(node, numbers.size());
    if (is_new) queue.push_back(node);
    return at->second;
  };
  for (const at::Tensor& t : outputs)
    if (t.defined() && t.grad_fn()) number_of(t.grad_fn().get());
  std::string text;
  while (!queue.empty()) {
    const torch::autograd::Node* node = queue.front();
    queue.pop_front();
    text += (text.empty() ? "" : " ") + plain_name(*node) + "(";
    for (size_t i = 0; i < node->num_outputs(); ++i) {
      const auto& edge = node->next_edge(i);
      text += i > 0 ? ", " : "";
      text += edge.is_valid() ? std::to_string(number_of(edge.function.get())) + ":" + std::to_string(edge.input_nr) : "-";
    }
    text += ")";
  }
  return text;
}

at::Tensor grad_output_of(const at::Tensor& t, uint64_t seed) {
  return to_torch(grad_output(from_torch(t.sizes()), from_torch(t.scalar_type()), seed));
}

void differentiate_twice(const std::vector<at::Tensor>& results, const std::vector<at::Tensor>& leaves, Answer& answer) {
  std::vector<at::Tensor> roots, seeds, by = leaves, second_roots, second_seeds;
  for (const at::Tensor& result : results)
    if (result.requires_grad()) {
      roots.push_back(result);
      seeds.push_back(grad_output_of(result, 4711).requires_grad_());
    }
  if (roots.empty()) return;
  for (const at::Tensor& g : torch::autograd::grad(roots, leaves, seeds, /*retain_graph=*/true, /*create_graph=*/true,
                                                   /*allow_unused=*/true))
    if (g.defined() && g.requires_grad()) {
      second_roots.push_back(g);
      second_seeds.push_back(grad_output_of(g, 4712));
    }
  if (second_roots.empty()) return;
  by.insert(by.end(), seeds.begin(), seeds.end());
  for (const at::Tensor& g : torch::autograd::grad(second_roots, by, second_seeds, /*retain_graph=*/false,
                                                   /*create_graph=*/false, /*allow_unused=*/true))
    answer.second_gradients.push_back(from_torch(g));
}

void ask_unchecked(const Question& question, Answer& answer) {
  const c10::OperatorHandle op = find(question.op).value();
  const size_t dot = question.op.find('.');
  const FunctionSchema& schema = Dispatcher::singleton()
                                     .findSchemaOrThrow(question.op.substr(0, dot).c_str(),
                                                        dot == std::string::npos ? "" : question.op.c_str() + dot + 1)
                                     .schema();
  torch::jit::Stack stack;
  for (size_t i = 0; i < question.arguments.size(); ++i)
    stack.push_back(to_torch(question.arguments[i], *schema.arguments()[i].real_type()));
  std::vector<at::Tensor> leaves;
  for (const size_t i : question.requires_grad) {
    at::Tensor leaf = stack[i].toTensor();
    leaves.push_back(leaf.set_requires_grad(true));
    if (schema.arguments()[i].is_write()) stack[i] = leaf.clone();  // a leaf may not be written
  }
  const torch::jit::Stack arguments = stack;
  op.callBoxed(&stack);
  torch::jit::Stack outputs;  // a list's tensors one by one
  for (const c10::IValue& value : stack) {
    if (!value.isTensorList()) outputs.push_back(value);
    else for (const at::Tensor& t : value.toTensorVector()) outputs.push_back(t);
  }
  std::vector<at::Tensor> results;
  for (const c10::IValue& value : outputs) {
    answer.outputs.push_back(from_torch(value));
    answer.output_alias_of.push_back(-1);
    answer.output_requires_grad.push_back(value.isTensor() && value.toTensor().requires_grad());
    if (!value.isTensor() || !value.toTensor().defined()) continue;
    results.push_back(value.toTensor());
    for (size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].isTensor() && arguments[i].toTensor().defined() &&
          arguments[i].toTensor().is_alias_of(value.toTensor()))
        answer.output_alias_of.back() = static_cast<int64_t>(i);
  }
  for (const c10::IValue& argument : arguments)
    answer.versions.push_back(argument.isTensor() && argument.toTensor().defined()
                                  ? static_cast<int64_t>(argument.toTensor()._version()) : 0);
  answer.graph = describe_graph(results);
  if (question.twice) return differentiate_twice(results, leaves, answer);
  if (!leaves.empty())
    for (const at::Tensor& result : results)
      if (result.requires_grad())
        result.backward(grad_output_of(result, 4711), true);
  for (const at::Tensor& leaf : leaves) answer.gradients.push_back(from_torch(leaf.grad()));
}

}  // namespace

Answer ask(const Question& question) {
  Answer answer;
  try {
    ask_unchecked(question, answer);
  } catch (const std::exception& e) {
    answer.error = e.what();
    if (answer.error.empty()) answer.error = "an exception without a text";
  }
  return answer;
}

std::optional<std::string> schema_text(const std::string& op) {
  const auto handle = find(op);
  if (!handle) return std::nullopt;
  return c10::toString(handle->schema());
}

void manual_seed(uint64_t seed) { at::manual_seed(seed); }

std::string version() { return TORCH_VERSION; }

}  // namespace gb::tests::libtorch
