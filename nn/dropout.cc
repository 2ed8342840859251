#include "nn/dropout.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"
#include "ops/ops.h"

namespace gb::nn {

DropoutImpl::DropoutImpl(DropoutOptions o) : options(o) {
  GB_CHECK_OR_THROW(o.p() >= 0 && o.p() <= 1, ValueError,
                    .what = fmt::format("dropout probability has to be between 0 and 1, but got {}", o.p()),
                    .cause = "p is the share of values that become 0", .repair = "choose p in [0, 1]",
                    .chapter = chapters::kGrammar);
}

Tensor DropoutImpl::forward(const Tensor& input) const { return gb::dropout(input, options.p(), is_training()); }

void DropoutImpl::pretty_print(std::ostream& stream) const {
  stream << fmt::format("gb::nn::Dropout(p={})", options.p());
}

}  // namespace gb::nn
