// What goes on beside the threads: copies and matrix products that a kernel starts and waits for later, and threads
// that wait for a condition. For the host meanings in kernels/cuda/instructions.
//
// A GPU promises only when such work is done at the latest: when a wait for it returns. A missing wait works nearly
// always, until it does not. So the runner is as unkind as the promise allows, in each thread order in another way:
//   forward  work is done when no thread can run any more: copies first, the latest first, then products. What is
//            read too early has not come yet; what is overwritten before a product has read it is lost.
//   reverse  a copy is done at once, at its start: it overwrites what somebody still reads, or stores what has not
//            been written yet.
//   random   either, by the seed.
// Work that nobody has waited for when its block has ended is an error: the block's shared memory is gone by then.
#pragma once

#include <deque>
#include <functional>
#include <string>

#include "kernels/cuda/simt/runner.h"
#include "kernels/cuda/simt/sanitizers.h"

namespace gb::simt {

// Parks the running thread until condition() holds; it is asked again and again, and must change nothing. text()
// says what the thread waits for, should it wait for ever: "mbarrier at 1040: phase 0, 1 arrival and 0 bytes
// missing".
void wait_until(Site site, std::function<bool()> condition, std::function<std::string()> text);

struct AsyncOperation {
  enum class Engine : uint8_t { Copy, Matrix } engine;
  std::string text;                // for the report: "a copy of 4096 bytes started at file.cu:12"
  std::function<bool()> possible;  // for the latest time: may it be done yet? null: yes
  std::function<void()> run;
};
void start(AsyncOperation operation);

// Shared memory has addresses of 32 bits, from kSharedBase, which is aligned to no more than 16 bytes: so is the
// start of a GPU's dynamic shared memory as far as it is promised. All blocks of a cluster count from the same.
inline constexpr uint32_t kSharedAlignment = 1024;  // no instruction asks for more
inline constexpr uint32_t kSharedBase = kSharedAlignment + 16;
uint32_t shared_address(const void* pointer, Site site);  // throws where that is not dynamic shared memory
unsigned rank_of(const void* pointer);  // of the block of the cluster whose shared memory it is in
char* shared_pointer(uint32_t address, unsigned rank, size_t bytes,
                     Site site);  // throws where that is out of range

unsigned thread_in_block();                               // 0 .. blockDim.x * blockDim.y * blockDim.z - 1
void note_shared_write(const void* first, size_t bytes);  // by an operation, for uninitialised.cc

// One Ordering per address of an mbarrier or the like: what was done before release(a) comes before what is done
// after acquire(a).
void release_at(const void* address);
void acquire_at(const void* address);

// "simt: kernel k: what", with the place as the cause.
[[noreturn]] void throw_misuse(Site site, const std::string& what, const std::string& cause,
                               const std::string& repair);

// A T for each thread that runs, new when its block begins.
uint32_t run_serial();
unsigned running_number();
template <class T>
class PerThread {
 public:
  T& mine() { return of(running_number()); }
  T& of(unsigned number) {
    if (serial_ != run_serial()) values_.clear();
    serial_ = run_serial();
    if (values_.size() <= number) values_.resize(number + 1);
    return values_[number];
  }

 private:
  uint32_t serial_ = 0;
  std::deque<T> values_;  // its elements stay where they are
};

// For the runner: at the begin and at the end of the threads that run together; true if there was something to do.
void begin_operations();
void end_operations();
bool run_one_operation();

}  // namespace gb::simt
