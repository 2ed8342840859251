#include "library/custom_op.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/not_implemented_fallback.h"
#include "core/error.h"

namespace gb {
namespace {

// The Meta kernel of an operator whose author has not said register_fake.
void fake_is_missing(const OperatorHandle& op, Stack*) {
  const std::string name = toString(op.operator_name());
  GB_THROW(NotImplementedError,
           .what = fmt::format("{}: There was no fake impl registered for this operator", name),
           .cause = "it was called with a Meta tensor: shapes only, no data for the forward to read",
           .repair =
               "call .register_fake(f) on its custom_op, with an f that returns an empty tensor of the right "
               "shape",
           .chapter = chapters::kCustomOps);
}
// ... and of one that returns nothing: there is nothing to shape.
void nothing_to_fake(const OperatorHandle& op, Stack* stack) {
  jit::drop(stack, op.schema().arguments().size());
}

FunctionSchema parse(const char* text, const char* file, uint32_t line) {
  FunctionSchema schema = jit::parseSchema(text);
  GB_CHECK_OR_THROW(schema.getNamespace(), ValueError,
                    .what = fmt::format("custom_op: {} has no namespace", toString(schema.operator_name())),
                    .cause = fmt::format("the schema is \"{}\"", text),
                    .repair = "write \"my_namespace::name(...)\"; aten is PyTorch's own",
                    .chapter = chapters::kCustomOps);
  if (const auto found = Dispatcher::singleton().findSchema(schema.operator_name())) {
    GB_THROW(Error, .what = fmt::format("custom_op: {} is defined already", toString(schema.operator_name())),
             .cause = fmt::format("the first: {}; the second: {}:{}", found->debug(), file, line),
             .repair = "let the first CustomOpDef go before the second is made, or choose another name",
             .chapter = chapters::kCustomOps);
  }
  return schema;
}

bool aliases(const Argument& a) { return a.alias_info() != nullptr; }

// Writes nothing and returns new tensors only.
bool is_functional(const FunctionSchema& s) {
  return !s.is_mutable() && std::none_of(s.returns().begin(), s.returns().end(), aliases);
}

bool returns_one_tensor(const FunctionSchema& s) {
  return s.returns().size() == 1 && s.returns()[0].type()->kind() == TypeKind::TensorType;
}

}  // namespace

CustomOpDef::CustomOpDef(const char* text, const char* file, uint32_t line)
    : place_(fmt::format("{}:{}", file, line)),
      is_functional_(true),
      library_(Library::FRAGMENT, std::string(parse(text, file, line).getNamespace().value()), std::nullopt,
               file, line) {
  FunctionSchema schema = jit::parseSchema(text);
  name_ = toString(schema.operator_name());
  is_functional_ = is_functional(schema);
  const bool is_mutable = schema.is_mutable(), returns_nothing = schema.returns().empty();
  library_.def(std::move(schema), file, line);
  if (is_mutable) {
    library_.impl(name_.c_str(), DispatchKey::ADInplaceOrView, autogradNotImplementedInplaceOrViewFallback(),
                  file, line);
  }
  if (returns_nothing) {
    library_.impl(name_.c_str(), DispatchKey::Meta, CppFunction::makeFromBoxedFunction<&nothing_to_fake>(),
                  file, line);
  } else {
    no_fake_.emplace(missing_fake());
  }
}

Library CustomOpDef::missing_fake() const {
  Library library(Library::FRAGMENT, name_.substr(0, name_.find(':')), std::nullopt, __FILE__, __LINE__);
  library.impl(name_.c_str(), DispatchKey::Meta,
               CppFunction::makeFromBoxedFunction<&fake_is_missing>().debug(
                   "no register_fake for custom_op at " + place_));
  return library;
}

OperatorHandle CustomOpDef::handle() const {
  const size_t dot = name_.find('.');
  return Dispatcher::singleton().findSchemaOrThrow(name_.substr(0, dot).c_str(),
                                                   dot == std::string::npos ? "" : name_.c_str() + dot + 1);
}

void CustomOpDef::check_device(DeviceType device) const {
  GB_CHECK_OR_THROW(device != kMeta, ValueError,
                    .what = fmt::format("register_kernel: {} for Meta is a fake kernel", name_),
                    .cause = "Meta tensors have no data", .repair = "use register_fake",
                    .chapter = chapters::kCustomOps);
}

void CustomOpDef::check_free(const char* what, DispatchKey key, const char* file, uint32_t line) const {
  const OperatorHandle op = handle();
  if (!op.hasKernelForDispatchKey(key)) return;
  GB_THROW(Error, .what = fmt::format("{}: {} has a kernel for {} already", what, name_, toString(key)),
           .cause = fmt::format("registered: {}; the second: {}:{}", op.entry().listKernels(), file, line),
           .repair = fmt::format("call {} once per key; to replace a kernel, make the custom_op anew", what),
           .chapter = chapters::kCustomOps);
}

CustomOpDef& CustomOpDef::add_kernel(const char* what, DispatchKey key, CppFunction&& kernel,
                                     const char* file, uint32_t line) {
  check_free(what, key, file, line);
  library_.impl(name_.c_str(), key, std::move(kernel), file, line);
  return *this;
}

CustomOpDef& CustomOpDef::add_fake(CppFunction&& kernel, const char* file, uint32_t line) {
  if (!no_fake_) check_free("register_fake", DispatchKey::Meta, file, line);
  no_fake_.reset();
  try {
    library_.impl(name_.c_str(), DispatchKey::Meta, std::move(kernel), file, line);
  } catch (...) {  // another signature: as it was
    no_fake_.emplace(missing_fake());
    throw;
  }
  return *this;
}

CustomOpDef& CustomOpDef::add_autograd(CustomFormula::Backward backward, bool one_output_only,
                                       CustomFormula::SetupContext setup_context, const char* file,
                                       uint32_t line) {
  const FunctionSchema& schema = handle().schema();
  GB_CHECK_OR_THROW(
      is_functional_ && !schema.returns().empty(), Error,
      .what = fmt::format(
          "register_autograd: Cannot register autograd formula for non-functional operator {}", name_),
      .cause = fmt::format("the schema writes an argument, returns an alias, or returns nothing: {}",
                           toString(schema)),
      .repair =
          "give the formula to a functional operator (no `!`, no alias sets) and write in place around it",
      .chapter = chapters::kCustomOps);
  GB_CHECK_OR_THROW(!one_output_only || returns_one_tensor(schema), Error,
                    .what = fmt::format("register_autograd: this backward of {} takes one gradient", name_),
                    .cause = fmt::format("the operator does not return one Tensor: {}", toString(schema)),
                    .repair = "take `const std::vector<Tensor>& grad_outputs`",
                    .chapter = chapters::kCustomOps);
  check_free("register_autograd", DispatchKey::Autograd, file, line);
  auto formula = std::make_shared<CustomFormula>();
  formula->op = name_;
  formula->backward = std::move(backward);
  formula->setup_context = std::move(setup_context);
  const size_t colons = name_.find("::");
  std::string identifier =
      fmt::format("{}_{}", name_.substr(0, colons), name_.substr(colons + 2));  // lynx_cortex_softmax
  std::replace(identifier.begin(), identifier.end(), '.', '_');
  formula->node_name = fmt::format("GeneratedBackwardFor_{}_defaultBackward", identifier);
  library_.impl(name_.c_str(), DispatchKey::Autograd, make_autograd_kernel(std::move(formula)), file, line);
  return *this;
}

Stack CustomOpDef::call_boxed(Stack args) const {
  const OperatorHandle op = handle();
  op.schema().checkAndNormalizeInputs(args);
  op.callBoxed(args);
  return args;
}

std::string CustomOpDef::dump() const {
  const OperatorHandle op = handle();
  return fmt::format("{}{}", op.dumpState(), op.dumpComputedTable());
}

}  // namespace gb
