#include "dispatcher/function_schema.h"

#include <fmt/format.h>

#include <ostream>

#include "core/error.h"

namespace gb {
namespace {

// A class is known by its name in a schema, and by its C++ type in a kernel.
bool same_type(const Type& declared, const Type& inferred) {
  if (declared.kind() == TypeKind::ClassType && inferred.kind() == TypeKind::AnyClassType) return true;
  const std::vector<TypePtr>&a = declared.containedTypes(), &b = inferred.containedTypes();
  if (declared.kind() != inferred.kind() || a.size() != b.size()) return false;
  if (a.empty()) return declared.equals(inferred);
  for (size_t i = 0; i < a.size(); ++i)
    if (!same_type(*a[i], *b[i])) return false;
  return true;
}

std::optional<std::string> first_difference(const char* what, const std::vector<Argument>& a,
                                            const std::vector<Argument>& b) {
  if (a.size() != b.size())
    return fmt::format("The number of {}s is different. {} vs {}.", what, a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    if (!same_type(*a[i].type(), *b[i].type())) {
      return fmt::format("Type mismatch in {} {}: {} vs {}.", what, i, a[i].type()->str(),
                         b[i].type()->str());
    }
  }
  return std::nullopt;
}

}  // namespace

FunctionSchema::FunctionSchema(std::string name, std::string overload_name, std::vector<Argument> arguments,
                               std::vector<Argument> returns, bool is_vararg, bool is_varret)
    : name_(std::move(name), std::move(overload_name)),
      arguments_(std::move(arguments)),
      returns_(std::move(returns)),
      is_vararg_(is_vararg),
      is_varret_(is_varret) {
  check_arguments();
}

void FunctionSchema::check_arguments() const {
  const Argument* with_default = nullptr;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& a = arguments_[i];
    GB_CHECK_OR_THROW(argumentIndexWithName(a.name()) == static_cast<int>(i), ValueError,
                      .what = fmt::format("schema: two arguments are named `{}`", a.name()),
                      .cause = to_string(*this), .repair = "give every argument a name of its own",
                      .chapter = chapters::kDispatch);
    if (a.default_value()) with_default = &a;
    GB_CHECK_OR_THROW(
        !with_default || a.default_value() || a.kwarg_only(), ValueError,
        .what = fmt::format("schema: argument `{}` has no default but follows `{}`, which has one", a.name(),
                            with_default->name()),
        .cause = to_string(*this), .repair = "give it a default, or make it keyword-only by a `*` before it",
        .chapter = chapters::kDispatch);
  }
}

std::optional<int> FunctionSchema::argumentIndexWithName(std::string_view name) const {
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (arguments_[i].name() == name) return static_cast<int>(i);
  return std::nullopt;
}

FunctionSchema FunctionSchema::cloneWithName(std::string name, std::string overload_name) const {
  FunctionSchema copy = *this;
  copy.name_ = OperatorName(std::move(name), std::move(overload_name));
  return copy;
}

void FunctionSchema::checkAndNormalizeInputs(std::vector<IValue>& inputs,
                                             const std::unordered_map<std::string, IValue>& kwargs) const {
  const auto refuse = [this](std::string what, std::string cause, std::string repair) {
    GB_THROW(ValueError, .what = fmt::format("{}: {}", toString(name_), what),
             .cause = fmt::format("{}; the schema is {}", cause, to_string(*this)),
             .repair = std::move(repair), .chapter = chapters::kDispatch);
  };
  if (inputs.size() > arguments_.size() && !is_vararg_) {
    refuse("too many arguments", fmt::format("{} given, {} declared", inputs.size(), arguments_.size()),
           "leave the last ones out");
  }
  std::vector<IValue> values =
      inputs;  // the caller's vector is written at the end, when nothing can fail any more
  size_t used = 0;
  for (size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& a = arguments_[i];
    const auto named = kwargs.find(a.name());
    const bool given = i < inputs.size();
    if (named != kwargs.end()) {
      if (given)
        refuse(fmt::format("argument `{}` is given twice", a.name()), "by position and by name",
               "give it once");
      values.push_back(named->second);
      ++used;
    } else if (!given) {
      if (!a.default_value()) {
        refuse(fmt::format("argument `{}` is missing", a.name()), "it has no default",
               fmt::format("pass a value of type `{}`", a.real_type()->str()));
      }
      values.push_back(*a.default_value());
    }
    GB_CHECK_OR_THROW(
        values[i].has_type(*a.type()), TypeError,
        .what = fmt::format("{}: argument `{}` is of the wrong type", toString(name_), a.name()),
        .cause = fmt::format("expected `{}`, got `{}`; the schema is {}", a.real_type()->str(),
                             values[i].type()->str(), to_string(*this)),
        .repair = fmt::format("pass a value of type `{}`", a.real_type()->str()),
        .chapter = chapters::kDispatch);
  }
  for (const auto& [name, value] : kwargs) {
    if (used == kwargs.size()) break;
    if (!argumentIndexWithName(name))
      refuse(fmt::format("there is no argument named `{}`", name), "it was given by name",
             "correct the name");
  }
  inputs = std::move(values);
}

std::optional<std::string> findSchemaDifferences(const FunctionSchema& declared,
                                                 const FunctionSchema& inferred) {
  if (auto difference = first_difference("argument", declared.arguments(), inferred.arguments()))
    return difference;
  return first_difference("return", declared.returns(), inferred.returns());
}

std::string to_string(const FunctionSchema& schema) {
  std::string text = toString(schema.operator_name()) + "(";
  const auto separate = [&text] {
    if (text.back() != '(') text += ", ";
  };
  bool keywords = false;
  for (const Argument& a : schema.arguments()) {
    separate();
    if (a.kwarg_only() && !keywords) text += "*, ";
    keywords |= a.kwarg_only();
    text += to_string(a);
  }
  if (schema.is_vararg()) separate(), text += "...";
  text += ") -> ";
  // One return stands bare, unless it would read as a list of returns: `-> (Tensor, Tensor)` is two, and the parser
  // does not look ahead to the `[]` of `(int, Tensor)[]`.
  const std::vector<Argument>& returns = schema.returns();
  if (schema.is_varret() && returns.empty()) return text + "...";
  if (returns.size() == 1 && !schema.is_varret()) {
    const std::string only = to_string(returns[0]);
    return text + (only.front() == '(' ? "(" + only + ")" : only);
  }
  text += "(";
  for (const Argument& r : returns) separate(), text += to_string(r);
  if (schema.is_varret()) separate(), text += "...";
  return text + ")";
}
std::string toString(const FunctionSchema& schema) { return to_string(schema); }
std::ostream& operator<<(std::ostream& out, const FunctionSchema& schema) { return out << to_string(schema); }

}  // namespace gb
