#include "dispatcher/schema_info.h"

#include <fmt/format.h>

#include "core/error.h"
#include "dispatcher/schema_aliasing.h"
#include "dispatcher/schema_parser.h"

namespace gb::utils {
namespace {

constexpr std::string_view kTrainingFlags[] = {"training", "train", "use_input_stats"};

SchemaArgument input(size_t i) { return {SchemaArgType::input, i}; }
SchemaArgument output(size_t i) { return {SchemaArgType::output, i}; }

detail::AliasTypeSet own_types(const FunctionSchema& schema, const SchemaArgument& argument) {
  return detail::mapTypeToAliasTypeSet(schema.getCorrectList(argument.type).at(argument.index).type());
}

bool is_generator(const Type& type) {
  return type.kind() == TypeKind::GeneratorType ||
         (type.kind() == TypeKind::OptionalType && is_generator(*type.containedType(0)));
}

// A backward only reads them, a functional variant returns new ones.
bool updates_statistics(const FunctionSchema& schema) {
  for (const Argument& r : schema.returns())
    if (r.name() == "running_mean_out") return false;
  return !schema.argumentIndexWithName("grad_out") && !schema.argumentIndexWithName("grad_output");
}

}  // namespace

SchemaInfo::SchemaInfo(FunctionSchema schema) : schema_(std::move(schema)) { refresh(); }
SchemaInfo::SchemaInfo(const char* signature) : SchemaInfo(jit::parseSchema(signature)) {}

void SchemaInfo::set_value(const std::string& name, const IValue& value) {
  GB_CHECK_OR_THROW(has_argument(name), ValueError,
                    .what = fmt::format("SchemaInfo: no argument named `{}`", name),
                    .cause = gb::to_string(schema_), .repair = "use the name of an argument",
                    .chapter = chapters::kDispatch);
  values_[name] = value;
}
void SchemaInfo::addArgumentValue(const std::string& name, const IValue& value) {
  set_value(name, value);
  refresh();
}
void SchemaInfo::addArgumentValues(const std::vector<std::optional<IValue>>& values) {
  GB_CHECK_OR_THROW(
      values.size() <= schema_.arguments().size(), ValueError, .what = "SchemaInfo: too many values",
      .cause = fmt::format("{} values for {} arguments: {}", values.size(), schema_.arguments().size(),
                           gb::to_string(schema_)),
      .repair = "give one value per argument", .chapter = chapters::kDispatch);
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i]) set_value(schema_.arguments()[i].name(), *values[i]);
  refresh();
}
void SchemaInfo::addArgumentValues(const std::unordered_map<std::string, IValue>& values) {
  for (const auto& [name, value] : values) set_value(name, value);
  refresh();
}

const IValue* SchemaInfo::value_of(size_t input) const {
  const auto at = values_.find(schema_.arguments()[input].name());
  return at == values_.end() ? nullptr : &at->second;
}
const SchemaInfo::SideFacts& SchemaInfo::side(const SchemaArgument& argument) const {
  schema_.is_aliasing(argument);  // throws for an index that is not there
  return argument.type == SchemaArgType::input ? inputs_ : outputs_;
}

// A set that stands twice on one side says only that either may be meant: both are taken for wildcards.
SchemaInfo::SideFacts SchemaInfo::facts_of_annotations(SchemaArgType type) const {
  const std::vector<Argument>& list = schema_.getCorrectList(type);
  std::unordered_map<Symbol, int> times;
  for (const Argument& a : list)
    if (a.alias_info() && !a.alias_info()->isWildcardAfter())
      for (const Symbol set : a.alias_info()->afterSets()) ++times[set];
  SideFacts facts{std::vector<Positions>(list.size()), {}, {}};
  for (const Argument& a : list) {
    bool wildcard = a.alias_info() && a.alias_info()->isWildcardAfter();
    if (a.alias_info())
      for (const Symbol set : a.alias_info()->afterSets()) wildcard |= times[set] > 1;
    facts.wildcard.push_back(wildcard);
    facts.container.push_back(
        !detail::getAliasTypeSetContainedTypes(detail::mapTypeToAliasTypeSet(a.type())).empty());
  }
  return facts;
}

