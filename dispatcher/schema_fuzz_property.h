// What must hold for every text that is given to the schema parser: it is refused with a gb::Error, or it is a schema
// whose printed form parses back to an equal one. The fuzzer and the replay of its corpus check the same.
#pragma once

#include <string>

#include "core/error.h"
#include "dispatcher/schema_parser.h"

namespace gb::testing {

// What is wrong, or nothing. An exception other than gb::Error passes through: the fuzzer reports it as a crash.
inline std::string broken_schema_property(const std::string& text) {
  std::string printed;
  try {
    const FunctionSchema first = jit::parseSchema(text);
    printed = to_string(first);
    const FunctionSchema second = jit::parseSchema(printed);
    if (to_string(second) != printed) return "`" + printed + "` prints back as `" + to_string(second) + "`";
    if (!(first == second)) return "`" + printed + "` parses back to another schema";
  } catch (const Error& e) {
    if (!printed.empty()) return "`" + printed + "` is printed and refused: " + e.what();
  }
  return "";
}

}  // namespace gb::testing
