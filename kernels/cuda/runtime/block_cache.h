// BlockCache: memory that is kept for reuse, cut to size and put together again. It decides; where memory
// comes from and how far a stream has got, a MemorySource says. So all of it runs and is tested on a machine
// without a GPU (block_cache_test.cc), and serves device memory and pinned host memory alike.
//
//   request           rounded up to     found in            a new segment from the source has
//   up to 1 MiB       512 bytes         the small pool      2 MiB
//   less than 10 MiB  512 bytes         the large pool      20 MiB
//   10 MiB and up     512 bytes         the large pool      the request, to the next 2 MiB
//
// A request takes the smallest free block of its stream that is large enough, and leaves the rest as a block
// of its own where the rest is worth keeping (512 bytes in the small pool, more than 1 MiB in the large one).
// A block that is given back is merged with its free neighbours. Only whole segments go back to the source.
//
// Why blocks belong to a stream: a block is handed out again while the kernel that last used it may still
// run. The next user's work is queued behind it on the same stream, so nobody waits. Work on another stream
// has to be announced (record_stream): such a block is free again only when events behind that work have
// passed.
//
// Invariants: the blocks of a segment lie side by side, without gaps, and two free neighbours never stand
// unmerged. A block is in a free list exactly when it is not `taken`. Thread-safe.
// Source of the sizes and the order of things: c10/cuda/CUDACachingAllocator.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/stream.h"
#include "kernels/cuda/runtime/memory_owner.h"

namespace gb::cuda {

// What a device provides.
class MemorySource {
 public:
  using Event = void*;
  virtual ~MemorySource() = default;
  virtual void* allocate(size_t bytes) = 0;        // null: there is no more
  virtual void release(void* memory) = 0;          // of `allocate`; waits for work that still uses it
  virtual Event record(const Stream& stream) = 0;  // a mark behind all the work given to `stream` so far
  virtual bool has_passed(Event event) = 0;        // has the stream got there?
  virtual void wait(Event event) = 0;
  virtual void forget(Event event) = 0;
};

struct MemoryStats {
  struct Amount {
    size_t current = 0, peak = 0;  // peak: since the start, or since reset_peaks
    void add(size_t bytes) {
      current += bytes;
      if (current > peak) peak = current;
    }
  };
  Amount allocated;                    // bytes of the blocks that are handed out, or wait for another stream
  Amount requested;                    // of them, what was asked for
  Amount reserved;                     // bytes of all segments
  size_t allocations = 0, reused = 0;  // requests; of them, those that needed no new segment
  size_t retries = 0;                  // times that the cache was given back because the source had no more
};

class BlockCache {
 public:
  struct Block {
    BlockCache* const cache;
    char* data;
    size_t bytes, requested;
    Stream stream;
    bool is_small;                      // which pool
    bool taken;                         // handed out, or given back and waiting for events
    Block *before, *after;              // neighbours in the segment
    std::vector<Stream> other_streams;  // that use it
    size_t events_to_come;              // given back, and behind so many events
    MemoryOwner owner;
  };

  // What one owner holds.
  struct Holder {
    MemoryOwner owner;
    size_t bytes = 0, blocks = 0;
  };

  explicit BlockCache(MemorySource& source) : source_(source) {}
  ~BlockCache();  // drops the records; what they stand for is the source's
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // For use on `stream`; bytes > 0. null: the source has no more, even after the cache was given back.
  Block* allocate(size_t bytes, const Stream& stream, const MemoryOwner& owner);
  void give_back(Block* block);
  // Work on `stream` uses the block, too: all that is given to it until the block is given back.
  void record_stream(Block* block, const Stream& stream);
  Block* find(const void* address) const;  // the taken block that has this byte; null: none
  // Waits for the events that blocks wait for, and gives all segments without a taken block to the source.
  void empty();

  MemoryStats stats() const;
  void reset_peaks();
  std::vector<Holder> holders() const;  // largest first
  std::string check() const;            // "", or which invariant does not hold: for tests; slow

 private:
  struct BySize {
    bool operator()(const Block* a, const Block* b) const;
  };
  struct ByNumber {
    bool operator()(const Stream& a, const Stream& b) const;
  };
  using Pool = std::set<Block*, BySize>;

  Pool& pool_of(const Block& block) { return pools_[block.is_small]; }
  Block* take_free(size_t bytes, const Stream& stream, bool is_small);
  Block* new_segment(size_t bytes, const Stream& stream, bool is_small);
  void split(Block* block, size_t bytes);
  void put_free(Block* block);
  void absorb_next(Block* block);
  void process_events(bool wait_for_all);
  void empty_locked();

  MemorySource& source_;
  mutable std::mutex mutex_;
  std::array<Pool, 2> pools_;               // large, small: the free blocks
  std::map<const char*, Block*> segments_;  // the first block of each, by its address
  std::map<Stream, std::deque<std::pair<MemorySource::Event, Block*>>, ByNumber>
      events_;  // in order of recording
  MemoryStats stats_;
};

}  // namespace gb::cuda
