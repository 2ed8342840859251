// The dispatch trace: every hop with the whole derivation of its key. In every build; one predictable branch when off.
//
//   GB_TRACE=1 program               a tree on stderr
//   gb::trace::Recorder r; ...; r.tree()        the same as text, of this thread
//   (gdb) break gb_on_dispatch; set var gb_trace_flag = 1      every hop stops here (tools/gdb)
//
// The layout of Event is read by tools/gdb: fields are added at the end only.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "core/dispatch_key_set.h"

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
};

// Reports a hop when made, and is one level deeper while it lives.
class Hop {
 public:
  Hop(CallKind kind, const impl::OperatorEntry& op, const impl::RegisteredKernel& kernel, DispatchKeySet ks,
      const DispatchKeySet* argument_keys, size_t n_arguments);
  ~Hop();
  Hop(const Hop&) = delete;
  Hop& operator=(const Hop&) = delete;
};

// Turns tracing on and keeps this thread's hops, as text, until it goes. The innermost Recorder gets them.
class Recorder {
 public:
  Recorder();
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  std::string tree() const;        // one indented line per hop
  std::string json_lines() const;  // one object per hop
  size_t size() const { return tree_.size(); }
  void keep(const Event& event);

 private:
  std::vector<std::string> tree_, json_;
  Recorder* outer_;
};

std::string to_line(const Event& event);  // one line, indented by depth
std::string to_json(const Event& event);

}  // namespace gb::trace

// Sees every hop while tracing is on: the breakpoint. Never inlined, never removed.
extern "C" void gb_on_dispatch(const gb::trace::Event* event);
