#include "ops/one_hot/one_hot.h"

#include <fmt/format.h>

#include <algorithm>

#include "dispatcher/library.h"
#include "ops/common/checks.h"
#include "ops/factories/factories.h"

namespace gb {
namespace {

// The largest class, where there is one. Throws for a negative one.
int64_t largest_class(const Tensor& self) {
  const Tensor host = self.to(TensorOptions(kCPU)).contiguous();
  const int64_t* from = host.const_data_ptr<int64_t>();
  const auto [least, most] = std::minmax_element(from, from + host.numel());
  GB_CHECK_OR_THROW(*least >= 0, Error, .what = "gb::one_hot: Class values must be non-negative.",
                    .cause = fmt::format("one of them is {}", *least), .repair = "count classes from 0",
                    .chapter = chapters::kTensors);
  return *most;
}

Tensor one_hot_composite(const Tensor& self, int64_t num_classes) {
  check_defined(self, "one_hot", "self");
  GB_CHECK_OR_THROW(self.scalar_type() == kLong, Error,
                    .what = "gb::one_hot: one_hot is only applicable to index tensor of type LongTensor.",
                    .cause = fmt::format("self is {}", toString(self.scalar_type())),
                    .repair = "convert it: self.to(kLong)", .chapter = chapters::kTensors);
  const bool readable = self.numel() > 0 && !self.is_meta();
  GB_CHECK_OR_THROW(readable || num_classes > 0, Error,
                    .what = "gb::one_hot: Can not infer total number of classes from empty tensor.",
                    .cause = self.is_meta() ? "a Meta tensor has no values" : "there are no class numbers",
                    .repair = "give num_classes", .chapter = chapters::kTensors);
  if (readable) {
    const int64_t most = largest_class(self);
    if (num_classes == -1) num_classes = most + 1;
    GB_CHECK_OR_THROW(num_classes > most, Error,
                      .what = "gb::one_hot: Class values must be smaller than num_classes.",
                      .cause = fmt::format("class {} of {} classes", most, num_classes),
                      .repair = "give a larger num_classes", .chapter = chapters::kTensors);
  }
  std::vector<int64_t> sizes = self.sizes().vec();
  sizes.push_back(num_classes);
  const Tensor places = self.unsqueeze(-1);
  return zeros(sizes, self.options()).scatter_add(-1, places, ones_like(places));
}

}  // namespace

GB_LIBRARY_FRAGMENT(aten, m) { m.def("one_hot(Tensor self, int num_classes=-1) -> Tensor"); }
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) { m.impl("one_hot", GB_FN(one_hot_composite)); }

Tensor one_hot(const Tensor& self, int64_t num_classes) { GB_RETURN_CALL(one_hot_op(), self, num_classes); }

}  // namespace gb
