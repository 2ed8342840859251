#include "dispatcher/alias_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "core/error.h"

namespace gb {
namespace {

// "a|b", sorted: a hash set's own order would differ from run to run.
std::string spell_sets(const AliasInfo::Sets& sets) {
  std::vector<std::string> names;
  for (const Symbol set : sets) names.emplace_back(set.toUnqualString());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
  return text;
}

}  // namespace

Symbol AliasInfo::wildcardSet() {
  static const Symbol wildcard = Symbol::fromQualString("alias::*");
  return wildcard;
}

Symbol AliasInfo::beforeSet() const {
  GB_CHECK_OR_THROW(
      before_.size() == 1, ValueError, .what = "AliasInfo::beforeSet: there is not exactly one set",
      .cause = fmt::format("the annotation is `{}`, with {} sets", to_string(*this), before_.size()),
      .repair = "use beforeSets()", .chapter = chapters::kDispatch);
  return *before_.begin();
}

std::string to_string(const AliasInfo& info) {
  if (info.beforeSets().empty() && info.afterSets().empty()) return "";
  std::string text = "(" + spell_sets(info.beforeSets()) + (info.isWrite() ? "!" : "");
  if (info.beforeSets() != info.afterSets()) text += " -> " + spell_sets(info.afterSets());
  return text + ")";
}
std::ostream& operator<<(std::ostream& out, const AliasInfo& info) { return out << to_string(info); }

}  // namespace gb
