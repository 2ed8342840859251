#include "compile/capture_mode.h"

#include <fmt/format.h>

#include <map>

#include "core/error.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/local_dispatch_key_set.h"
#include "ops/common/empty.h"

namespace gb::compiler {
namespace {

Tensor make_fake(const Tensor& real) {
  Tensor fake = empty_strided_on(kMeta, real.sizes(), real.strides(), real.scalar_type());
  fake.unsafeGetTensorImpl()->set_wrapped_number(real.unsafeGetTensorImpl()->is_wrapped_number());
  return fake;
}

std::optional<double> number_in(const Tensor& real) {
  if (!real.unsafeGetTensorImpl()->is_wrapped_number() || !real.is_cpu()) return {};
  switch (real.scalar_type()) {
    case kDouble:
      return *real.const_data_ptr<double>();
    case kFloat:
      return *real.const_data_ptr<float>();
    case kLong:
      return static_cast<double>(*real.const_data_ptr<int64_t>());
    default:
      return {};
  }
}

// "aten::_softmax.out" -> "_softmax".
std::string short_name(const OperatorName& name) {
  const size_t at = name.name.rfind("::");
  return at == std::string::npos ? name.name : name.name.substr(at + 2);
}

// Of an operator that changes a geometry in place: the overload of the view that does the same to a new tensor, and is
// named without the _. Null for other operators.
const char* view_form(const std::string& inplace) {
  static const std::map<std::string, const char*> forms{
      {"aten::t_", ""},        {"aten::transpose_", "int"}, {"aten::unsqueeze_", ""},
      {"aten::squeeze_", ""}, {"aten::squeeze_.dim", "dim"}, {"aten::squeeze_.dims", "dims"}};
  const auto found = forms.find(inplace);
  return found == forms.end() ? nullptr : found->second;
}

}  // namespace

CaptureMode::CaptureMode(const std::vector<Tensor>& inputs, CaptureNames names) : names_(std::move(names)) {
  if (!inputs.empty()) graph_.device = inputs[0].device();
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::string name = i < names_.inputs.size() ? names_.inputs[i]
                       : inputs.size() == 1     ? "x"
                                                : fmt::format("x{}", i);
    fakes_.push_back(add_input(inputs[i], std::move(name), /*lifted=*/false));
  }
}

Tensor CaptureMode::add_input(const Tensor& real, std::string name, bool lifted) {
  name = graph_.unique_name(name);
  if (graph_.inputs.empty()) graph_.device = real.device();
  check_device(real, name);
  const Tensor fake = make_fake(real);
  values_[fake.unsafeGetTensorImpl()] = {true, static_cast<int>(graph_.inputs.size()), 0};
  graph_.inputs.push_back({name, TensorMeta::of(fake), lifted, lifted ? real : Tensor(),
                           lifted ? number_in(real) : std::nullopt});
  keep_alive_.push_back(fake);
  return fake;
}

void CaptureMode::check_device(const Tensor& real, const std::string& name) const {
  const bool number = real.unsafeGetTensorImpl()->is_wrapped_number();
  GB_CHECK_OR_THROW(number || real.device() == graph_.device, NotImplementedError,
                    .what = "gb::compile: all tensors of a compiled callable must be on one device",
                    .cause = fmt::format("{} is on {}, the tensors before it are on {}", name,
                                         real.device().str(), graph_.device.str()),
                    .repair = "move the tensors to one device first, or run the callable eagerly",
                    .chapter = chapters::kCompile);
}

Tensor CaptureMode::fake_of(const Tensor& t) {
  if (values_.count(t.unsafeGetTensorImpl())) return t;
  if (const auto it = lifted_.find(t.unsafeGetTensorImpl()); it != lifted_.end()) return it->second;
  GB_CHECK_OR_THROW(
      !t.is_meta(), NotImplementedError,
      .what = "gb::compile: a Meta tensor that is neither an input nor a result turned up in the callable",
      .cause = fmt::format("its shape is {}", to_string(TensorMeta::of(t))),
      .repair = "hold real tensors in the callable: Meta tensors have no values to compute with",
      .chapter = chapters::kCompile);
  std::string name = t.unsafeGetTensorImpl()->is_wrapped_number() ? "number" : "lifted";
  for (const auto& [given, tensor] : names_.parameters) {
    if (tensor.is_same(t)) name = given;
  }
  Tensor fake = add_input(t, std::move(name), /*lifted=*/true);
  keep_alive_.push_back(t);
  return lifted_.emplace(t.unsafeGetTensorImpl(), std::move(fake)).first->second;
}

Argument CaptureMode::record_argument(IValue& value) {
  if (value.isTensor() && value.toTensor().defined()) {
    const Tensor fake = fake_of(value.toTensor());
    value = fake;
    return {Argument::Kind::kValue, {values_.at(fake.unsafeGetTensorImpl())}, {}};
  }
  if (value.isTensorList()) {
    Argument arg{Argument::Kind::kValueList, {}, {}};
    std::vector<Tensor> fakes;
    for (const Tensor& t : value.toTensorVector()) {
      fakes.push_back(fake_of(t));
      arg.refs.push_back(values_.at(fakes.back().unsafeGetTensorImpl()));
    }
    value = fakes;
    return arg;
  }
  if (value.isDevice()) {  // a factory: the graph makes the real thing, the capture a fake
    const Argument arg{
        Argument::Kind::kConstant, {}, value.toDevice().is_meta() ? IValue(graph_.device) : value};
    value = Device(kMeta);
    return arg;
  }
  return {Argument::Kind::kConstant, {}, value};
}

