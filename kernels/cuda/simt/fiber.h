// A fibre: a stack and saved registers, so that a function can be left in its middle and resumed later.
//
// Built on ucontext (three libc calls with man pages; a switch costs two system calls for the signal mask,
// which a learner's kernel does not feel). Stacks come from mmap with a guard page below, so an overflow is a
// SIGSEGV at the line that did it. Under the address sanitizer each switch is announced, else it takes the
// other stack for an error. Invariant: exactly one fibre, or the launcher, runs at a time, all on one OS
// thread.
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace gb::simt {

class Fiber {
 public:
  Fiber() = default;
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  ~Fiber();

  // Makes the fibre ready to run entry() from its beginning; whatever it was in the middle of is forgotten.
  // entry() must end with a call of leave_for_ever().
  void reset(void (*entry)());
  void resume();          // launcher -> fibre; returns when the fibre suspends
  void suspend();         // fibre -> launcher; returns when the fibre is resumed
  void leave_for_ever();  // fibre -> launcher, at the end of entry()
  static void entered();  // the first thing entry() calls: completes the switch that started it

 private:
  static constexpr size_t kStackBytes = 128 * 1024;
  void switch_to_launcher(void** fake_stack);

  ucontext_t context_ = {};
  void* mapping_ = nullptr;  // guard page, then the stack
  char* stack_ = nullptr;
  void* asan_fake_stack_ = nullptr;
};

}  // namespace gb::simt
