#include "dispatcher/explain.h"

#include <fmt/format.h>

namespace gb {
namespace {

using impl::SlotReason;

// Why the rule `rule` did not serve `k`; only asked of rules before the one that decided.
std::string why_not(const OperatorHandle& op, SlotReason rule, DispatchKey k) {
  const auto alias_rule = [&](DispatchKey alias, const char* serves) -> std::string {
    if (!op.hasKernelForDispatchKey(alias)) return "none is registered";
    return fmt::format("there is one, but it serves {}", serves);
  };
  switch (rule) {
    case SlotReason::kCompositeExplicit: return alias_rule(DispatchKey::CompositeExplicitAutograd, "backends only");
    case SlotReason::kCompositeImplicit:
      if (op.hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd) &&
          isIncludedInAlias(k, DispatchKey::CompositeImplicitAutograd)) {
        return "there is one, but the backend has a kernel of its own, so the call must not decompose";
      }
      return alias_rule(DispatchKey::CompositeImplicitAutograd, "backends and autograd only");
    case SlotReason::kAutogradAlias: return alias_rule(DispatchKey::Autograd, "autograd only");
    default: return "none is registered";
  }
}

std::vector<std::string> rules_up_to(const OperatorHandle& op, SlotReason decided, DispatchKey k) {
  std::vector<std::string> lines;
  if (decided == SlotReason::kOperatorRemoved) return lines;
  for (auto rule = SlotReason::kDirectKernel; rule < SlotReason::kMissing;
       rule = static_cast<SlotReason>(static_cast<uint8_t>(rule) + 1)) {
    const bool decides = rule == decided;
    const std::string name =
        rule == SlotReason::kDirectKernel ? fmt::format("kernel for {}", toString(k)) : impl::toString(rule);
    lines.push_back(fmt::format("{}. {:<33} {}", static_cast<int>(rule) + 1, name,
                                decides ? "decides" : why_not(op, rule, k)));
    if (decides) break;
  }
  return lines;
}

}  // namespace

DispatchExplanation explain_dispatch(const OperatorHandle& op, DispatchKeySet arguments) {
  const impl::LocalDispatchKeySet tls = impl::tls_local_dispatch_key_set();
  DispatchExplanation e;
  e.op = op.operator_name();
  e.arguments = arguments;
  e.included = tls.included_;
  e.excluded = tls.excluded_;
  e.mask = op.entry().mask_for((arguments | tls.included_) - tls.excluded_);
  e.result = op.entry().computeDispatchKeySet(arguments);
  e.key = e.result.highestPriorityTypeId();
  e.slot = e.result.getDispatchTableIndexForDispatchKeySet();
  e.reason = op.entry().reason(e.key);
  e.rules = rules_up_to(op, e.reason, e.key);
  const impl::RegisteredKernel& kernel = op.entry().slot(e.key);
  e.kernel = e.reason == SlotReason::kMissing || e.reason == SlotReason::kOperatorRemoved ? "none: the call throws"
                                                                                         : kernel.kernel.dumpState();
  e.registered = kernel.debug;
  return e;
}

std::string DispatchExplanation::text() const {
  const uint64_t all = DispatchKeySet(DispatchKeySet::FULL).raw_repr();
  const DispatchKeySet masked_out(DispatchKeySet::RAW, all & ~mask.raw_repr());
  std::string text = fmt::format(
      "{}\n"
      "    arguments    {}\n"
      "  | TLS include  {}\n"
      "  - TLS exclude  {}\n"
      "  & mask         all but {}, which are fallthroughs here\n"
      "  = key set      {}\n"
      "  key            {}, the highest; slot {}\n",
      toString(op), toString(arguments), toString(included), toString(excluded), toString(masked_out),
      toString(result), toString(key), slot);
  for (size_t i = 0; i < rules.size(); ++i) text += fmt::format("  {:<13}  {}\n", i == 0 ? "rules" : "", rules[i]);
  text += fmt::format("  reason         {}\n  kernel         {}, {}\n", impl::toString(reason), kernel, registered);
  return text;
}

std::string explain(const OperatorHandle& op, DispatchKeySet arguments) { return explain_dispatch(op, arguments).text(); }

}  // namespace gb
