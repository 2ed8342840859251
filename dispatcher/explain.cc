#include "dispatcher/explain.h"

#include <fmt/format.h>

#include "dispatcher/json.h"

namespace gb {
namespace {

std::string who_has(DispatchKey key, const std::vector<ArgumentKeys>& arguments, DispatchKeySet included) {
  if (key == DispatchKey::Undefined) return "no argument";
  std::string names;
  for (const ArgumentKeys& a : arguments) {
    if (a.keys.has(key)) names += (names.empty() ? "" : ", ") + a.name;
  }
  if (names.empty() && included.has(key)) return "TLS include";
  return names.empty() ? "several together" : names;  // one the functionality, another the backend
}

}  // namespace

DispatchExplanation explain_dispatch(const OperatorHandle& op, std::vector<ArgumentKeys> arguments) {
  const impl::LocalDispatchKeySet tls = impl::tls_local_dispatch_key_set();
  DispatchExplanation e;
  e.op = op.operator_name();
  for (const ArgumentKeys& a : arguments) e.arguments = e.arguments | a.keys;
  e.included = tls.included_;
  e.excluded = tls.excluded_;
  e.mask = op.entry().mask_for((e.arguments | tls.included_) - tls.excluded_);
  e.result = op.entry().computeDispatchKeySet(e.arguments);
  static_cast<SlotExplanation&>(e) = explain_slot(op, e.result.highestPriorityTypeId());
  e.brought_by = who_has(e.key, arguments, tls.included_);
  e.per_argument = std::move(arguments);
  return e;
}

DispatchExplanation explain_dispatch(const OperatorHandle& op, DispatchKeySet arguments) {
  return explain_dispatch(op, std::vector<ArgumentKeys>{{"arguments", arguments}});
}

std::string DispatchExplanation::text() const {
  std::string text = toString(op) + '\n';
  for (const ArgumentKeys& a : per_argument) {
    text += fmt::format("  {} {:<12} {}\n", &a == per_argument.data() ? ' ' : '|', a.name, toString(a.keys));
  }
  if (per_argument.empty()) text += "    no tensors   {}\n";
  text += fmt::format(
      "  | TLS include  {}\n"
      "  - TLS exclude  {}\n"
      "  & mask         all but {}, which are fallthroughs here\n"
      "  = key set      {}\n"
      "  key            {}, the highest{}; slot {}\n",
      toString(included), toString(excluded), toString(masked_out(mask)), toString(result), toString(key),
      per_argument.size() > 1 ? ", of " + brought_by : "", slot);
  const char* head = "rules";
  for (const std::string& line : rule_lines()) {
    text += fmt::format("  {:<13}  {}\n", head, line);
    head = "";
  }
  const bool holds_nothing = reason >= impl::SlotReason::kMissing;
  return text + fmt::format("  reason         {}\n  kernel         {}, {}\n", impl::toString(reason),
                            holds_nothing ? "none: the call throws" : kernel, registered);
}

std::string DispatchExplanation::json() const {
  std::vector<std::string> each;
  for (const ArgumentKeys& a : per_argument) {
    each.push_back(json::object({{"name", json::quoted(a.name)}, {"keys", json::keys(a.keys)}}));
  }
  return json::object({{"op", json::quoted(toString(op))},
                       {"arguments", json::array(each)},
                       {"tls_include", json::keys(included)},
                       {"tls_exclude", json::keys(excluded)},
                       {"masked_out", json::keys(masked_out(mask))},
                       {"keyset", json::keys(result)},
                       {"brought_by", json::quoted(brought_by)},
                       {"slot", SlotExplanation::json()}});
}

std::string explain(const OperatorHandle& op, DispatchKeySet arguments) {
  return explain_dispatch(op, arguments).text();
}

}  // namespace gb
