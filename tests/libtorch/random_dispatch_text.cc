#include <fmt/format.h>

#include "tests/libtorch/random_dispatch_program.h"

namespace gb::tests::dispatch {
namespace {

std::string braces(const KeyNames& keys) {
  std::string text = "{";
  for (const std::string& key : keys) text += (text.size() > 1 ? ", " : "") + key;
  return text + "}";
}

std::string key_of(const Step& step) { return step.key.empty() ? "no key" : step.key; }

}  // namespace

std::string to_text(const Kernel& kernel) {
  static constexpr const char* forms[] = {"unboxed", "unboxed with keys", "boxed", "fallthrough",
                                          "not supported"};
  static constexpr const char* thens[] = {"", ", redispatches", ", calls again without its key"};
  std::string text = std::string(forms[kernel.form]) + thens[kernel.then];
  if (kernel.form == Kernel::kUnboxed || kernel.form == Kernel::kUnboxedWithKeys)
    text += std::string(" ") + kSignatures[kernel.signature];
  return text;
}

std::string to_text(const Step& step) {
  const char* const op = kOperators[step.op];
  const char* const schema = kSignatures[step.signature];
  const std::string kernel = to_text(step.kernel);
  const auto numbered = [&](const std::string& text) { return fmt::format("[{}] {}", step.number, text); };
  switch (step.kind) {
    case Step::kLibrary:
      return numbered("the DEF block of the namespace");
    case Step::kDef:
      return numbered(fmt::format("def {}{}", op, schema));
    case Step::kDefWithKernel:
      return numbered(fmt::format("def {}{} with kernel: {}", op, schema, kernel));
    case Step::kDefByName:
      return numbered(fmt::format("def {} by kernel: {}", op, kernel));
    case Step::kImpl:
      return numbered(fmt::format("impl {} for {}{}: {}", op, key_of(step),
                                  step.key_in_kernel ? " (in the kernel)" : "", kernel));
    case Step::kFallback:
      return numbered(fmt::format("fallback for {}: {}", key_of(step), kernel));
    case Step::kDeregister:
      return fmt::format("deregister [{}]", step.target);
    case Step::kDefInImplBlock:
      return numbered("def in an IMPL block");
    case Step::kDefOfOtherNamespace:
      return numbered("def of another namespace");
    case Step::kImplOfOtherNamespace:
      return numbered("impl of another namespace");
    case Step::kImplOfOtherKey:
      return numbered("impl whose key is not the block's");
    case Step::kFallbackInNamespace:
      return numbered("fallback in a named namespace");
    case Step::kDefOfWildcard:
      return numbered("a FRAGMENT of the namespace _");
    case Step::kDefBoxedByName:
      return numbered(fmt::format("def {} by a boxed kernel", op));
    case Step::kDefBadSchema:
      return numbered("def of a schema that does not parse");
  }
  return "";
}

std::string to_text(const Call& call) {
  std::string text = "call ";
  text += kOperators[call.op];
  switch (call.how) {
    case Call::kTyped:
      text += ", typed";
      break;
    case Call::kBoxed:
      text += ", boxed";
      break;
    case Call::kTypedRedispatch:
      text += ", typed redispatch with " + braces(call.redispatch);
      break;
    case Call::kBoxedRedispatch:
      text += ", boxed redispatch with " + braces(call.redispatch);
      break;
    case Call::kForKey:
      text += ", callBoxedForDispatchKey " + call.key;
      break;
  }
  text += ", tensors [";
  for (const auto& tensor : call.tensors)
    text += (text.back() == '[' ? "" : ", ") + (tensor ? braces(*tensor) : "undefined");
  text += "]";
  if (!call.default_include || !call.include.empty())
    text += ", TLS include " + std::string(call.default_include ? "default + " : "") + braces(call.include);
  if (call.autocast || !call.exclude.empty())
    text += ", TLS exclude " + std::string(call.autocast ? "" : "default + ") + braces(call.exclude);
  return text;
}

std::string to_text(const Program& program) {
  std::string text = fmt::format("seed {}\n", program.seed);
  for (const Action& action : program.actions)
    text += "  " + std::visit([](const auto& a) { return to_text(a); }, action) + "\n";
  return text;
}

}  // namespace gb::tests::dispatch
