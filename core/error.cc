#include "core/error.h"

#include <fmt/format.h>

namespace gb {
namespace {

std::string render(const ErrorParts& parts) {
  std::string text = parts.what;
  if (!parts.cause.empty()) text += "\n  cause:   " + parts.cause;
  if (!parts.repair.empty()) text += "\n  repair:  " + parts.repair;
  if (parts.chapter) text += fmt::format("\n  chapter: {}", parts.chapter);
  return text;
}

}  // namespace

Error::Error(SourceLocation location, std::string msg) : msg_(std::move(msg)), location_(location) { refresh(); }

Error::Error(SourceLocation location, const ErrorParts& parts) : Error(location, render(parts)) {}

void Error::add_context(std::string message) {
  context_.push_back(std::move(message));
  refresh();
}

void Error::refresh() {
  without_place_ = msg_;
  for (const std::string& line : context_) without_place_ += "\n  " + line;
  what_ = fmt::format("{}\n  at:      {}:{} ({})", without_place_, location_.file, location_.line, location_.function);
}

namespace detail {

void throw_internal_assert(const char* condition, SourceLocation location, const std::string& message) {
  throw Error(location, ErrorParts{.what = "internal error: a rule that glassbox keeps itself is broken",
                                   .cause = fmt::format("`{}` is false{}{}", condition, message.empty() ? "" : ": ", message),
                                   .repair = "this is a bug in glassbox: please report it with the call that led here"});
}

}  // namespace detail
}  // namespace gb
