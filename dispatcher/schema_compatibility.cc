// May a schema take the place of an older one? Backward: every old call still works. Forward: what is written against
// the new one, but leaves its new arguments out, works with the old one too.
// Source of the rules: ATen/core/function_schema.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "dispatcher/function_schema.h"

namespace gb {
namespace {

bool same_alias(const AliasInfo* a, const AliasInfo* b) { return a && b ? *a == *b : a == b; }

size_t first_out(const std::vector<Argument>& arguments) {
  const auto out = std::find_if(arguments.begin(), arguments.end(), [](const Argument& a) { return a.is_out(); });
  return static_cast<size_t>(out - arguments.begin());
}

bool same_frame(const FunctionSchema& now, const FunctionSchema& old, std::ostream* why_not) {
  if (now.operator_name() == old.operator_name() && now.is_vararg() == old.is_vararg() &&
      now.is_varret() == old.is_varret() && now.returns().size() == old.returns().size()) {
    return true;
  }
  if (why_not) *why_not << "the name, the number of returns or a `...` is different: " << now << " was " << old;
  return false;
}

bool refuse(std::ostream* why_not, const std::string& reason) {
  if (why_not) *why_not << reason;
  return false;
}

}  // namespace

bool Argument::isBackwardCompatibleWith(const Argument& old, std::ostream* why_not) const {
  if (name_ != old.name_ || n_ != old.n_ || !same_alias(alias_info(), old.alias_info()))
    return refuse(why_not, fmt::format("`{}` was `{}`", to_string(*this), to_string(old)));
  if (kwarg_only_ && !old.kwarg_only_) return refuse(why_not, fmt::format("`{}` is keyword-only now", name_));
  if (!old.type_->isSubtypeOfExt(*type_, why_not)) return false;
  if (old.default_value_ && default_value_ != old.default_value_)
    return refuse(why_not, fmt::format("the default of `{}` is another one now", name_));
  return true;
}

bool Argument::isForwardCompatibleWith(const Argument& old, std::ostream* why_not) const {
  if (name_ != old.name_ || n_ != old.n_ || !same_alias(alias_info(), old.alias_info()) ||
      default_value_ != old.default_value_ || kwarg_only_ != old.kwarg_only_)
    return refuse(why_not, fmt::format("`{}` was `{}`", to_string(*this), to_string(old)));
  return type_->isSubtypeOfExt(*old.type_, why_not);
}

bool FunctionSchema::isBackwardCompatibleWith(const FunctionSchema& old, std::ostream* why_not) const {
  if (!same_frame(*this, old, why_not)) return false;
  if (arguments_.size() < old.arguments_.size()) return refuse(why_not, "an argument is gone");
  // A result may become narrower, an argument wider.
  for (size_t i = 0; i < returns_.size(); ++i)
    if (!old.returns_[i].isBackwardCompatibleWith(returns_[i], why_not)) return false;
  const size_t outs = first_out(arguments_), old_outs = first_out(old.arguments_);
  if (outs < old_outs || arguments_.size() - outs < old.arguments_.size() - old_outs)
    return refuse(why_not, "an argument is gone, or has become an out argument");
  for (size_t i = 0; i < old_outs; ++i)
    if (!arguments_[i].isBackwardCompatibleWith(old.arguments_[i], why_not)) return false;
  for (size_t i = old_outs; i < outs; ++i) {
    if (arguments_[i].default_value()) continue;
    return refuse(why_not, fmt::format("Function schema not backward compatible since the new argument '{}' of type "
                                       "{} did not provide a default value.",
                                       arguments_[i].name(), arguments_[i].type()->str()));
  }
  for (size_t i = old_outs; i < old.arguments_.size(); ++i)
    if (!arguments_[i - old_outs + outs].isBackwardCompatibleWith(old.arguments_[i], why_not)) return false;
  return true;
}

bool FunctionSchema::isForwardCompatibleWith(const FunctionSchema& old, std::ostream& why_not) const {
  if (!same_frame(*this, old, &why_not)) return false;
  for (size_t i = 0; i < returns_.size(); ++i)
    if (!old.returns_[i].isForwardCompatibleWith(returns_[i], &why_not)) return false;
  const size_t outs = first_out(arguments_), old_outs = first_out(old.arguments_);
  if (arguments_.size() - outs != old.arguments_.size() - old_outs)
    return refuse(&why_not, "Function schema should have the same number of out arguments");
  if (outs < old_outs) return refuse(&why_not, "an argument is gone");
  for (size_t i = 0; i < old_outs; ++i)
    if (!arguments_[i].isForwardCompatibleWith(old.arguments_[i], &why_not)) return false;
  for (size_t i = old_outs; i < outs; ++i) {
    const Argument& added = arguments_[i];
    if (!added.default_value()) {
      return refuse(&why_not,
                    fmt::format("Function schema is not forward compatible since the new argument '{}' of type {} did "
                                "not provide a default value.",
                                added.name(), added.type()->str()));
    }
    if (added.default_value()->isList() || added.default_value()->isGenericDict()) {
      return refuse(&why_not,
                    fmt::format("Function schema is not forward compatible since the new argument '{}' of type {} has "
                                "a container type as its default value.",
                                added.name(), added.type()->str()));
    }
  }
  for (size_t i = old_outs; i < old.arguments_.size(); ++i)
    if (!arguments_[i - old_outs + outs].isForwardCompatibleWith(old.arguments_[i], &why_not)) return false;
  return true;
}

}  // namespace gb
