// What GB_TRACE asks for: the hops of the whole program, of all threads, written while it runs.
//
//   GB_TRACE=1 (or tree)   a line when a hop begins, and one at its end where an exception ends it
//   GB_TRACE=json          one object per hop, written at its end: `id` is the order of the calls
//   GB_TRACE=chrome        an array of events, for ui.perfetto.dev or chrome://tracing
//   GB_TRACE_FILE=path     instead of stderr; a relative path is taken from the caller's folder, also under
//   `bazel run` GB_TRACE_FILTER=...    "op=aten::mm*,key=CPU": see Filter
#pragma once

#include <cstdio>
#include <mutex>

#include "dispatcher/trace.h"

namespace gb::trace {

class Stream {
 public:
  enum class Format { kTree, kJson, kChrome };
  Stream(Format format, std::FILE* file,
         Filter filter);  // `file` stays the caller's, and open while the Stream lives
  ~Stream() { close(); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void begin(const Event& event);
  void end(const Event& event);
  void launch(const LaunchEvent& event);
  void close();  // ends the array of a Chrome trace; what comes later is dropped

  // The one that the environment asks for, or null. A setting that makes no sense is reported on stderr and
  // left out.
  static Stream* from_environment();

 private:
  void write(const std::string& text);

  const Format format_;
  const Filter filter_;
  std::FILE* const file_;
  std::mutex mutex_;  // of what follows
  bool closed_ = false, first_ = true;
};

}  // namespace gb::trace
