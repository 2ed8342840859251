// What a schema says about memory, as text. Templates over the library: both have the same names for it, so the same
// lines ask both.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace gb::tests {

// "(a|b! -> *)[...]": sets before and after the call, whether it is written, and the same of what it contains.
template <class AliasInfo>
std::string annotation(const AliasInfo* info) {
  if (!info) return "-";
  const auto sets = [](const auto& symbols) {
    std::vector<std::string> names;
    for (const auto& symbol : symbols) names.emplace_back(symbol.toUnqualString());
    std::sort(names.begin(), names.end());
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : "|") + name;
    return text;
  };
  std::string text =
      "(" + sets(info->beforeSets()) + (info->isWrite() ? "!" : "") + " -> " + sets(info->afterSets()) + ")";
  for (const AliasInfo& part : info->containedTypes()) text += "[" + annotation(&part) + "]";
  return text;
}

// One line per argument and return: the type that is held, the length, the annotation.
template <class Schema>
std::string annotations(const Schema& schema) {
  std::string text;
  for (const auto* list : {&schema.arguments(), &schema.returns()})
    for (const auto& a : *list)
      text += a.type()->str() + (a.N() ? "[" + std::to_string(*a.N()) + "] " : " ") + a.name() + " " +
              annotation(a.alias_info()) + (a.kwarg_only() ? " keyword" : "") + (a.is_out() ? " out" : "") + "\n";
  return text;
}

// Which arguments and returns are written (w) or not (.), and for every pair of them a digit: 1 they may be the same
// memory, 2 the first may contain the second, 4 either may contain the other. `Asked` is a FunctionSchema or a
// SchemaInfo.
template <class SchemaArgument, class SchemaArgType, class Asked>
std::string memory_facts(Asked& asked, size_t inputs, size_t outputs) {
  std::vector<SchemaArgument> all;
  for (size_t i = 0; i < inputs; ++i) all.push_back(SchemaArgument{SchemaArgType::input, i});
  for (size_t i = 0; i < outputs; ++i) all.push_back(SchemaArgument{SchemaArgType::output, i});
  std::string text = asked.is_mutable() ? "mutable\n" : "\n";
  for (const SchemaArgument& a : all) {
    text += asked.is_mutable(a) ? "w " : ". ";
    for (const SchemaArgument& b : all)
      text += static_cast<char>('0' + (asked.may_alias(a, b) ? 1 : 0) + (asked.may_contain_alias(a, b, false) ? 2 : 0) +
                                (asked.may_contain_alias(a, b) ? 4 : 0));
    text += "\n";
  }
  return text;
}

}  // namespace gb::tests
