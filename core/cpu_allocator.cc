// The CPU caching allocator. A freed block goes on the free list of its size class, and the next request of that
// class takes it: large results would otherwise be mapped and unmapped by the C library at every call.
// Under AddressSanitizer nothing is kept, so that use after free is still found.
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <new>

#include "core/allocator.h"
#include "core/error.h"

namespace gb {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr bool kKeepBlocks = false;
#else
constexpr bool kKeepBlocks = true;
#endif

constexpr size_t kAlignment = 64;

// Stands in front of every block, so that the deleter knows the class; a full cache line, to keep data aligned.
struct alignas(kAlignment) Header {
  Header* next;
  unsigned size_class;  // the block holds 2^size_class bytes behind the header
};

// Held for a few instructions only, so waiting spins.
class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) [[unlikely]] {
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

struct SizeClass {
  SpinLock lock;
  Header* free = nullptr;
  size_t in_use = 0, cached = 0, reused = 0, from_system = 0;  // blocks
};

class CachingAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    if (nbytes == 0) return DataPtr(nullptr, Device(kCPU));
    const unsigned size_class = nbytes <= kAlignment ? 6 : static_cast<unsigned>(std::bit_width(nbytes - 1));
    Header* block = size_class < classes_.size() ? take(size_class) : nullptr;
    return block ? owning(block) : owning_new(nbytes, size_class);
  }

  AllocatorStats stats() {
    AllocatorStats total;
    for (size_t c = 0; c < classes_.size(); ++c) {
      SizeClass& cls = classes_[c];
      cls.lock.lock();
      total.in_use += cls.in_use << c;
      total.cached += cls.cached << c;
      total.reused += cls.reused;
      total.from_system += cls.from_system;
      cls.lock.unlock();
    }
    return total;
  }

  void empty_cache() {
    for (SizeClass& cls : classes_) {
      cls.lock.lock();
      Header* block = std::exchange(cls.free, nullptr);
      cls.cached = 0;
      cls.lock.unlock();
      while (block) std::free(std::exchange(block, block->next));
    }
  }

 private:
  static DataPtr owning(Header* block) { return DataPtr(block + 1, block, &CachingAllocator::give_back, Device(kCPU)); }
  // A function of its own, so that what its errors need is not set up where a kept block will do.
  [[gnu::noinline]] DataPtr owning_new(size_t nbytes, unsigned size_class) { return owning(from_system(nbytes, size_class)); }

  Header* take(unsigned size_class) {
    SizeClass& cls = classes_[size_class];
    cls.lock.lock();
    Header* block = cls.free;
    if (block) {
      cls.free = block->next;
      --cls.cached;
      ++cls.reused;
      ++cls.in_use;
    }
    cls.lock.unlock();
    return block;
  }

  Header* from_system(size_t nbytes, unsigned size_class) {
    void* memory = nullptr;
    if (size_class < classes_.size()) {
      const size_t bytes = sizeof(Header) + (size_t{1} << size_class);
      memory = std::aligned_alloc(kAlignment, bytes);
      if (!memory) {  // blocks of other classes may be all that is left
        empty_cache();
        memory = std::aligned_alloc(kAlignment, bytes);
      }
    }
    GB_CHECK_OR_THROW(memory, OutOfMemoryError, .what = "CPU allocator: out of memory",
                      .cause = fmt::format("a tensor asked for {} bytes", nbytes),
                      .repair = "use smaller tensors, or free some: gb::cpu_allocator_empty_cache() gives cached blocks back",
                      .chapter = chapters::kTensors);
    SizeClass& cls = classes_[size_class];
    cls.lock.lock();
    ++cls.in_use;
    ++cls.from_system;
    cls.lock.unlock();
    return new (memory) Header{nullptr, size_class};
  }

  static void give_back(void* context);

  std::array<SizeClass, 48> classes_;
};

// Never destroyed: tensors in static storage may die after every static destructor has run. Made before any code runs
// (constinit), so that a call need not ask whether it is there.
union Immortal {
  constexpr Immortal() : allocator() {}
  ~Immortal() {}
  CachingAllocator allocator;
};
constinit Immortal immortal;
CachingAllocator& allocator() { return immortal.allocator; }

void CachingAllocator::give_back(void* context) {
  auto* block = static_cast<Header*>(context);
  SizeClass& cls = allocator().classes_[block->size_class];
  cls.lock.lock();
  --cls.in_use;
  if (kKeepBlocks) {
    block->next = cls.free;
    cls.free = block;
    ++cls.cached;
  }
  cls.lock.unlock();
  if (!kKeepBlocks) std::free(block);
}

}  // namespace

Allocator* GetCPUAllocator() { return &allocator(); }
AllocatorStats cpu_allocator_stats() { return allocator().stats(); }
void cpu_allocator_empty_cache() { allocator().empty_cache(); }

}  // namespace gb
