// What the runner tells the sanitizers, which else take a switch of stacks for an error and threads on one OS
// thread for one thread.
//
// Their functions are declared weak: null in a program that is not built with that sanitizer. So one
// compilation of the runner serves plain, address and thread builds, and only the kernels are instrumented.
// (The runner must not be: its writes to threadIdx would count as races.)
#pragma once

#include <cstddef>

extern "C" {
[[gnu::weak]] void __sanitizer_start_switch_fiber(void** save, const void* stack, size_t bytes);
[[gnu::weak]] void __sanitizer_finish_switch_fiber(void* saved, const void** old_stack, size_t* old_bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* memory, size_t bytes);
[[gnu::weak]] int __sanitizer_symbolize_pc(void* pc, const char* format, char* out, size_t out_bytes);
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* first, size_t bytes);
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);  // flags 1: the switch orders nothing
[[gnu::weak]] void __tsan_set_fiber_name(void* fiber, const char* name);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void AnnotateIgnoreWritesBegin(const char* file, int line);
[[gnu::weak]] void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace gb::simt {

// For the thread sanitizer: what a thread did before release() comes before what another does after
// acquire().
class Ordering {
 public:
  void release() {
    if (__tsan_release) __tsan_release(this);
  }
  void acquire() {
    if (__tsan_acquire) __tsan_acquire(this);
  }

 private:
  [[maybe_unused]] char address_ = 0;  // no two have the same
};

// While one lives, the thread sanitizer does not look at what this fibre does: the runner's own records, which one
// fibre allocates and another frees. Synchronisation is seen all the same.
class Unwatched {
 public:
  Unwatched() {
    if (AnnotateIgnoreWritesBegin) AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  Unwatched(const Unwatched&) = delete;
  ~Unwatched() {
    if (AnnotateIgnoreWritesEnd) AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  }
};

}  // namespace gb::simt
