// A fibre: a stack and saved registers, so that a function can be left in its middle and resumed later.
//
// A switch saves the registers that a function call preserves, in named fields, where tools/gdb finds them,
// and loads those of the other side: 15 instructions on x86-64, ucontext elsewhere (much slower: it asks the
// kernel for the signal mask). Stacks come from mmap with a guard page below, so an overflow is a SIGSEGV
// at the line that did it. The sanitizers are told of every switch. Invariant: one fibre, or the launcher,
// runs at a time, all on one OS thread.
#pragma once

#include <cstddef>

#include "kernels/cuda/simt/sanitizers.h"

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace gb::simt {

#if defined(__x86_64__)
struct Registers {
  void *rsp, *rbp, *rbx, *r12, *r13, *r14, *r15;  // rsp points to the address at which to go on
};
#else
using Registers = ucontext_t;
#endif

// One side of a switch.
struct Context {
  Registers registers = {};
  const void* stack = nullptr;
  size_t stack_bytes = 0;
  void* asan_fake_stack = nullptr;
  void* tsan_fiber = nullptr;
};

class Fiber {
 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Makes the fibre ready to run entry() from its beginning; whatever it was in the middle of is forgotten.
  // entry() must begin with a call of entered() and end with one of leave_for_ever().
  void reset(void (*entry)());
  void set_name(const char* name);  // in the thread sanitizer's reports; after the first reset()
  void resume();                    // launcher -> fibre; returns when the fibre suspends
  void suspend();                   // fibre -> launcher; returns when the fibre is resumed
  void leave_for_ever();            // fibre -> launcher
  static void entered();
  void abandon(Ordering& done);  // it will not run on: releases `done` in its name

 private:
  static constexpr size_t kStackBytes = 128 * 1024;
  void allocate_stack();

  Context context_;
  void* mapping_ = nullptr;  // guard page, then the stack
  bool in_the_middle_ = false;
};

}  // namespace gb::simt
