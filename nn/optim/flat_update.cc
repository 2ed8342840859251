#include "nn/optim/flat_update.h"

#include <fmt/format.h>

#include "core/error.h"
#include "ops/factories/factories.h"

namespace gb::optim {

FlatUpdate::FlatUpdate(const Tensor& parameter, const Tensor& grad)
    : parameter_(parameter), flat_(parameter.is_non_overlapping_and_dense() ? parameter : parameter.contiguous()),
      grad_(laid_out(grad)) {}

Tensor FlatUpdate::laid_out(const Tensor& t) const {
  return t.strides() == flat_.strides() ? t : empty_like(flat_).copy_(t);
}

Tensor FlatUpdate::state(const Tensor& saved) const { return saved.defined() ? laid_out(saved) : zeros_like(flat_); }

void FlatUpdate::finish() const {
  if (flat_.is_same(parameter_)) {
    parameter_.unsafeGetTensorImpl()->bump_version();
  } else {
    parameter_.copy_(flat_);
  }
}

Tensor state_tensor(const OrderedDict<std::string, Tensor>& state, const char* name, const Tensor& parameter,
                    bool optional) {
  const Tensor* found = state.find(name);
  if (!found && optional) return {};
  GB_CHECK_OR_THROW(
      found && found->sizes() == parameter.sizes() && found->scalar_type() == parameter.scalar_type(), ValueError,
      .what = fmt::format("load_state_dict: {} '{}'", found ? "size or dtype mismatch for" : "missing", name),
      .cause = fmt::format("for a parameter that is a {} of sizes {}", parameter.toString(), to_string(parameter.sizes())),
      .repair = "load into an optimizer made as the one that was saved", .chapter = chapters::kGrammar);
  return found->to(TensorOptions(parameter.device()), /*non_blocking=*/false, /*copy=*/true);
}

}  // namespace gb::optim
