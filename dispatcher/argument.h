// Argument: one argument or return of a FunctionSchema.
//
// type() is what the value is held as (int for ScalarType and SymInt), real_type() what the schema spells;
// matching uses the first, printing the second. `N` is the length in `int[2]`. Names follow
// ATen/core/function_schema.h.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>

#include "dispatcher/alias_info.h"
#include "dispatcher/ivalue.h"
#include "dispatcher/types.h"

namespace gb {

class Argument {
 public:
  // Without a type: Tensor.
  Argument(std::string name = "", const TypePtr& type = {}, std::optional<int32_t> N = {},
           std::optional<IValue> default_value = {}, bool kwarg_only = false,
           std::optional<AliasInfo> alias_info = {});

  // With the held type given as well, where it is not lower_type(real_type).
  Argument(std::string name, TypePtr held_type, TypePtr real_type, std::optional<int32_t> N = {},
           std::optional<IValue> default_value = {}, bool kwarg_only = false,
           std::optional<AliasInfo> alias_info = {});

  const std::string& name() const { return name_; }
  const TypePtr& type() const { return type_; }
  const TypePtr& real_type() const { return real_type_; }
  std::optional<int32_t> N() const { return n_; }
  const std::optional<IValue>& default_value() const { return default_value_; }
  bool kwarg_only() const { return kwarg_only_; }
  const AliasInfo* alias_info() const { return alias_info_.get(); }
  bool is_write() const { return alias_info_ && alias_info_->isWrite(); }
  bool is_out() const { return kwarg_only_ && is_write(); }

  Argument cloneWithType(const TypePtr& type) const;
  // See FunctionSchema.
  bool isBackwardCompatibleWith(const Argument& old, std::ostream* why_not = nullptr) const;
  bool isForwardCompatibleWith(const Argument& old, std::ostream* why_not = nullptr) const;

  friend bool operator==(const Argument& a, const Argument& b);

 private:
  std::string name_;
  TypePtr type_, real_type_;
  std::optional<IValue> default_value_;
  std::shared_ptr<const AliasInfo> alias_info_;  // never changed, so copies share it
  std::optional<int32_t> n_;
  bool kwarg_only_;
};

std::string to_string(const Argument& argument);  // "Tensor(a!)? out", "int[2] stride=1"
std::ostream& operator<<(std::ostream& out, const Argument& argument);

}  // namespace gb
