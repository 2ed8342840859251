// Recycled<T>: memory for small objects that a program makes and drops with every operator call.
//
//   class StorageImpl final : public intrusive_ptr_target, public Recycled<StorageImpl> { ... };
//
// `new T` takes the block that the last T of this thread left, and `delete` leaves it: about 15 instructions together,
// where malloc and free take 70. Blocks are kept per thread, so no lock is needed; an object may die on another thread
// than the one that made it, and its block then stays there. A thread keeps at most kMost blocks of one type, none
// before its first `new T`, and gives them back when it ends. Not in PyTorch, which calls malloc.
// Under AddressSanitizer nothing is kept, so that use after free is still found.
#pragma once

#include <cstddef>
#include <new>

namespace gb {

namespace detail {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kRecycle = false;
#else
inline constexpr bool kRecycle = true;
#endif

// One thread's blocks of one type. Trivially destructible and constant at start, so that reading it is one
// thread-relative load, also while the thread ends.
struct RecycledBlocks {
  struct Block { Block* next; };
  Block* first = nullptr;
  int room = 0;         // how many more may be kept; 0 before the first `new`, and when the thread is about to end
  bool opened = false;
};

// Gives the blocks back when the thread ends.
struct RecycledBlocksCloser {
  RecycledBlocks& blocks;
  ~RecycledBlocksCloser() {
    blocks.room = 0;
    while (RecycledBlocks::Block* block = blocks.first) {
      blocks.first = block->next;
      ::operator delete(block);
    }
  }
};

}  // namespace detail

template <class T>
class Recycled {
 public:
  static void* operator new(size_t nbytes) {
    detail::RecycledBlocks::Block* block = blocks_.first;
    if (block && nbytes == sizeof(T)) [[likely]] {  // a class derived from T may be larger
      blocks_.first = block->next;
      ++blocks_.room;
      return block;
    }
    return from_system(nbytes);
  }
  static void* operator new(size_t, void* place) noexcept { return place; }

  static void operator delete(void* memory, size_t nbytes) noexcept {
    if (blocks_.room > 0 && nbytes == sizeof(T)) [[likely]] {
      --blocks_.room;
      blocks_.first = new (memory) detail::RecycledBlocks::Block{blocks_.first};
    } else {
      ::operator delete(memory);
    }
  }

 private:
  static constexpr int kMost = 64;

  [[gnu::noinline]] static void* from_system(size_t nbytes) {
    if (detail::kRecycle && !blocks_.opened) {
      blocks_.opened = true;
      blocks_.room = kMost;
      static thread_local detail::RecycledBlocksCloser closer{blocks_};
      static_cast<void>(closer);
    }
    return ::operator new(nbytes);
  }

  static inline constinit thread_local detail::RecycledBlocks blocks_;
};

}  // namespace gb
