// gb table and gb explain: the table of an operator as it is, or as it would be, and the derivation of one
// call.
#include <fmt/format.h>

#include "dispatcher/json.h"
#include "dispatcher/schema_parser.h"
#include "tools/gb_parts.h"

namespace gb::tools {
namespace {

constexpr std::string_view kFallthrough = "=fallthrough";

WhatIf parse_changes(const Line& line) {
  WhatIf changes;
  for (const std::string& text : line.values("--with")) {
    const bool fallthrough = text.ends_with(kFallthrough);
    changes.with.push_back(
        {parseDispatchKey(text.substr(0, text.size() - (fallthrough ? kFallthrough.size() : 0))),
         fallthrough});
  }
  for (const std::string& text : line.values("--without")) changes.without.push_back(parseDispatchKey(text));
  return changes;
}

}  // namespace

Output show_table(const Line& line) {
  const OperatorHandle op = find_operator(line.words[0]);
  const DispatchTable table = table_of(op);
  const std::string name = json::quoted(toString(op.operator_name()));
  if (line.has("--with") || line.has("--without")) {
    const TableDiff changed = diff(table, table_if(op, parse_changes(line)));
    if (!line.has("--json")) return {0, changed.text(), ""};
    return {0, json::object({{"op", name}, {"changes", changed.json()}}) + "\n", ""};
  }
  if (line.has("--json")) {
    return {0,
            json::object({{"op", name},
                          {"schema", json::quoted(toString(op.schema()))},
                          {"defined", json::quoted(op.debug())},
                          {"slots", table.json()}}) +
                "\n",
            ""};
  }
  return {0,
          fmt::format("registered:\n{}\nthe table that follows (keys without a kernel are left out):\n{}",
                      op.dumpState(), table.text(line.has("--why"))),
          ""};
}

Output explain_call(const Line& line) {
  const OperatorHandle op = find_operator(line.words[0]);
  const std::vector<ArgumentKeys> arguments = parse_arguments(op, {line.words.begin() + 1, line.words.end()});
  const ThreadState state(line);
  const DispatchExplanation explanation = explain_dispatch(op, arguments);
  if (line.has("--json")) return {0, explanation.json() + "\n", ""};
  return {0,
          explanation.text() + (line.has("--no-grad-mode")
                                    ? "  no-grad mode   changes no key: the Autograd kernel runs, and "
                                      "records nothing\n"
                                    : ""),
          ""};
}

}  // namespace gb::tools
