// The dispatch trace: every hop with the whole derivation of its key. In every build; one predictable branch when off.
//
//   GB_TRACE=1 program                           a tree on stderr; GB_TRACE=json or chrome: see trace_stream.h
//   gb::trace::Recorder r; ...; r.tree()         the same as text, of this thread
//   (gdb) break gb_on_dispatch; set var gb_trace_flag = 1      every hop stops here (tools/gdb)
//
// A kernel that is launched on a device inside of a hop (core/kernel_launch.h) is a line beneath that hop.
// A hop has an id, counted over all threads in the order in which hops begin, and the id of the hop it was made in.
// While tracing is on, a nesting of more than GB_TRACE_MAX_DEPTH hops (1000) is an error that names the kernel which
// calls itself: the usual end of a redispatch that forgot to mask the key set is otherwise a stack overflow.
// The layout of Event is read by tools/gdb: fields are added at the end only.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/dispatch_key_set.h"
#include "core/kernel_launch.h"

namespace gb::impl {
class OperatorEntry;
struct RegisteredKernel;
}  // namespace gb::impl

// Written by a debugger, by GB_TRACE and by Recorder (which counts itself in): tracing is on while it is not 0.
extern "C" std::atomic<int> gb_trace_flag;

namespace gb::trace {

enum class CallKind : uint8_t { kCall, kRedispatch, kCallBoxed, kRedispatchBoxed };
const char* toString(CallKind kind);

[[gnu::always_inline, gnu::artificial]] inline bool is_enabled() {
  return gb_trace_flag.load(std::memory_order_relaxed) != 0;
}

// One hop: from a call (or a redispatch) to the kernel that serves it.
struct Event {
  const impl::OperatorEntry* op;
  const impl::RegisteredKernel* kernel;  // what the slot holds, and where it was registered
  const DispatchKeySet* argument_keys;   // [n_arguments]; empty for what is no tensor
  size_t n_arguments;
  DispatchKeySet included, excluded, mask;  // what the thread and the operator did to the arguments' keys
  DispatchKeySet keyset;                    // the result; for a redispatch: the set the kernel handed on
  DispatchKey key;                          // its highest key: the slot
  CallKind kind;
  int depth;  // of nesting, 0 for a call from outside
  uint64_t id, parent;  // from 1; parent 0: called from outside
  uint64_t thread;      // from 1, in the order in which threads make their first hop
  int64_t begin_ns;     // since the first hop of the program
  int64_t duration_ns;  // -1 until the hop ends
  const char* error;    // null, or what ended the hop: the type of the exception and its first line
};

// A kernel, as it is given to a device.
struct LaunchEvent {
  const KernelLaunch* launch;
  const Event* hop;  // the innermost one of this thread; null: launched outside of any
  uint64_t thread;
  int64_t begin_ns;
};

// Reports a hop when made, is one level deeper while it lives, and reports its end.
class Hop {
 public:
  // Throws where the nesting is deeper than GB_TRACE_MAX_DEPTH.
  Hop(CallKind kind, const impl::OperatorEntry& op, const impl::RegisteredKernel& kernel, DispatchKeySet ks,
      const DispatchKeySet* argument_keys, size_t n_arguments);
  ~Hop();
  Hop(const Hop&) = delete;
  Hop& operator=(const Hop&) = delete;
  void note_exception();  // in a catch block: an exception is passing through
  static const Event* innermost();  // of this thread; null outside of any hop

 private:
  [[noreturn]] void throw_too_deep() const;
  Event event_;
  const Hop* outer_;  // the hop of this thread that this one was made in
  std::string error_;
};

// Which hops to report. A pattern may hold `*`, which stands for any text; no pattern at all lets everything pass.
struct Filter {
  std::vector<std::string> ops, keys;  // any of `ops` and any of `keys`: "aten::mm*", "Autograd*"

  static Filter parse(const std::string& text);  // "op=aten::mm*,op=aten::add,key=CPU"; throws ValueError
  bool passes(const Event& event) const;
  bool passes(const LaunchEvent& event) const;  // with its hop; outside of any: where there is no pattern
};

// Turns tracing on and keeps this thread's hops until it goes. The innermost Recorder gets them.
class Recorder {
 public:
  explicit Recorder(Filter filter = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  enum Times { kWithoutTimes, kWithTimes };
  std::string tree(Times times = kWithoutTimes) const;  // one indented line per hop, in the order of the calls
  std::string json_lines() const;                       // one object per hop, in the order of the calls
  std::string chrome_trace() const;                     // of the hops that have ended: Perfetto opens it
  size_t size() const { return records_.size(); }

  void keep(const Event& event);    // from the hooks
  void finish(const Event& event);
  void keep(const LaunchEvent& event);

 private:
  struct Record {
    uint64_t id;
    std::string line, ending, timed_ending, json, chrome;
  };
  Filter filter_;
  std::vector<Record> records_;
  std::vector<size_t> open_;  // of records_: the hops that have not ended, innermost last
  Recorder* outer_;
};

}  // namespace gb::trace

// Sees every hop while tracing is on: the breakpoint. Never inlined, never removed.
extern "C" void gb_on_dispatch(const gb::trace::Event* event);
// The same at the end of a hop, with its duration and what exception ended it.
extern "C" void gb_on_return(const gb::trace::Event* event);
// The same for a kernel that is launched.
extern "C" void gb_on_launch(const gb::trace::LaunchEvent* event);
