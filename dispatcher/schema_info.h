// SchemaInfo: what a schema says of one call, once (some of) its arguments' values are known. Two arguments that are
// given the same tensor alias each other, so a write to one counts for both, and for the outputs that alias them; a
// tensor that is given inside a list as well may be what any other such argument is.
//
// Two facts are read off the names of arguments, where PyTorch has lists of operators: `running_mean` and
// `running_var` are written unless `training` (`train`, `use_input_stats`) is known to be false; and an operator with a
// Generator, or with `p` and `train`, draws random numbers unless that flag is known to be false.
// Names follow torch/csrc/utils/schema_info.h.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dispatcher/function_schema.h"

namespace gb::utils {

class SchemaInfo {
 public:
  explicit SchemaInfo(FunctionSchema schema);
  explicit SchemaInfo(const char* signature);  // throws as parseSchema does

  // Throws ValueError for a name that is not there, and for more values than arguments.
  void addArgumentValue(const std::string& name, const IValue& value);
  void addArgumentValues(const std::vector<std::optional<IValue>>& values);  // by position; nullopt: not known
  void addArgumentValues(const std::unordered_map<std::string, IValue>& values);

  // An index or a name that is not there throws IndexError.
  bool is_mutable() const;
  bool is_mutable(const SchemaArgument& argument) const;
  bool is_mutable(std::string_view name) const;
  bool may_alias(const SchemaArgument& a, const SchemaArgument& b) const;
  bool may_contain_alias(const SchemaArgument& a, const SchemaArgument& b, bool bidirectional = true) const;
  bool has_argument(std::string_view name) const { return schema_.argumentIndexWithName(name).has_value(); }
  bool hasInputArgumentNamed(const std::string& name) const { return has_argument(name); }
  bool is_nondeterministic() const;
  const FunctionSchema& schema() const { return schema_; }

 private:
  using Positions = std::unordered_set<size_t>;
  struct SideFacts {  // of the inputs, or of the outputs
    std::vector<Positions> same_as;  // the inputs that this one may be
    std::vector<bool> wildcard;      // may be anything that is a wildcard
    std::vector<bool> container;     // holds other values
  };
  void set_value(const std::string& name, const IValue& value);
  void refresh();  // computes inputs_ and outputs_
  SideFacts facts_of_annotations(SchemaArgType side) const;
  const IValue* value_of(size_t input) const;
  const SideFacts& side(const SchemaArgument& argument) const;
  bool is_switched_off(std::string_view flag) const;  // the flag is there and known to be false
  bool contains_wildcard(const SchemaArgument& holder, const SchemaArgument& held) const;

  FunctionSchema schema_;
  std::unordered_map<std::string, IValue> values_;
  SideFacts inputs_, outputs_;
};

}  // namespace gb::utils
