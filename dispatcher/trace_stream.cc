#include "dispatcher/trace_stream.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/error.h"
#include "dispatcher/operator_entry.h"
#include "dispatcher/trace_print.h"

namespace gb::trace {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Not fmt::print, which throws where the file is full or closed: a program does not end for its trace.
void print_line(std::FILE* file, const std::string& text) { std::fputs((text + '\n').c_str(), file); }
void complain(const std::string& text) { print_line(stderr, "glassbox: " + text); }

Stream::Format format_of(std::string_view text) {
  if (text == "json") return Stream::Format::kJson;
  if (text == "chrome") return Stream::Format::kChrome;
  if (text != "1" && text != "tree") {
    complain(fmt::format("GB_TRACE={} is none of 0, 1, tree, json, chrome; it is taken as tree", text));
  }
  return Stream::Format::kTree;
}

std::FILE* open_file() {
  std::string path(environment("GB_TRACE_FILE"));
  if (path.empty()) return stderr;
  const std::string_view caller =
      environment("BUILD_WORKING_DIRECTORY");  // set by `bazel run`, which changes the folder
  if (path.front() != '/' && !caller.empty()) path = fmt::format("{}/{}", caller, path);
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (!file) {
    complain(fmt::format("GB_TRACE_FILE={} cannot be written ({}); the trace goes to stderr", path,
                         std::strerror(errno)));
    return stderr;
  }
  std::setvbuf(file, nullptr, _IOLBF, 1 << 16);  // after a crash the last lines are what one wants to see
  return file;
}

Filter filter_of(std::string_view text) {
  try {
    return Filter::parse(std::string(text));
  } catch (const Error& e) {
    complain(fmt::format("GB_TRACE_FILTER is left out\n{}", e.what_without_backtrace()));
    return {};
  }
}

}  // namespace

Stream::Stream(Format format, std::FILE* file, Filter filter)
    : format_(format), filter_(std::move(filter)), file_(file) {}

void Stream::write(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  if (format_ != Format::kChrome) {
    print_line(file_, text);
    return;
  }
  std::fputs(((first_ ? "[\n" : ",\n") + text).c_str(), file_);
  first_ = false;
}

void Stream::begin(const Event& event) {
  if (format_ == Format::kTree && filter_.passes(event)) write(to_line(event));
}

void Stream::end(const Event& event) {
  if (format_ == Format::kTree && !event.error) return;
  if (!filter_.passes(event)) return;
  switch (format_) {
    case Format::kTree:
      return write(fmt::format("{:{}}end of {}{}", "", event.depth * 2, toString(event.op->operator_name()),
                               to_ending(event, /*times=*/false)));
    case Format::kJson:
      return write(to_json(event));
    case Format::kChrome:
      return write(to_chrome(event));
  }
}

void Stream::launch(const LaunchEvent& event) {
  if (!filter_.passes(event)) return;
  switch (format_) {
    case Format::kTree:
      return write(to_line(event));
    case Format::kJson:
      return write(to_json(event));
    case Format::kChrome:
      return write(to_chrome(event));
  }
}

void Stream::close() {
  const std::lock_guard lock(mutex_);
  if (!closed_ && format_ == Format::kChrome) std::fputs(first_ ? "[\n]\n" : "\n]\n", file_);
  closed_ = true;
  std::fflush(file_);
}

Stream* Stream::from_environment() {
  static Stream* const stream = []() -> Stream* {
    const std::string_view asked = environment("GB_TRACE");
    if (asked.empty() || asked == "0") return nullptr;
    // Never destroyed: threads, and destructors of static objects, may still call operators when the program
    // ends.
    return new Stream(format_of(asked), open_file(), filter_of(environment("GB_TRACE_FILTER")));
  }();
  return stream;
}

}  // namespace gb::trace
