// FunctionSchema: the declared interface of an operator:
//   aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)
//
// Invariants: argument names are distinct; no argument without a default follows one with a default, unless
// it is keyword-only. The constructor checks both. Names follow ATen/core/function_schema.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dispatcher/argument.h"
#include "dispatcher/operator_name.h"

namespace gb {

// Who says what an operator aliases: nobody (assume the worst), or the annotations in the schema.
enum class AliasAnalysisKind : uint8_t { INTERNAL_SPECIAL_CASE, CONSERVATIVE, FROM_SCHEMA, PURE_FUNCTION };

enum class SchemaArgType : uint8_t { input, output };
struct SchemaArgument {  // one argument (input) or return (output) by position
  SchemaArgType type;
  size_t index;
  friend bool operator==(const SchemaArgument&, const SchemaArgument&) = default;
};

class FunctionSchema {
 public:
  FunctionSchema(std::string name, std::string overload_name, std::vector<Argument> arguments,
                 std::vector<Argument> returns, bool is_vararg = false, bool is_varret = false);

  const OperatorName& operator_name() const { return name_; }
  const std::string& name() const { return name_.name; }
  const std::string& overload_name() const { return name_.overload_name; }
  std::optional<std::string_view> getNamespace() const { return name_.getNamespace(); }
  bool setNamespaceIfNotSet(const char* ns) { return name_.setNamespaceIfNotSet(ns); }
  const std::vector<Argument>& arguments() const { return arguments_; }
  const std::vector<Argument>& returns() const { return returns_; }
  bool is_vararg() const { return is_vararg_; }  // `...` after the arguments: any more are accepted
  bool is_varret() const { return is_varret_; }
  const std::vector<Argument>& getCorrectList(SchemaArgType type) const {
    return type == SchemaArgType::input ? arguments_ : returns_;
  }
  std::optional<int> argumentIndexWithName(std::string_view name) const;
  FunctionSchema cloneWithName(std::string name, std::string overload_name) const;

  AliasAnalysisKind aliasAnalysis() const { return alias_kind_.value_or(AliasAnalysisKind::CONSERVATIVE); }
  void setAliasAnalysis(AliasAnalysisKind kind) { alias_kind_ = kind; }
  bool isDefaultAliasAnalysisKind() const { return !alias_kind_; }

  // --- aliasing, from the annotations alone. A SchemaArgument or a name that is not there throws IndexError.
  bool hasAnyAliasInfo() const;
  bool is_mutable() const;  // is any argument written?
  bool is_mutable(const SchemaArgument& argument) const;
  bool is_mutable(std::string_view name) const;
  bool is_aliasing(const SchemaArgument& argument) const;                  // does it carry an annotation?
  bool may_alias(const SchemaArgument& a, const SchemaArgument& b) const;  // after the call
  // Also through elements: may `a` contain or be `b`? With `bidirectional`, or the other way round?
  bool may_contain_alias(const SchemaArgument& a, const SchemaArgument& b, bool bidirectional = true) const;

  // Puts keyword arguments and defaults in their places and checks number and types: afterwards `inputs` has
  // one value per argument. Throws ValueError or TypeError and leaves `inputs` as they were.
  void checkAndNormalizeInputs(std::vector<IValue>& inputs,
                               const std::unordered_map<std::string, IValue>& kwargs = {}) const;

  // May this one take the place of `old`? Otherwise the reason goes to `why_not`. Backward: whoever called `old` may
  // go on (new arguments have defaults). Forward: a call that leaves the new arguments out works with `old` too.
  bool isBackwardCompatibleWith(const FunctionSchema& old, std::ostream* why_not = nullptr) const;
  bool isForwardCompatibleWith(const FunctionSchema& old, std::ostream& why_not) const;

  friend bool operator==(const FunctionSchema& a,
                         const FunctionSchema& b) {  // the alias kind is not compared
    return a.name_ == b.name_ && a.arguments_ == b.arguments_ && a.returns_ == b.returns_ &&
           a.is_vararg_ == b.is_vararg_ && a.is_varret_ == b.is_varret_;
  }

 private:
  const Argument& at(const SchemaArgument& argument) const;
  void check_arguments() const;

  OperatorName name_;
  std::vector<Argument> arguments_, returns_;
  std::optional<AliasAnalysisKind> alias_kind_;
  bool is_vararg_, is_varret_;
};

// Number and held types of arguments and returns are compared, not names, defaults or annotations: the first
// difference in words, or nothing. `inferred` may come from a C++ type.
std::optional<std::string> findSchemaDifferences(const FunctionSchema& declared,
                                                 const FunctionSchema& inferred);

std::string to_string(const FunctionSchema& schema);  // as PyTorch prints it; parseSchema reads it back
std::string toString(const FunctionSchema& schema);
std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema);

}  // namespace gb
