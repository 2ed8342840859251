#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "dispatcher/operator_entry.h"
#include "dispatcher/trace.h"

namespace gb::trace {
namespace {

// `*` stands for any text. After a mismatch the last `*` takes one character more.
bool matches(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0, star = std::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool any_matches(const std::vector<std::string>& patterns, const std::string& text) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                         [&](const std::string& p) { return matches(p, text); });
}

}  // namespace

Filter Filter::parse(const std::string& text) {
  Filter filter;
  for (size_t from = 0; from < text.size();) {
    const size_t to = std::min(text.find(',', from), text.size());
    const std::string part = text.substr(from, to - from);
    from = to + 1;
    const bool op = part.starts_with("op=");
    GB_CHECK_OR_THROW(
        (op && part.size() > 3) || (part.starts_with("key=") && part.size() > 4), ValueError,
        .what = fmt::format("trace filter: \"{}\" is neither op=PATTERN nor key=PATTERN", part),
        .cause = fmt::format("it is a part of \"{}\"", text),
        .repair = "write, for example, op=aten::mm*,key=CPU; of several op= (or key=) one must match",
        .chapter = chapters::kDispatch);
    (op ? filter.ops : filter.keys).push_back(part.substr(op ? 3 : 4));
  }
  return filter;
}

bool Filter::passes(const Event& event) const {
  return any_matches(ops, ops.empty() ? "" : gb::toString(event.op->operator_name())) &&
         any_matches(keys, gb::toString(event.key));
}

bool Filter::passes(const LaunchEvent& event) const {
  return event.hop ? passes(*event.hop) : ops.empty() && keys.empty();
}

}  // namespace gb::trace