void CaptureMode::record_results(const OperatorHandle& op, std::vector<Argument> args, const Stack& stack,
                                 size_t first) {
  Node node{op, std::move(args), {}, {}};
  const int index = static_cast<int>(graph_.nodes.size());
  std::vector<Tensor> results;
  for (size_t i = first; i < stack.size(); ++i) {
    if (stack[i].isTensor()) {
      results.push_back(stack[i].toTensor());
    } else if (stack[i].isTensorList()) {
      for (const Tensor& t : stack[i].toTensorVector()) results.push_back(t);
    } else {
      GB_THROW(NotImplementedError,
               .what = fmt::format("gb::compile: {} returns a value that is not a tensor",
                                   toString(op.operator_name())),
               .cause = fmt::format("result {} is of kind {}", i - first, stack[i].tagKind()),
               .repair = "compute it outside of the compiled callable", .chapter = chapters::kCompile);
    }
  }
  graph_.nodes.push_back(std::move(node));
  for (size_t i = 0; i < results.size(); ++i) {
    const std::string name = graph_.unique_name(short_name(op.operator_name()));
    graph_.nodes[index].names.push_back(name);
    graph_.nodes[index].results.push_back(TensorMeta::of(results[i]));
    // emplace: an operator that returns its argument as it is adds no value.
    values_.emplace(results[i].unsafeGetTensorImpl(), ValueRef{false, index, static_cast<int>(i)});
    keep_alive_.push_back(results[i]);
  }
}

bool CaptureMode::record_inplace_view(const OperatorHandle& op, Stack* stack) {
  const char* overload = view_form(toString(op.operator_name()));
  const size_t first = stack->size() - op.schema().arguments().size();
  if (!overload) return false;
  const auto self = values_.find((*stack)[first].toTensor().unsafeGetTensorImpl());
  if (self == values_.end() || self->second.is_input) return false;
  std::string name = op.operator_name().name;
  name.pop_back();
  const OperatorHandle view = Dispatcher::singleton().findSchemaOrThrow(name.c_str(), overload);
  std::vector<Argument> args;
  for (size_t i = first; i < stack->size(); ++i) args.push_back(record_argument((*stack)[i]));
  op.redispatchBoxed(DispatchKeySet(DispatchKey::Meta), stack);
  values_.erase(self);  // the tensor is another value now
  record_results(view, std::move(args), *stack, first);
  return true;
}

void CaptureMode::dispatch(const OperatorHandle& op, DispatchKeySet, Stack* stack) {
  const FunctionSchema& schema = op.schema();
  const std::string name = toString(op.operator_name());
  if (op.entry().reason(DispatchKey::Meta) == impl::SlotReason::kCompositeImplicit) {
    const DispatchModeGuard again(this);  // what it is made of is recorded instead
    return op.redispatchBoxed(DispatchKeySet(DispatchKey::Meta), stack);
  }
  if (record_inplace_view(op, stack)) return;
  GB_CHECK_OR_THROW(
      !schema.is_mutable(), NotImplementedError,
      .what = fmt::format("gb::compile: {} writes to one of its arguments, which is not supported yet", name),
      .cause = fmt::format("its schema is {}", gb::to_string(schema)),
      .repair = "use the form that returns a new tensor, or run the callable eagerly",
      .chapter = chapters::kCompile);
  const size_t first = stack->size() - schema.arguments().size();
  std::vector<Argument> args;
  for (size_t i = first; i < stack->size(); ++i) args.push_back(record_argument((*stack)[i]));
  try {
    op.redispatchBoxed(DispatchKeySet(DispatchKey::Meta), stack);
  } catch (Error& e) {
    e.add_context(
        fmt::format("while gb::compile asked {} for the shape of its result, on fake (Meta) tensors", name));
    throw;
  }
  record_results(op, std::move(args), *stack, first);
}

Graph CaptureMode::finish(const std::vector<Tensor>& outputs) && {
  for (const Tensor& t : outputs) {
    GB_CHECK_OR_THROW(t.defined(), ValueError,
                      .what = "gb::compile: the callable returned an undefined tensor",
                      .cause = fmt::format("it returned {} tensors", outputs.size()),
                      .repair = "return defined tensors only", .chapter = chapters::kCompile);
    graph_.outputs.push_back(values_.at(fake_of(t).unsafeGetTensorImpl()));
  }
  graph_.eliminate_dead_code();
  return std::move(graph_);
}

bool is_capturing() { return dynamic_cast<CaptureMode*>(active_dispatch_mode()) != nullptr; }

Graph capture(const TensorFunction& fn, const std::vector<Tensor>& inputs, const CaptureNames& names) {
  CaptureMode mode(inputs, names);
  std::vector<Tensor> outputs;
  try {
    const AutoDispatchBelowADInplaceOrView below_autograd;
    const DispatchModeGuard active(&mode);
    outputs = fn(mode.fakes());
  } catch (Error& e) {
    e.add_context("while gb::compile captured the callable");
    throw;
  }
  return std::move(mode).finish(outputs);
}

}  // namespace gb::compiler
