// JSON text: the little that the trace and the tools need to write it. Nothing here reads JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/dispatch_key_set.h"

namespace gb::json {

std::string quoted(std::string_view text);  // "a \"b\"\n" with its quotes

// A member of an object: its key and its value, which is JSON text already.
struct Member {
  std::string_view key;
  std::string value;
};
std::string keys(DispatchKeySet ks);                             // the names, as toString(ks) has them
std::string object(const std::vector<Member>& members);         // on one line
std::string array(const std::vector<std::string>& elements);    // on one line
std::string lines(const std::vector<std::string>& elements);    // an array with one element per line
inline std::string boolean(bool value) { return value ? "true" : "false"; }

}  // namespace gb::json
