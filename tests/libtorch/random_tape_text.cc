#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "tests/libtorch/random_tape_program.h"

namespace gb::tests::tape {
namespace {

std::string value(int number) { return fmt::format("v{}", number); }

std::string values(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += (text.empty() ? "" : ", ") + value(number);
  return text;
}

std::string call_text(const Statement& s) {
  std::string arguments = values(s.operands);
  if (s.scalar != 0) arguments += fmt::format(", {}", s.scalar);
  if (!s.ints.empty()) arguments += fmt::format("; {}", fmt::join(s.ints, ", "));
  const std::string call = fmt::format("{}({})", s.name, arguments);
  return s.writes() ? call : fmt::format("{} = {}", value(s.number), call);
}

const char* hook_text(Hook hook) {
  switch (hook) {
    case Hook::kObserve: return "observe";
    case Hook::kTwice: return "return twice the gradient";
    case Hook::kReplace: return "return a tensor of ones";
    case Hook::kWrongSize: return "return another size";
    case Hook::kThrow: return "throw";
  }
  return "";
}

std::string pass_text(const Statement& s) {
  std::string text = values(s.operands);
  if (s.gradient) text += ", with gradients";
  if (!s.inputs.empty()) text += ", inputs " + values(s.inputs);
  if (s.retain_graph) text += ", retain_graph";
  if (s.create_graph) text += ", create_graph";
  if (s.allow_unused) text += ", allow_unused";
  return text;
}

std::string plain_text(const Statement& s) {
  const std::string self = s.operands.empty() ? "" : value(s.operands[0]), made = value(s.number);
  switch (s.kind) {
    case Kind::kLeaf:
      return fmt::format("{} = leaf([{}]){}", made, fmt::join(s.ints, ", "), s.flag ? ".requires_grad_()" : "");
    case Kind::kCall: return call_text(s);
    case Kind::kDetach: return fmt::format("{} = {}.detach()", made, self);
    case Kind::kDetachInPlace: return self + ".detach_()";
    case Kind::kData: return fmt::format("{} = {}.data()", made, self);
    case Kind::kSetData: return fmt::format("{}.set_data({})", self, value(s.operands[1]));
    case Kind::kRequiresGrad: return fmt::format("{}.requires_grad_({})", self, s.flag);
    case Kind::kNoGrad: return "{ NoGradGuard";
    case Kind::kEnableGrad: return "{ AutoGradMode(true)";
    case Kind::kInference: return "{ InferenceMode";
    case Kind::kNormal: return "{ InferenceMode(false)";
    case Kind::kEnd: return "}";
    case Kind::kHook: return fmt::format("hook {} = {}.register_hook({})", s.number, self, hook_text(s.hook));
    case Kind::kRemoveHook: return fmt::format("{}.remove_hook(hook {})", self, s.target);
    case Kind::kRetainGrad: return self + ".retain_grad()";
    case Kind::kBackward: return fmt::format("backward({})", pass_text(s));
    case Kind::kGrad: return fmt::format("{} = grad({})[0]", made, pass_text(s));
    case Kind::kClearGrad: return self + ".mutable_grad().reset()";
    case Kind::kDrop: return "drop " + self;
  }
  return "";
}

}  // namespace

bool Statement::changes_geometry() const {
  static const std::set<std::string> kNames{"t_", "transpose_", "unsqueeze_", "squeeze_", "squeeze_dim_"};
  return kind == Kind::kCall && kNames.count(name) > 0;
}

std::string to_text(const Statement& statement) {
  return plain_text(statement) + (statement.look ? "" : "    (grad_fn not asked for)");
}

std::string to_text(const Program& program) {
  std::string text = fmt::format("seed {}\n", program.seed);
  for (const Statement& s : program.statements) text += fmt::format("  [{}] {}\n", s.number, to_text(s));
  return text;
}

}  // namespace gb::tests::tape
