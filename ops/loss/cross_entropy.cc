// nll_loss, nll_loss_nd and cross_entropy_loss: composites, whose gradients are those of what they call.
#include <fmt/format.h>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/loss/checks.h"
#include "ops/loss/loss.h"
#include "ops/softmax/softmax.h"

namespace gb {
namespace {

Tensor nll_loss_composite(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                          int64_t reduction, int64_t ignore_index) {
  return std::get<0>(nll_loss_forward(self, target, weight, reduction, ignore_index));
}

Tensor nll_loss_nd_composite(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                             int64_t reduction, int64_t ignore_index) {
  check_defined(self, "nll_loss_nd", "self");
  check_defined(target, "nll_loss_nd", "target");
  GB_CHECK_OR_THROW(self.dim() > 0, ValueError,
                    .what = "gb::nll_loss_nd: Expected 1 or more dimensions (got 0)",
                    .cause = "self has no dimension of classes",
                    .repair = "give self [rows, classes] or [classes]", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(self.dim() <= 2, NotImplementedError,
                    .what = fmt::format("gb::nll_loss_nd: a loss of {} dimensions is not here", self.dim()),
                    .cause = fmt::format("self has sizes {}: there are dimensions behind the classes",
                                         to_string(self.sizes())),
                    .repair = "reshape self to [rows, classes], with the classes last, and target to [rows]",
                    .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      self.dim() == 1 || (target.dim() == 1 && self.sizes()[0] == target.sizes()[0]) || target.dim() != 1,
      ValueError,
      .what = fmt::format("gb::nll_loss_nd: Expected input batch_size ({}) to match target batch_size ({}).",
                          self.sizes()[0], target.sizes().empty() ? 0 : target.sizes()[0]),
      .cause = fmt::format("self has sizes {}, target has sizes {}", to_string(self.sizes()),
                           to_string(target.sizes())),
      .repair = "give one target per row", .chapter = chapters::kTensors);
  return nll_loss(self, target, weight, reduction, ignore_index);
}

// weight [classes] as a factor of t, whose classes are dimension `dim`; t itself where there is none.
Tensor weighted(const Tensor& t, const std::optional<Tensor>& weight, int64_t dim) {
  if (!weight || !weight->defined()) return t;
  std::vector<int64_t> sizes(t.sizes().size(), 1);
  sizes[static_cast<size_t>(dim)] = weight->sizes()[0];
  return t.mul(weight->view(sizes));
}

Tensor of_probabilities(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                        int64_t reduction, double label_smoothing) {
  const int64_t dim = self.dim() == 1 ? 0 : 1, classes = self.sizes()[static_cast<size_t>(dim)];
  if (weight && weight->defined()) check_class_weight(*weight, classes, "cross_entropy_loss");
  const Tensor log_probabilities = log_softmax(self, dim, self.scalar_type());
  const Tensor smoothed =
      label_smoothing > 0
          ? target.mul(1 - label_smoothing).add(label_smoothing / static_cast<double>(classes))
          : target;
  const Tensor product = weighted(log_probabilities.mul(smoothed), weight, dim);
  if (reduction == Reduction::None) return product.sum({dim}).neg();
  const Tensor loss = product.sum().neg();
  return reduction == Reduction::Sum
             ? loss
             : loss.div(static_cast<double>(self.numel()) / static_cast<double>(classes));
}

Tensor with_smoothing(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                      int64_t reduction, int64_t ignore_index, double label_smoothing) {
  const int64_t dim = self.dim() == 1 ? 0 : 1, classes = self.sizes()[static_cast<size_t>(dim)];
  const Tensor log_probabilities = log_softmax(self, dim, self.scalar_type());
  const Tensor hard = nll_loss_nd(log_probabilities, target, weight, reduction, ignore_index);
  const Tensor ignored = target.eq(ignore_index);
  Tensor soft = weighted(log_probabilities, weight, dim).sum({dim}).neg().masked_fill(ignored, 0.0);
  if (reduction != Reduction::None) soft = soft.sum();
  if (reduction == Reduction::Mean)  // by the weights of the targets, as the hard part
    soft =
        soft.div(std::get<1>(nll_loss_forward(log_probabilities, target, weight, reduction, ignore_index)));
  return hard.mul(1 - label_smoothing).add(soft.mul(label_smoothing / static_cast<double>(classes)));
}

Tensor cross_entropy_composite(const Tensor& self, const Tensor& target, const std::optional<Tensor>& weight,
                               int64_t reduction, int64_t ignore_index, double label_smoothing) {
  check_defined(self, "cross_entropy_loss", "self");
  check_defined(target, "cross_entropy_loss", "target");
  check_reduction(reduction, "cross_entropy_loss");
  GB_CHECK_OR_THROW(self.dim() > 0, Error,
                    .what = "gb::cross_entropy_loss: Expected 1 or more dimensions (got 0)",
                    .cause = "self has no dimension of classes",
                    .repair = "give self [rows, classes] or [classes]", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      label_smoothing >= 0 && label_smoothing <= 1, Error,
      .what = fmt::format("gb::cross_entropy_loss: label_smoothing must be between 0.0 and 1.0. Got: {}",
                          label_smoothing),
      .cause = "it is the part of the target that is spread over all classes", .repair = "give such a part",
      .chapter = chapters::kTensors);
  if (self.sizes() == target.sizes()) {
    GB_CHECK_OR_THROW(isFloatingType(target.scalar_type()), Error,
                      .what = fmt::format("gb::cross_entropy_loss: Expected floating point type for target "
                                          "with class probabilities, got {}",
                                          toString(target.scalar_type())),
                      .cause = fmt::format("target has the sizes of self, {}", to_string(self.sizes())),
                      .repair = "give probabilities of self's sizes, or one int64 class per row",
                      .chapter = chapters::kTensors);
    GB_CHECK_OR_THROW(
        ignore_index < 0, Error,
        .what = "gb::cross_entropy_loss: ignore_index is not supported for floating point target",
        .cause = fmt::format("ignore_index is {}", ignore_index),
        .repair = "leave it out: probabilities name no class", .chapter = chapters::kTensors);
    return of_probabilities(self, target, weight, reduction, label_smoothing);
  }
  if (label_smoothing > 0)
    return with_smoothing(self, target, weight, reduction, ignore_index, label_smoothing);
  return nll_loss_nd(log_softmax(self, self.dim() == 1 ? 0 : 1, self.scalar_type()), target, weight,
                     reduction, ignore_index);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("nll_loss", GB_FN(nll_loss_composite));
  m.impl("nll_loss_nd", GB_FN(nll_loss_nd_composite));
  m.impl("cross_entropy_loss", GB_FN(cross_entropy_composite));
}

}  // namespace gb
