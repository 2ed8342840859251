#include "dispatcher/explain_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "dispatcher/dispatcher.h"
#include "dispatcher/json.h"

namespace gb {
namespace {

using impl::SlotReason;

// Why the rule `rule` did not serve `k`; only asked of rules before the one that decided.
std::string why_not(const OperatorHandle& op, SlotReason rule, DispatchKey k) {
  const auto alias_rule = [&](DispatchKey alias, const char* serves) -> std::string {
    const impl::RegisteredKernel* kernel = op.entry().registered(alias);
    if (!kernel) return "none is registered";
    if (alias == DispatchKey::CompositeImplicitAutograd && isIncludedInAlias(k, alias)) {
      return fmt::format(
          "there is one ({}), but the backend has a kernel of its own, so the call must not decompose",
          kernel->debug);
    }
    return fmt::format("there is one ({}), but it serves {}", kernel->debug, serves);
  };
  switch (rule) {
    case SlotReason::kCompositeExplicit:
      return alias_rule(DispatchKey::CompositeExplicitAutograd, "backends only");
    case SlotReason::kCompositeImplicit:
      return alias_rule(DispatchKey::CompositeImplicitAutograd, "backends and autograd only");
    case SlotReason::kAutogradAlias:
      return alias_rule(DispatchKey::Autograd, "autograd only");
    default:
      return "none is registered";
  }
}

std::vector<RuleTried> rules_up_to(const OperatorHandle& op, SlotReason decided, DispatchKey k) {
  std::vector<RuleTried> rules;
  if (decided == SlotReason::kOperatorRemoved) return rules;
  for (auto rule = SlotReason::kDirectKernel; rule < SlotReason::kMissing;
       rule = static_cast<SlotReason>(static_cast<uint8_t>(rule) + 1)) {
    const bool ambiguous =
        rule == SlotReason::kCompositeImplicit && decided == SlotReason::kAmbiguousAutogradOther;
    const bool decides = rule == decided || ambiguous;
    rules.push_back(
        {rule == SlotReason::kDirectKernel ? fmt::format("kernel for {}", toString(k)) : impl::toString(rule),
         decides,
         ambiguous ? "an error, because a backend that this key serves has a kernel of its own too"
         : decides ? ""
                   : why_not(op, rule, k)});
    if (decides) break;
  }
  return rules;
}

std::string one_line(const SlotExplanation& s) {
  return fmt::format("{:<34} {:<11} {}", impl::toString(s.reason), s.kernel, s.registered);
}

// Why what `before` held is no longer there: the same rule now, or an earlier one.
std::string why_changed(const TableDiff::Slot& slot) {
  const std::vector<RuleTried>& was = slot.before.rules;
  const std::vector<RuleTried>& now = slot.after.rules;
  if (was.empty() || !was.back().decides) return "there was no kernel";
  if (was.size() > now.size()) return fmt::format("{} comes before {}", now.back().rule, was.back().rule);
  const RuleTried& same = now[was.size() - 1];
  return same.decides ? "another kernel by the same rule" : fmt::format("{}: {}", same.rule, same.why);
}

}  // namespace

DispatchKeySet masked_out(DispatchKeySet mask) {
  return DispatchKeySet(DispatchKeySet::RAW,
                        DispatchKeySet(DispatchKeySet::FULL).raw_repr() & ~mask.raw_repr());
}

std::vector<std::string> SlotExplanation::rule_lines() const {
  std::vector<std::string> lines;
  for (const RuleTried& r : rules) {
    lines.push_back(fmt::format("{}. {:<33} {}", lines.size() + 1, r.rule,
                                r.decides ? (r.why.empty() ? "decides" : "decides: " + r.why) : r.why));
  }
  return lines;
}

std::string SlotExplanation::json() const {
  std::vector<std::string> tried;
  for (const RuleTried& r : rules) {
    tried.push_back(json::object({{"rule", json::quoted(r.rule)},
                                  {"decides", json::boolean(r.decides)},
                                  {"why", json::quoted(r.why)}}));
  }
  return json::object({{"key", json::quoted(toString(key))},
                       {"slot", std::to_string(slot)},
                       {"reason", json::quoted(impl::toString(reason))},
                       {"kernel", json::quoted(kernel)},
                       {"registered", json::quoted(registered)},
                       {"rules", json::array(tried)}});
}

SlotExplanation explain_slot(const OperatorHandle& op, DispatchKey k) {
  const impl::RegisteredKernel& held = op.entry().slot(k);
  const SlotReason reason = op.entry().reason(k);
  const bool none = reason >= SlotReason::kMissing;
  return {k,
          getDispatchTableIndexForDispatchKey(k),
          reason,
          rules_up_to(op, reason, k),
          none ? "none" : held.kernel.dumpState(),
          held.debug,
          &held};
}

DispatchTable table_of(const OperatorHandle& op) {
  DispatchTable table;
  table.op = op.operator_name();
  table.slots.push_back(explain_slot(op, DispatchKey::Undefined));
  for (const DispatchKey k : DispatchKeySet(DispatchKeySet::FULL)) table.slots.push_back(explain_slot(op, k));
  return table;
}

std::string DispatchTable::text(bool with_rules) const {
  std::string text;
  for (const SlotExplanation& s : slots) {
    if (s.reason == SlotReason::kMissing) continue;
    text += fmt::format("{:<21} {}\n", toString(s.key), one_line(s));
    if (!with_rules) continue;
    for (const std::string& line : s.rule_lines()) text += fmt::format("{:<21}   {}\n", "", line);
  }
  return text;
}

std::string DispatchTable::json() const {
  std::vector<std::string> rows;
  for (const SlotExplanation& s : slots) rows.push_back(s.json());
  return json::array(rows);
}

std::string kernels_in_slots(const OperatorHandle& op) {
  std::vector<std::string> kernels;
  for (const SlotExplanation& s : table_of(op).slots) {
    if (s.reason >= SlotReason::kBackendFallback || s.holds->kernel.isFallthrough()) continue;
    const DispatchKey k = s.holds->key;
    const std::string text = fmt::format("{}{} ({})", isAliasDispatchKey(k) ? "those of the alias " : "",
                                         toString(k), s.registered);
    if (std::find(kernels.begin(), kernels.end(), text) == kernels.end()) kernels.push_back(text);
  }
  return kernels.empty() ? "none" : fmt::format("{}", fmt::join(kernels, ", "));
}

DispatchTable table_if(const OperatorHandle& op, const WhatIf& changes) {
  for (const DispatchKey k : changes.without) {
    GB_CHECK_OR_THROW(op.hasKernelForDispatchKey(k), ValueError,
                      .what = fmt::format("{}: there is no kernel for {} to leave out",
                                          toString(op.operator_name()), toString(k)),
                      .cause = "kernels are registered for " + op.entry().listKernels(),
                      .repair = "name one of these keys", .chapter = chapters::kDispatch);
  }
  const auto changed = [&](DispatchKey k) {
    return std::find(changes.without.begin(), changes.without.end(), k) != changes.without.end() ||
           std::any_of(changes.with.begin(), changes.with.end(),
                       [&](const WhatIf::Kernel& w) { return w.key == k; });
  };
  // The stand-in goes with its registrations.
  const OperatorName stand_in("what_if::" + op.operator_name().name, op.operator_name().overload_name);
  const RegistrationHandleRAII holder =
      Dispatcher::singleton().registerName(stand_in);  // also without kernels
  std::vector<RegistrationHandleRAII> kernels;
  const auto add = [&](DispatchKey k, KernelFunction kernel, std::string debug) {
    kernels.push_back(Dispatcher::singleton().registerImpl(stand_in, k, std::move(kernel), std::nullopt,
                                                           nullptr, std::move(debug)));
  };
  for (uint16_t i = 0; i <= static_cast<uint16_t>(DispatchKey::EndOfAliasKeys); ++i) {
    const auto k = static_cast<DispatchKey>(i);
    const impl::RegisteredKernel* kernel = op.entry().registered(k);
    if (kernel && !changed(k)) add(k, kernel->kernel, kernel->debug);
  }
  for (const WhatIf::Kernel& w : changes.with) {
    add(w.key, w.fallthrough ? KernelFunction::makeFallthrough() : KernelFunction::makeNamedNotSupported(),
        "what if");
  }
  DispatchTable table = table_of(*Dispatcher::singleton().findOp(stand_in));
  table.op = op.operator_name();
  for (SlotExplanation& s : table.slots) {  // a copy counts as what it is a copy of
    const impl::RegisteredKernel* original = op.entry().registered(s.holds->key);
    if (s.reason < SlotReason::kBackendFallback && !changed(s.holds->key)) s.holds = original;
  }
  return table;
}

TableDiff diff(const DispatchTable& before, const DispatchTable& after) {
  TableDiff d;
  d.op = after.op;
  d.all = after.slots.size();
  for (size_t i = 0; i < std::min(before.slots.size(), after.slots.size()); ++i) {
    const SlotExplanation &a = before.slots[i], &b = after.slots[i];
    if (a.holds != b.holds || a.reason != b.reason) d.slots.push_back({a, b});
  }
  return d;
}

std::string TableDiff::text() const {
  std::string text = fmt::format("{}: {} of {} slots change\n", toString(op), slots.size(), all);
  for (const Slot& s : slots) {
    text += fmt::format("{}\n  - {}\n  + {}\n    {}\n", toString(s.after.key), one_line(s.before),
                        one_line(s.after), why_changed(s));
  }
  return text;
}

std::string TableDiff::json() const {
  std::vector<std::string> rows;
  for (const Slot& s : slots) {
    rows.push_back(json::object({{"key", json::quoted(toString(s.after.key))},
                                 {"before", s.before.json()},
                                 {"after", s.after.json()},
                                 {"why", json::quoted(why_changed(s))}}));
  }
  return json::array(rows);
}

}  // namespace gb