void SchemaInfo::refresh() {
  inputs_ = facts_of_annotations(SchemaArgType::input);
  outputs_ = facts_of_annotations(SchemaArgType::output);
  const size_t n = schema_.arguments().size();
  for (size_t i = 0; i < n; ++i) {
    inputs_.same_as[i].insert(i);
    for (size_t j = i + 1; j < n; ++j) {
      if (!value_of(i) || !value_of(j) || !value_of(i)->isAliasOf(*value_of(j))) continue;
      inputs_.same_as[i].insert(j);
      inputs_.same_as[j].insert(i);
      if (inputs_.wildcard[i] || inputs_.wildcard[j]) inputs_.wildcard[i] = inputs_.wildcard[j] = true;
    }
  }
  for (size_t i = 0; i < n; ++i) {  // is what j was given inside what i was given?
    if (!value_of(i)) continue;
    IValue::HashAliasedIValues parts;
    value_of(i)->getSubValues(parts);
    for (size_t j = 0; j < n; ++j)
      if (value_of(j) && !inputs_.same_as[i].count(j) && parts.count(*value_of(j))) inputs_.wildcard[j] = true;
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < schema_.returns().size(); ++j) {
      if (!schema_.may_alias(input(i), output(j))) continue;
      if (inputs_.wildcard[i]) outputs_.wildcard[j] = true;
      outputs_.same_as[j].insert(inputs_.same_as[i].begin(), inputs_.same_as[i].end());
    }
  }
}

bool SchemaInfo::is_switched_off(std::string_view flag) const {
  const auto at = values_.find(std::string(flag));
  return at != values_.end() && at->second.isBool() && !at->second.toBool();
}

bool SchemaInfo::is_mutable() const {
  for (size_t i = 0; i < schema_.arguments().size(); ++i)
    if (is_mutable(input(i))) return true;
  return false;
}
bool SchemaInfo::is_mutable(const SchemaArgument& argument) const {
  for (const size_t i : side(argument).same_as[argument.index]) {
    if (schema_.is_mutable(input(i))) return true;
    const std::string& name = schema_.arguments()[i].name();
    if ((name != "running_mean" && name != "running_var") || !updates_statistics(schema_)) continue;
    for (const std::string_view flag : kTrainingFlags)
      if (has_argument(flag) && !is_switched_off(flag)) return true;
  }
  return false;
}
bool SchemaInfo::is_mutable(std::string_view name) const {
  schema_.is_mutable(name);  // throws for a name that is not there
  return is_mutable(input(static_cast<size_t>(*schema_.argumentIndexWithName(name))));
}

bool SchemaInfo::may_alias(const SchemaArgument& a, const SchemaArgument& b) const {
  if (schema_.may_alias(a, b)) return true;
  if (!detail::canAliasTypeSetsAlias(own_types(schema_, a), own_types(schema_, b))) return false;
  if (side(a).wildcard[a.index] && side(b).wildcard[b.index]) return true;
  const Positions &mine = side(a).same_as[a.index], &theirs = side(b).same_as[b.index];
  if (a.type == SchemaArgType::input) return theirs.count(a.index) != 0;
  if (b.type == SchemaArgType::input) return mine.count(b.index) != 0;
  for (const size_t i : mine)
    if (theirs.count(i)) return true;
  return false;
}

bool SchemaInfo::contains_wildcard(const SchemaArgument& holder, const SchemaArgument& held) const {
  return side(holder).container[holder.index] && side(held).wildcard[held.index] &&
         detail::canAliasTypeSetsAlias(detail::getAliasTypeSetContainedTypes(own_types(schema_, holder)),
                                       own_types(schema_, held));
}
bool SchemaInfo::may_contain_alias(const SchemaArgument& a, const SchemaArgument& b, bool bidirectional) const {
  // The schema is asked both ways whatever `bidirectional` says, as in PyTorch: the flag narrows what values add.
  return schema_.may_contain_alias(a, b) || may_alias(a, b) || contains_wildcard(a, b) ||
         (bidirectional && contains_wildcard(b, a));
}

// PyTorch's dropout has no Generator argument and draws from the default one.
bool SchemaInfo::is_nondeterministic() const {
  bool draws = has_argument("p") && has_argument("train");
  for (const Argument& a : schema_.arguments()) draws |= is_generator(*a.type());
  for (const std::string_view flag : kTrainingFlags) draws &= !is_switched_off(flag);
  return draws;
}

}  // namespace gb::utils
