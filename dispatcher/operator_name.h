// OperatorName: `ns::name.overload`, the key of an operator in the registry. `name` holds the namespace too.
// Names follow ATen/core/operator_name.h.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace gb {

struct OperatorName final {
  OperatorName(std::string name, std::string overload_name)
      : name(std::move(name)), overload_name(std::move(overload_name)) {}

  std::optional<std::string_view> getNamespace() const {  // "aten" of "aten::add"
    const size_t at = name.find("::");
    return at == std::string::npos ? std::nullopt : std::optional(std::string_view(name).substr(0, at));
  }
  bool setNamespaceIfNotSet(const char* ns) {  // false when there was one
    if (getNamespace()) return false;
    name = std::string(ns) + "::" + name;
    return true;
  }
  friend bool operator==(const OperatorName&, const OperatorName&) = default;

  std::string name;
  std::string overload_name;
};

inline std::string toString(const OperatorName& n) {
  return n.overload_name.empty() ? n.name : n.name + "." + n.overload_name;
}
std::ostream& operator<<(std::ostream& out, const OperatorName& n);

}  // namespace gb

template <>
struct std::hash<gb::OperatorName> {
  size_t operator()(const gb::OperatorName& n) const noexcept {
    return std::hash<std::string>()(n.name) * 31 + std::hash<std::string>()(n.overload_name);
  }
};
