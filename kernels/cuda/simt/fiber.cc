#include "kernels/cuda/simt/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define GB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GB_ASAN 1
#endif
#endif

#ifdef GB_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gb::simt {
namespace {

ucontext_t g_launcher;  // where a suspended fibre goes back to
const void* g_launcher_stack = nullptr;
size_t g_launcher_stack_bytes = 0;

// The two halves of a switch as the address sanitizer wants them told; nothing without it.
void announce_switch(void** save, const void* stack, size_t bytes) {
#ifdef GB_ASAN
  __sanitizer_start_switch_fiber(save, stack, bytes);
#else
  (void)save, (void)stack, (void)bytes;
#endif
}
void complete_switch(void* saved, const void** from_stack, size_t* from_bytes) {
#ifdef GB_ASAN
  __sanitizer_finish_switch_fiber(saved, from_stack, from_bytes);
#else
  (void)saved, (void)from_stack, (void)from_bytes;
#endif
}

}  // namespace

Fiber::~Fiber() {
  if (mapping_) munmap(mapping_, kStackBytes + static_cast<size_t>(getpagesize()));
}

void Fiber::reset(void (*entry)()) {
  if (!mapping_) {
    const size_t page = static_cast<size_t>(getpagesize());
    void* memory = mmap(nullptr, kStackBytes + page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    GB_CHECK_OR_THROW(memory != MAP_FAILED, OutOfMemoryError, .what = "simt: no memory for a thread's stack",
                      .cause = "mmap refused " + std::to_string(kStackBytes) + " bytes",
                      .repair = "launch a smaller block, or raise `ulimit -v` and vm.max_map_count",
                      .chapter = chapters::kKernels);
    mapping_ = memory;
    stack_ = static_cast<char*>(memory) + page;
    mprotect(memory, page, PROT_NONE);
  }
#ifdef GB_ASAN
  __asan_unpoison_memory_region(stack_, kStackBytes);  // an abandoned run left its frames marked
#endif
  asan_fake_stack_ = nullptr;
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_;
  context_.uc_stack.ss_size = kStackBytes;
  context_.uc_link = nullptr;
  makecontext(&context_, entry, 0);
}

void Fiber::resume() {
  void* launcher_fake_stack = nullptr;
  announce_switch(&launcher_fake_stack, stack_, kStackBytes);
  swapcontext(&g_launcher, &context_);
  complete_switch(launcher_fake_stack, nullptr, nullptr);
}

void Fiber::entered() { complete_switch(nullptr, &g_launcher_stack, &g_launcher_stack_bytes); }

void Fiber::switch_to_launcher(void** fake_stack) {
  announce_switch(fake_stack, g_launcher_stack, g_launcher_stack_bytes);
  swapcontext(&context_, &g_launcher);
}

void Fiber::suspend() {
  switch_to_launcher(&asan_fake_stack_);
  complete_switch(asan_fake_stack_, &g_launcher_stack, &g_launcher_stack_bytes);
}

void Fiber::leave_for_ever() { switch_to_launcher(nullptr); }

}  // namespace gb::simt
