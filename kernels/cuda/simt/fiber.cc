#include "kernels/cuda/simt/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"

#if defined(__x86_64__)
// Called on one stack, it returns on the other. The other registers are the compiler's to save around a call.
extern "C" void gb_simt_switch(gb::simt::Registers* from, const gb::simt::Registers* to);
// Where a new fibre begins: calls what rbx points to. The last frame of a backtrace: nothing called it.
extern "C" void gb_simt_start();
asm(R"(
  .text
  .type gb_simt_switch, @function
gb_simt_switch:
  .cfi_startproc
  mov %rsp, 0(%rdi)
  mov %rbp, 8(%rdi)
  mov %rbx, 16(%rdi)
  mov %r12, 24(%rdi)
  mov %r13, 32(%rdi)
  mov %r14, 40(%rdi)
  mov %r15, 48(%rdi)
  mov 0(%rsi), %rsp
  mov 8(%rsi), %rbp
  mov 16(%rsi), %rbx
  mov 24(%rsi), %r12
  mov 32(%rsi), %r13
  mov 40(%rsi), %r14
  mov 48(%rsi), %r15
  ret
  .cfi_endproc
  .size gb_simt_switch, . - gb_simt_switch
  .type gb_simt_start, @function
gb_simt_start:
  .cfi_startproc
  .cfi_undefined rip
  call *%rbx
  ud2
  .cfi_endproc
  .size gb_simt_start, . - gb_simt_start
)");
#endif

namespace gb::simt {
namespace {

#if defined(__x86_64__)
void switch_registers(Registers& from, Registers& to) { gb_simt_switch(&from, &to); }

void begin_at(Registers& registers, void* stack, size_t bytes, void (*entry)()) {
  void** top = reinterpret_cast<void**>(static_cast<char*>(stack) + bytes) - 1;
  *top = reinterpret_cast<void*>(gb_simt_start);
  registers = {};
  registers.rsp = top;
  registers.rbx = reinterpret_cast<void*>(entry);
}
#else
void switch_registers(Registers& from, Registers& to) { swapcontext(&from, &to); }

void begin_at(Registers& registers, void* stack, size_t bytes, void (*entry)()) {
  getcontext(&registers);
  registers.uc_stack.ss_sp = stack;
  registers.uc_stack.ss_size = bytes;
  registers.uc_link = nullptr;
  makecontext(&registers, entry, 0);
}
#endif

Context g_launcher;  // where a suspended fibre goes back to

// Saves what runs in `from` and goes on with `to`; returns when something switches to `from` again.
// [anchor: switch]
void switch_context(Context& from, Context& to, bool from_ends = false) {
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(from_ends ? nullptr : &from.asan_fake_stack, to.stack, to.stack_bytes);
  if (__tsan_switch_to_fiber) __tsan_switch_to_fiber(to.tsan_fiber, 1);
  switch_registers(from.registers, to.registers);
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(from.asan_fake_stack, nullptr, nullptr);
}

}  // namespace

Fiber::~Fiber() {
  if (!mapping_) return;
  if (__tsan_destroy_fiber) __tsan_destroy_fiber(context_.tsan_fiber);
  munmap(mapping_, kStackBytes + static_cast<size_t>(getpagesize()));
}

void Fiber::allocate_stack() {
  const size_t page = static_cast<size_t>(getpagesize());
  void* memory = mmap(nullptr, kStackBytes + page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  GB_CHECK_OR_THROW(memory != MAP_FAILED, OutOfMemoryError, .what = "simt: no memory for a thread's stack",
                    .cause = "mmap refused " + std::to_string(kStackBytes) + " bytes",
                    .repair = "launch a smaller block, or raise `ulimit -v` and vm.max_map_count",
                    .chapter = chapters::kKernels);
  mprotect(memory, page, PROT_NONE);
  mapping_ = memory;
  context_.stack = static_cast<char*>(memory) + page;
  context_.stack_bytes = kStackBytes;
}

void Fiber::reset(void (*entry)()) {
  if (!mapping_) allocate_stack();
  if (__tsan_create_fiber && (in_the_middle_ || !context_.tsan_fiber)) {
    // Reused where the last run came to its end: making one is slow. An abandoned one has calls open.
    if (context_.tsan_fiber) __tsan_destroy_fiber(context_.tsan_fiber);
    context_.tsan_fiber = __tsan_create_fiber(0);
  }
  // An abandoned run left its frames marked.
  if (__asan_unpoison_memory_region) __asan_unpoison_memory_region(context_.stack, kStackBytes);
  context_.asan_fake_stack = nullptr;
  in_the_middle_ = false;
  begin_at(context_.registers, const_cast<void*>(context_.stack), kStackBytes, entry);
}

void Fiber::set_name(const char* name) {
  if (__tsan_set_fiber_name) __tsan_set_fiber_name(context_.tsan_fiber, name);
}

void Fiber::resume() {
  if (__tsan_get_current_fiber) g_launcher.tsan_fiber = __tsan_get_current_fiber();
  in_the_middle_ = true;
  switch_context(g_launcher, context_);
}

// The other half of the switch that started this fibre: it tells where the launcher's stack is.
void Fiber::entered() {
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(nullptr, &g_launcher.stack, &g_launcher.stack_bytes);
}

void Fiber::suspend() { switch_context(context_, g_launcher); }

void Fiber::abandon(Ordering& done) {
  if (!__tsan_switch_to_fiber) return;
  __tsan_switch_to_fiber(context_.tsan_fiber, 1);
  done.release();
  __tsan_switch_to_fiber(g_launcher.tsan_fiber, 1);
}

void Fiber::leave_for_ever() {
  in_the_middle_ = false;
  switch_context(context_, g_launcher, true);
}

}  // namespace gb::simt
