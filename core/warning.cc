#include "core/warning.h"

#include <fmt/format.h>

#include <cstdio>

namespace gb {
namespace {

WarningHandler& default_handler() {
  static WarningHandler& handler = *new WarningHandler;  // outlives every static destructor that may still warn
  return handler;
}
thread_local WarningHandler* t_handler = nullptr;

}  // namespace

void WarningHandler::process(const Warning& w) {
  if (w.verbatim()) {
    fmt::print(stderr, "[glassbox warning] {}\n", w.msg());
  } else {
    fmt::print(stderr, "[glassbox warning {}:{}] {}\n", w.source_location().file, w.source_location().line, w.msg());
  }
}

void warn(const Warning& warning) { WarningUtils::get_warning_handler()->process(warning); }

namespace WarningUtils {
void set_warning_handler(WarningHandler* handler) { t_handler = handler; }
WarningHandler* get_warning_handler() { return t_handler ? t_handler : &default_handler(); }
}  // namespace WarningUtils

}  // namespace gb
