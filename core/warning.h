// Warnings: facts that do not stop the program. The handler decides what becomes of them; the default prints to stderr.
// Names follow c10/util/Exception.h.
#pragma once

#include <string>

#include "core/error.h"

namespace gb {

class Warning {
 public:
  Warning(SourceLocation location, std::string msg, bool verbatim = false)
      : location_(location), msg_(std::move(msg)), verbatim_(verbatim) {}
  const std::string& msg() const { return msg_; }
  const SourceLocation& source_location() const { return location_; }
  bool verbatim() const { return verbatim_; }

 private:
  SourceLocation location_;
  std::string msg_;
  bool verbatim_;  // the message stands for itself: no place in front
};

class WarningHandler {
 public:
  virtual ~WarningHandler() = default;
  virtual void process(const Warning& warning);  // prints
};

void warn(const Warning& warning);

namespace WarningUtils {
void set_warning_handler(WarningHandler* handler);  // of this thread; null: the default one
WarningHandler* get_warning_handler();

// Another handler for a scope.
class WarningHandlerGuard {
 public:
  explicit WarningHandlerGuard(WarningHandler* handler) : before_(get_warning_handler()) { set_warning_handler(handler); }
  ~WarningHandlerGuard() { set_warning_handler(before_); }
  WarningHandlerGuard(const WarningHandlerGuard&) = delete;
  WarningHandlerGuard& operator=(const WarningHandlerGuard&) = delete;

 private:
  WarningHandler* before_;
};
}  // namespace WarningUtils

}  // namespace gb

#define GB_WARN(message) ::gb::warn(::gb::Warning(GB_SOURCE_LOCATION(), message))
