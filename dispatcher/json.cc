#include "dispatcher/json.h"

#include <fmt/format.h>

namespace gb::json {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string keys(DispatchKeySet ks) {
  if (ks.empty()) return "[]";
  std::string names = toString(ks);  // "{CPU, AutogradCPU}"
  names = names.substr(1, names.size() - 2);
  for (size_t at = 0; (at = names.find(", ", at)) != std::string::npos;) names.replace(at, 2, "\",\"");
  return "[\"" + names + "\"]";
}

std::string object(const std::vector<Member>& members) {
  std::string out = "{";
  for (const Member& member : members) {
    if (out.size() > 1) out += ',';
    out += quoted(member.key) + ':' + member.value;
  }
  return out + '}';
}

std::string array(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ","));
}

std::string lines(const std::vector<std::string>& elements) {
  return elements.empty() ? "[]\n" : fmt::format("[\n{}\n]\n", fmt::join(elements, ",\n"));
}

}  // namespace gb::json
