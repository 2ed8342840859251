#include "library/fake_contract.h"

#include <fmt/format.h>

#include <algorithm>

#include "library/boxed_tensors.h"

namespace gb {
namespace {

struct Difference {
  const char* what;
  std::string fake, real;
};

std::vector<Difference> differences(const Tensor& fake, const Tensor& real) {
  std::vector<Difference> found;
  const auto compare = [&](const char* what, std::string f, std::string r) {
    if (f != r) found.push_back({what, std::move(f), std::move(r)});
  };
  compare("dtype", toString(fake.scalar_type()), toString(real.scalar_type()));
  compare("sizes", to_string(fake.sizes()), to_string(real.sizes()));
  compare("strides", to_string(fake.strides()), to_string(real.strides()));
  compare("storage offset", std::to_string(fake.storage_offset()), std::to_string(real.storage_offset()));
  if (!fake.is_meta())
    found.push_back({"device", fake.device().str(), real.device().str() + ", for which a fake is on meta"});
  return found;
}

[[noreturn]] void disagree(const OperatorHandle& op, const std::string& what, const std::string& evidence) {
  GB_THROW(
      FakeCheckError,
      .what = fmt::format("{}: fake kernel disagrees with the real one: {}", toString(op.operator_name()), what),
      .cause = fmt::format("contract: on Meta the results have the number, dtype, sizes and strides of the real ones: "
                           "{}\n           evidence: {}",
                           to_string(op.schema()), evidence),
      .repair = "make the function given to register_fake return what the kernels return",
      .chapter = chapters::kCustomOps);
}

}  // namespace

FakeContract::FakeContract(const OperatorHandle& op, ArrayRef<IValue> arguments)
    : op_(op), fakes_(fakes_of(op.schema(), arguments)) {}

void FakeContract::check(ArrayRef<IValue> results) const {
  const std::vector<Tensor> all = tensors_in(results);
  if (std::all_of(all.begin(), all.end(), [](const Tensor& t) { return t.is_meta(); })) return;
  Stack fakes = fakes_;
  {
    const impl::ExcludeDispatchKeyGuard bare(autograd_dispatch_keyset_with_ADInplaceOrView |
                                             DispatchKeySet(DispatchKey::Python));
    op_.callBoxed(fakes);
  }
  for (size_t o = 0; o < results.size(); ++o) {
    const std::vector<Tensor> real = tensors_in(results[o]), fake = tensors_in(fakes[o]);
    if (real.size() != fake.size()) {
      disagree(op_, fmt::format("number of tensors in output {}", o),
               fmt::format("fake {}, real {}", fake.size(), real.size()));
    }
    for (size_t i = 0; i < real.size(); ++i) {
      const std::vector<Difference> found = differences(fake[i], real[i]);
      if (found.empty()) continue;
      const std::string which = results[o].isList() ? fmt::format("output {}[{}]", o, i) : fmt::format("output {}", o);
      std::string names, evidence;
      for (const Difference& d : found) {
        names += (names.empty() ? "" : ", ") + std::string(d.what);
        evidence += fmt::format("{}{}: fake {}, real {}", evidence.empty() ? "" : "; ", d.what, d.fake, d.real);
      }
      disagree(op_, fmt::format("{} of {}", names, which), evidence);
    }
  }
}

}  // namespace gb
