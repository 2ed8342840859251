// gb schema: a schema read, printed back, and told in words.
#include <fmt/format.h>

#include "dispatcher/json.h"
#include "dispatcher/schema_parser.h"
#include "tools/gb_parts.h"

namespace gb::tools {
namespace {

std::string describe(const Argument& argument) {
  std::string text = argument.real_type()->str();
  if (argument.N()) text += fmt::format(", {} elements (one value stands for all)", *argument.N());
  if (argument.kwarg_only()) text += ", by keyword only";
  if (argument.default_value()) text += ", has a default";
  const AliasInfo* alias = argument.alias_info();
  if (!alias) return text;
  const std::string annotation = to_string(*alias);
  if (!annotation.empty()) text += fmt::format("; alias sets {}", annotation);
  for (const AliasInfo& element : alias->containedTypes())
    text += fmt::format("; each element {}", to_string(element));
  return text + (alias->isWrite() ? ": the operator writes it" : ": may share memory within its set");
}

std::string json_of(const std::vector<Argument>& arguments) {
  std::vector<std::string> all;
  for (const Argument& a : arguments) {
    const std::string written = to_string(a);  // "Tensor(a!) out", "int[2] stride=1"
    all.push_back(json::object({{"name", json::quoted(a.name())},
                                {"type", json::quoted(a.real_type()->str())},
                                {"size", a.N() ? std::to_string(*a.N()) : "null"},
                                {"keyword_only", json::boolean(a.kwarg_only())},
                                {"has_default", json::boolean(a.default_value().has_value())},
                                {"alias", a.alias_info() ? json::quoted(to_string(*a.alias_info())) : "null"},
                                {"writes", json::boolean(a.is_write())},
                                {"text", json::quoted(written)}}));
  }
  return json::array(all);
}

}  // namespace

Output show_schema(const Line& line) {
  const FunctionSchema parsed = jit::parseSchema(line.words[0]);
  if (line.has("--json")) {
    return {0,
            json::object({{"schema", json::quoted(toString(parsed))},
                          {"name", json::quoted(parsed.name())},
                          {"overload", json::quoted(parsed.overload_name())},
                          {"arguments", json_of(parsed.arguments())},
                          {"is_vararg", json::boolean(parsed.is_vararg())},
                          {"returns", json_of(parsed.returns())},
                          {"is_varret", json::boolean(parsed.is_varret())},
                          {"is_mutable", json::boolean(parsed.is_mutable())}}) +
                "\n",
            ""};
  }
  std::string text = fmt::format("{}\nname      {}\noverload  {}\n", toString(parsed), parsed.name(),
                                 parsed.overload_name().empty() ? "(none)" : parsed.overload_name());
  for (const Argument& a : parsed.arguments())
    text += fmt::format("argument  {:<10} {}\n", a.name(), describe(a));
  if (parsed.is_vararg()) text += "argument  ...        any number more\n";
  for (size_t i = 0; i < parsed.returns().size(); ++i) {
    const Argument& r = parsed.returns()[i];
    text +=
        fmt::format("return    {:<10} {}\n", r.name().empty() ? std::to_string(i) : r.name(), describe(r));
  }
  text += parsed.is_mutable() ? "writes    at least one argument\n" : "writes    no argument\n";
  return {0, text, ""};
}

}  // namespace gb::tools
