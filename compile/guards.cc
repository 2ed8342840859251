#include "compile/guards.h"

#include <fmt/format.h>

#include "compile/lowering/registry.h"
#include "core/autograd_state.h"

namespace gb::compiler {
namespace {

const char* word(bool b) { return b ? "True" : "False"; }
const char* on_off(bool b) { return b ? "on" : "off"; }

bool requires_grad(const Tensor& t) { return t.unsafeGetTensorImpl()->requires_grad(); }

}  // namespace

std::optional<std::string> TensorGuard::failure(const Tensor& t) const {
  if (t.scalar_type() != meta.dtype) {
    return fmt::format("dtype of {}: expected {}, actual {}", what, gb::toString(meta.dtype),
                       gb::toString(t.scalar_type()));
  }
  if (!(t.device() == device))
    return fmt::format("device of {}: expected {}, actual {}", what, device.str(), t.device().str());
  if (t.dim() != static_cast<int64_t>(meta.sizes.size())) {
    return fmt::format("rank of {}: expected {}, actual {}", what, meta.sizes.size(), t.dim());
  }
  for (size_t d = 0; d < meta.sizes.size(); ++d) {
    if (t.sizes()[d] != meta.sizes[d]) {
      return fmt::format("size of {} at dimension {}: expected {}, actual {}", what, d, meta.sizes[d],
                         t.sizes()[d]);
    }
  }
  for (size_t d = 0; d < meta.strides.size(); ++d) {
    if (t.strides()[d] != meta.strides[d]) {
      return fmt::format("stride of {} at dimension {}: expected {}, actual {}", what, d, meta.strides[d],
                         t.strides()[d]);
    }
  }
  if (compiler::requires_grad(t) != requires_grad) {
    return fmt::format("requires_grad of {}: expected {}, actual {}", what, word(requires_grad),
                       word(!requires_grad));
  }
  return std::nullopt;
}

Guards::Guards(const Graph& graph, const std::vector<Tensor>& inputs)
    : grad_mode_(GradMode::is_enabled()),
      default_dtype_(get_default_dtype().toScalarType()),
      lowerings_(lowering_registry_version()) {
  for (size_t i = 0, n = 0; i < graph.inputs.size(); ++i) {
    const GraphInput& input = graph.inputs[i];
    const Tensor& t = input.lifted ? input.tensor : inputs[n];
    TensorGuard guard{input.lifted ? "lifted " + input.name : fmt::format("input {} ({})", n, input.name),
                      TensorMeta::of(t), t.device(), compiler::requires_grad(t)};
    (input.lifted ? lifted_ : inputs_).push_back(std::move(guard));
    if (input.lifted) {
      lifted_tensors_.push_back(t);
    } else {
      ++n;
    }
  }
}

std::optional<std::string> Guards::failure(const std::vector<Tensor>& inputs) const {
  if (inputs.size() != inputs_.size()) {
    return fmt::format("number of inputs: expected {}, actual {}", inputs_.size(), inputs.size());
  }
  if (GradMode::is_enabled() != grad_mode_) {
    return fmt::format("grad mode: expected {}, actual {}", on_off(grad_mode_), on_off(!grad_mode_));
  }
  if (const ScalarType now = get_default_dtype().toScalarType(); now != default_dtype_) {
    return fmt::format("default dtype: expected {}, actual {}", dtype_abbr(default_dtype_), dtype_abbr(now));
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (auto failure = inputs_[i].failure(inputs[i])) return failure;
  }
  for (size_t i = 0; i < lifted_.size(); ++i) {
    if (auto failure = lifted_[i].failure(lifted_tensors_[i])) return failure;
  }
  if (lowering_registry_version() != lowerings_) return "lowerings: one was registered or removed";
  return std::nullopt;
}

std::string Guards::text() const {
  std::string text =
      fmt::format("number of inputs == {}\ngrad mode == {}\n", inputs_.size(), on_off(grad_mode_));
  for (const auto* guards : {&inputs_, &lifted_}) {
    for (const TensorGuard& g : *guards) {
      text += fmt::format("{}: {}[{}] strides [{}] on {}, requires_grad == {}\n", g.what,
                          dtype_abbr(g.meta.dtype), fmt::join(g.meta.sizes, ", "),
                          fmt::join(g.meta.strides, ", "), g.device.str(), word(g.requires_grad));
    }
  }
  return text;
}

}  // namespace gb::compiler
