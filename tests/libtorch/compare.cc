#include "tests/libtorch/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dispatcher/ivalue_print.h"
#include "tests/op_case.h"

namespace gb::tests {

Tolerance tolerance_for(ScalarType dtype, double factor) {
  switch (dtype) {
    case kDouble: return {1e-12 * factor, 1e-12 * factor};
    case kFloat: return {2e-6 * factor, 1e-6 * factor};
    case kHalf: return {2e-3 * factor, 1e-3 * factor};
    case kBFloat16: return {1.6e-2 * factor, 1e-2 * factor};
    default: return {};
  }
}

std::optional<std::string> value_difference(const Tensor& ours, const Tensor& theirs, Tolerance tolerance) {
  double worst = 0;
  std::optional<std::string> text;
  for (int64_t i = 0; i < ours.numel(); ++i) {
    const double a = element(ours, i), b = element(theirs, i);
    if (a == b || (std::isnan(a) && std::isnan(b))) continue;
    const double excess = std::abs(a - b) - tolerance.absolute - tolerance.relative * std::abs(b);
    if (excess <= 0 || (text && excess <= worst)) continue;  // with NaN or infinity on one side, excess is neither
    worst = excess;
    text = fmt::format("element {} of {}: {:.17g} here, {:.17g} in LibTorch", i, to_string(ours.sizes()), a, b);
  }
  return text;
}

std::optional<std::string> geometry_difference(const Tensor& ours, const Tensor& theirs) {
  if (ours.defined() != theirs.defined())
    return fmt::format("{} here, {} in LibTorch", ours.defined() ? "defined" : "undefined",
                       theirs.defined() ? "defined" : "undefined");
  if (!ours.defined()) return std::nullopt;
  if (ours.scalar_type() != theirs.scalar_type())
    return fmt::format("dtype {} here, {} in LibTorch", toString(ours.scalar_type()), toString(theirs.scalar_type()));
  if (!(ours.sizes() == theirs.sizes()))
    return fmt::format("sizes {} here, {} in LibTorch", to_string(ours.sizes()), to_string(theirs.sizes()));
  if (ours.storage_offset() != theirs.storage_offset())
    return fmt::format("offset {} here, {} in LibTorch", ours.storage_offset(), theirs.storage_offset());
  for (int64_t d = 0; d < ours.dim() && ours.numel() > 0; ++d)
    if (ours.size(d) != 1 && ours.stride(d) != theirs.stride(d))
      return fmt::format("strides {} here, {} in LibTorch, sizes {}", to_string(ours.strides()),
                         to_string(theirs.strides()), to_string(ours.sizes()));
  return std::nullopt;
}

namespace {

bool all_zero(const Tensor& t) {
  for (int64_t i = 0; t.defined() && i < t.numel(); ++i)
    if (element(t, i) != 0) return false;
  return true;
}

// No gradient, and a gradient of zeros, are the same thing here: which of the two there is depends on how the first
// gradient was put together, and so does its layout.
std::optional<std::string> second_difference(const std::vector<Tensor>& ours, const std::vector<Tensor>& theirs,
                                             const CompareOptions& options) {
  for (size_t i = 0; i < std::max(ours.size(), theirs.size()); ++i) {
    const Tensor a = i < ours.size() ? ours[i] : Tensor(), b = i < theirs.size() ? theirs[i] : Tensor();
    if (!a.defined() || !b.defined()) {
      if (all_zero(a) && all_zero(b)) continue;
      return fmt::format("second gradient {}: {} here, {} in LibTorch", i, a.defined() ? "there" : "none",
                         b.defined() ? "there" : "none");
    }
    const Tolerance tolerance = tolerance_for(a.scalar_type(), 8 * options.tolerance_factor);
    if (auto text = value_difference(a, b, tolerance)) return fmt::format("second gradient {}: {}", i, *text);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> difference(const Answer& ours, const Answer& theirs, const CompareOptions& options) {
  if (ours.error.empty() != theirs.error.empty())
    return ours.error.empty() ? "LibTorch refuses it: " + theirs.error.substr(0, theirs.error.find('\n'))
                              : "refused here: " + ours.error;
  if (!ours.error.empty()) return std::nullopt;
  if (ours.outputs.size() != theirs.outputs.size()) return "another number of outputs";
  for (size_t i = 0; i < ours.outputs.size(); ++i) {
    const IValue &a = ours.outputs[i], &b = theirs.outputs[i];
    if (!a.isTensor() || !b.isTensor()) {
      if (!(a == b)) return fmt::format("output {}: {} here, {} in LibTorch", i, to_string(a), to_string(b));
      continue;
    }
    if (auto text = geometry_difference(a.toTensor(), b.toTensor())) return fmt::format("output {}: {}", i, *text);
    const Tolerance tolerance = tolerance_for(a.toTensor().scalar_type(), options.tolerance_factor);
    if (options.values && !a.toTensor().is_meta())
      if (auto text = value_difference(a.toTensor(), b.toTensor(), tolerance)) return fmt::format("output {}: {}", i, *text);
    if (ours.output_alias_of[i] != theirs.output_alias_of[i])
      return fmt::format("output {} shares memory with argument {} here, {} in LibTorch (-1: none)", i,
                         ours.output_alias_of[i], theirs.output_alias_of[i]);
    if (ours.output_requires_grad[i] != theirs.output_requires_grad[i])
      return fmt::format("output {} requires_grad: {} here, {} in LibTorch", i, bool(ours.output_requires_grad[i]),
                         bool(theirs.output_requires_grad[i]));
  }
  if (ours.versions != theirs.versions)
    return fmt::format("versions of the arguments: {} here, {} in LibTorch", to_string(IntArrayRef(ours.versions)),
                       to_string(IntArrayRef(theirs.versions)));
  if (ours.graph != theirs.graph) return fmt::format("tape\n  here      {}\n  LibTorch  {}", ours.graph, theirs.graph);
  for (size_t i = 0; i < ours.gradients.size(); ++i) {
    const Tensor &a = ours.gradients[i], &b = theirs.gradients[i];
    if (auto text = geometry_difference(a, b)) return fmt::format("gradient {}: {}", i, *text);
    if (!a.defined()) continue;
    const Tolerance tolerance = tolerance_for(a.scalar_type(), options.tolerance_factor);
    if (auto text = value_difference(a, b, tolerance)) return fmt::format("gradient {}: {}", i, *text);
  }
  return second_difference(ours.second_gradients, theirs.second_gradients, options);
}

}  // namespace gb::tests
