// Errors: what happened, the cause with the offending values, how to repair it, and the chapter.
//
// Invariant: a public function checks all of its input before it changes anything, so a thrown Error leaves every
// tensor, table and tape as it was. The first line states the fact in terms a PyTorch user would search for.
// Names follow c10/util/Exception.h.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "core/chapters.h"

namespace gb {

// A place in the source. (std::source_location is missing in clang 14, so the fields come from __builtin_FILE().)
struct SourceLocation {
  const char* function;
  const char* file;
  uint32_t line;
};

// The four parts of a message. `chapter` is one of gb::chapters::k...; an empty part is left out.
struct ErrorParts {
  std::string what;
  std::string cause;
  std::string repair;
  const char* chapter = nullptr;
};

class Error : public std::exception {
 public:
  Error(SourceLocation location, std::string msg);
  Error(SourceLocation location, const ErrorParts& parts);

  const char* what() const noexcept override { return what_.c_str(); }  // message, context and place
  const char* what_without_backtrace() const noexcept { return without_place_.c_str(); }  // the same without place
  const std::string& msg() const { return msg_; }
  const std::vector<std::string>& context() const { return context_; }
  void add_context(std::string message);  // "while ..." lines, added by callers on the way up

 private:
  void refresh();

  std::string msg_;
  std::vector<std::string> context_;
  SourceLocation location_;
  std::string what_, without_place_;
};

struct IndexError : Error { using Error::Error; };           // a dimension or an element that is not there
struct ValueError : Error { using Error::Error; };           // a value outside its domain
struct TypeError : Error { using Error::Error; };            // a value of the wrong type
struct NotImplementedError : Error { using Error::Error; };  // no kernel, no formula, no hardware
struct OutOfMemoryError : Error { using Error::Error; };

namespace detail {
// Out of line, so that a check costs its caller one compare and one cold call.
[[noreturn]] void throw_internal_assert(const char* condition, SourceLocation location, const std::string& message);
}  // namespace detail

}  // namespace gb

#define GB_SOURCE_LOCATION() \
  (::gb::SourceLocation{__func__, __FILE__, static_cast<uint32_t>(__LINE__)})  // in (): a macro argument may hold it

// GB_THROW(IndexError, .what = "...", .cause = "...", .repair = "...", .chapter = chapters::kTensors);
#define GB_THROW(Kind, ...) throw ::gb::Kind(GB_SOURCE_LOCATION(), ::gb::ErrorParts{__VA_ARGS__})

// The parts are evaluated only when `cond` is false.
#define GB_CHECK_OR_THROW(cond, Kind, ...)                              \
  do {                                                                  \
    if (!(cond)) [[unlikely]] {                                         \
      const ::gb::SourceLocation gb_location_ = GB_SOURCE_LOCATION();   \
      [&]() __attribute__((noinline, cold)) { throw ::gb::Kind(gb_location_, ::gb::ErrorParts{__VA_ARGS__}); }(); \
    }                                                                   \
  } while (0)

// A mistake of glassbox itself, never of its caller.
#define GB_INTERNAL_ASSERT(cond, ...)                                                                        \
  do {                                                                                                       \
    if (!(cond)) [[unlikely]]                                                                                \
      ::gb::detail::throw_internal_assert(#cond, GB_SOURCE_LOCATION(), ::std::string{__VA_ARGS__});          \
  } while (0)
