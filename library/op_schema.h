// The schema of a custom operator: written out, or inferred from the C++ signature of its forward.
//
//   custom_op("lynx_cortex::scale(Tensor x, float by=2.) -> Tensor", f)              given
//   custom_op("lynx_cortex::scale", f)                                               inferred: (Tensor _0, float _1)
//   custom_op("lynx_cortex::fill", f, {.argument_names = {"x"}, .mutates_args = {"x"}})   (Tensor(a0!) x) -> ()
//
// C++ has no parameter names to read, so an inferred schema counts its arguments, as torch's C++ inference does, unless
// they are named. It has no defaults and no keyword-only arguments. `mutates_args` is applied to an inferred schema,
// and compared with the `!` of a given one. In PyTorch: torch/_library/infer_schema.py and custom_ops.py.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "dispatcher/function_schema.h"
#include "library/registration.h"

namespace gb {

// Which tensor arguments an operator writes.
class MutatesArgs {
 public:
  MutatesArgs() = default;  // what a given schema says; none of an inferred one
  MutatesArgs(std::initializer_list<const char*> names) : names_(std::in_place, names.begin(), names.end()) {}
  MutatesArgs(const char* unknown);  // "unknown": every one; any other string is a ValueError

  bool given() const { return unknown_ || names_.has_value(); }
  bool unknown() const { return unknown_; }
  // The names of the arguments of `schema` that are meant. Throws ValueError for one that is not there or not a tensor.
  std::vector<std::string> of(const FunctionSchema& schema) const;
  std::string text() const;  // as it was written: "unknown" or ["x", "y"]

 private:
  bool unknown_ = false;
  std::optional<std::vector<std::string>> names_;
};

struct CustomOpOptions {
  std::vector<std::string> argument_names = {};  // of an inferred schema; else _0, _1, ...
  MutatesArgs mutates_args = {};
  std::vector<Tag> tags = {};                 // beside pt2_compliant_tag, which every custom_op has
  std::vector<DeviceType> device_types = {};  // the forward serves these only; empty: every device
};

namespace detail {

// `inferred` is null where there is no forward to infer from. Throws ValueError, or what the schema parser throws;
// Error where the operator is defined already.
FunctionSchema make_op_schema(const char* name_or_schema, const FunctionSchema* inferred,
                              const CustomOpOptions& options, const Place& at);

}  // namespace detail
}  // namespace gb
