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
#include <memory>
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

// The same for containers and std::allocate_shared: an allocator that takes room for up to four elements from such
// blocks.
//
//   std::vector<Edge, RecycledAllocator<Edge>>                      a node's edges
//   std::allocate_shared<MulBackward0>(RecycledAllocator<MulBackward0>())
template <class T>
struct RecycledAllocator {
  using value_type = T;
  RecycledAllocator() noexcept = default;
  template <class U>
  RecycledAllocator(const RecycledAllocator<U>&) noexcept {}

  T* allocate(size_t n) {
    switch (n) {
      case 1: return take<1>();
      case 2: return take<2>();
      case 3: return take<3>();
      case 4: return take<4>();
      default: return std::allocator<T>().allocate(n);
    }
  }
  void deallocate(T* memory, size_t n) noexcept {
    switch (n) {
      case 1: return give<1>(memory);
      case 2: return give<2>(memory);
      case 3: return give<3>(memory);
      case 4: return give<4>(memory);
      default: return std::allocator<T>().deallocate(memory, n);
    }
  }
  friend bool operator==(RecycledAllocator, RecycledAllocator) noexcept { return true; }

 private:
  template <size_t n>
  struct Room : Recycled<Room<n>> {
    alignas(T) std::byte bytes[n * sizeof(T)];
  };
  template <size_t n>
  static T* take() { return static_cast<T*>(Room<n>::operator new(sizeof(Room<n>))); }
  template <size_t n>
  static void give(T* memory) noexcept { Room<n>::operator delete(memory, sizeof(Room<n>)); }
};

}  // namespace gb
