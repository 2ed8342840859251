#include "dispatcher/kernel_function.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/explain_table.h"

namespace gb {

KernelFunction KernelFunction::makeFallthrough() { return makeFromBody(&fallthrough_body); }
KernelFunction KernelFunction::makeAmbiguousAutogradOther() { return makeFromBody(&ambiguous_body); }
KernelFunction KernelFunction::makeNamedNotSupported() { return makeFromBody(&not_supported_body); }
KernelFunction KernelFunction::makeMissing() { return makeFromBody(&missing_body); }
KernelFunction KernelFunction::makeRemovedOperator() { return makeFromBody(&removed_body); }

std::string KernelFunction::dumpState() const {
  if (isFallthrough()) return "fallthrough";
  if (!isValid()) return "none";
  return isValidUnboxed() ? "unboxed" : "boxed";
}

void KernelFunction::fallthrough_body(const KernelFunction&, const OperatorHandle& op, DispatchKeySet ks, Stack*) {
  GB_CHECK_OR_THROW(ks.highestFunctionalityKey() != DispatchKey::Undefined, Error,
                    .what = fmt::format("{}: a fallthrough kernel was called", toString(op.operator_name())),
                    .cause = "there were no tensor arguments, and the slot for such calls (Undefined), below which there is none, "
                             "holds a fallthrough",
                    .repair = "give CompositeExplicitAutograd a kernel that can run, or none",
                    .chapter = chapters::kDispatch);
  GB_THROW(Error, .what = fmt::format("{}: a fallthrough kernel was called", toString(op.operator_name())),
           .cause = fmt::format("the key set {} was given to redispatch; its highest key is a fallthrough", toString(ks)),
           .repair = "redispatch with a subset of the key set the kernel received: ks & after_autograd_keyset",
           .chapter = chapters::kDispatch);
}

void KernelFunction::ambiguous_body(const KernelFunction&, const OperatorHandle& op, DispatchKeySet, Stack*) {
  GB_THROW(Error,
           .what = fmt::format("{}: ambiguous AutogradOther kernel", toString(op.operator_name())),
           .cause = fmt::format("kernels exist for CompositeImplicitAutograd and for a backend whose autograd key is AutogradOther: "
                                "{}; the call may neither decompose past that backend's kernel nor ignore the composite one",
                                op.entry().listKernels()),
           .repair = "register a kernel for AutogradOther (a fallthrough for inference), or make the composite kernel "
                     "CompositeExplicitAutograd",
           .chapter = chapters::kDispatch);
}

void KernelFunction::not_supported_body(const KernelFunction&, const OperatorHandle& op, DispatchKeySet ks, Stack*) {
  GB_THROW(NotImplementedError, .what = fmt::format("{}: not supported for the key {}", toString(op.operator_name()),
                                                    toString(ks.highestPriorityTypeId())),
           .cause = "a kernel was registered that refuses every call",
           .repair = "use tensors without that key", .chapter = chapters::kDispatch);
}

void KernelFunction::removed_body(const KernelFunction&, const OperatorHandle& op, DispatchKeySet, Stack*) {
  GB_THROW(Error, .what = fmt::format("{}: this operator was removed", toString(op.operator_name())),
           .cause = "the Library that defined it is gone; the handle was looked up before that",
           .repair = "keep the Library alive as long as its operators are called, or look the operator up again",
           .chapter = chapters::kDispatch);
}

namespace {

// Whose fault the key is: "y: {CUDA, ...}", and what the other tensors have.
std::string who_brought(DispatchKey key, const OperatorHandle& op, const Stack& stack) {
  std::string guilty, others;
  if (op.hasSchema() && stack.size() >= op.schema().arguments().size()) {
    const auto& formal = op.schema().arguments();
    const size_t first = stack.size() - formal.size();
    for (size_t i = 0; i < formal.size(); ++i) {
      const DispatchKeySet keys = impl::OperatorEntry::keys_of_value(stack[first + i]);
      if (keys.empty()) continue;
      std::string& text = keys.has(key) ? guilty : others;
      text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", formal[i].name(), toString(keys));
    }
  }
  std::string text = "the key comes from " + guilty;
  if (guilty.empty()) {
    text = impl::tls_is_dispatch_key_included(key) ? "the key comes from this thread, which includes it (a mode or a guard)"
                                                   : "no argument has this key; the kernel that called on asked for it";
  }
  return text + (others.empty() ? "" : fmt::format("; the {}tensors have {}", guilty.empty() ? "" : "other ", others));
}

}  // namespace

void KernelFunction::missing_body(const KernelFunction&, const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  const DispatchKey key = ks.highestPriorityTypeId();
  const bool no_tensors = key == DispatchKey::Undefined;
  const bool autograd = autograd_dispatch_keyset.has(toFunctionalityKey(key));
  const OperatorName& full = op.operator_name();
  const std::string name = toString(full);
  const std::string ns(full.getNamespace().value_or(""));
  const std::string line = fmt::format("GB_LIBRARY_IMPL({}, {}, m) {{ m.impl(\"{}\", &your_kernel); }}", ns.empty() ? "ns" : ns,
                                       no_tensors ? "CompositeExplicitAutograd" : autograd ? "Autograd" : toString(key),
                                       name.substr(ns.empty() ? 0 : ns.size() + 2));
  const std::string slots = "slots that hold a kernel: " + kernels_in_slots(op);
  if (no_tensors) {
    GB_THROW(NotImplementedError,
             .what = fmt::format("{}: there were no tensor arguments, and the operator has no kernel for that", name),
             .cause = fmt::format("so the dispatch key is Undefined; {}", slots),
             .repair = fmt::format("pass a defined tensor, or add a kernel that needs none:\n           {}", line),
             .chapter = chapters::kDispatch);
  }
  GB_THROW(NotImplementedError,
           .what = fmt::format("Could not run {} : no kernel for the dispatch key {}", name, toString(key)),
           .cause = fmt::format("{}\n           {}", who_brought(key, op, *stack), slots),
           .repair = fmt::format("{}, or add one:\n           {}",
                                 autograd                           ? "call it below autograd if it has no gradient"
                                 : backend_dispatch_keyset.has(key) ? "move the tensors to a device that has a kernel"
                                                                    : "call it without this key",
                                 line),
           .chapter = chapters::kDispatch);
}

namespace detail {

void throw_stack_too_short(const OperatorHandle& op, const Stack& stack, size_t needed) {
  GB_THROW(Error, .what = fmt::format("{}: the stack holds too few arguments for a boxed call", toString(op.operator_name())),
           .cause = fmt::format("{} on the stack, the kernel takes {}", stack.size(), needed),
           .repair = "push one value per argument of the schema, None for those left out", .chapter = chapters::kDispatch);
}

}  // namespace detail
}  // namespace gb
