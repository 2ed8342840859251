#include "kernels/cuda/runtime/block_cache.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <tuple>
#include <utility>

namespace gb::cuda {
namespace {

constexpr size_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr size_t kStep = 512;         // every block is a multiple of it
constexpr size_t kSmallLimit = kMiB;  // larger requests are served from the large pool
constexpr size_t kSmallSegment = 2 * kMiB;
constexpr size_t kLargeSegment = 20 * kMiB;
constexpr size_t kOwnSegmentFrom = 10 * kMiB;  // requests of this size get a segment of their own size
constexpr size_t kSegmentStep = 2 * kMiB;

size_t round_up(size_t bytes, size_t step) { return (bytes + step - 1) / step * step; }

// Is what is left over worth a block of its own?
bool worth_splitting(size_t rest, bool is_small) { return is_small ? rest >= kStep : rest > kSmallLimit; }

}  // namespace

bool BlockCache::BySize::operator()(const Block* a, const Block* b) const {
  if (!(a->stream == b->stream)) return ByNumber()(a->stream, b->stream);
  if (a->bytes != b->bytes) return a->bytes < b->bytes;
  return std::less<>()(a->data, b->data);
}

bool BlockCache::ByNumber::operator()(const Stream& a, const Stream& b) const {
  const auto key = [](const Stream& s) { return std::tuple(s.device_type(), s.device_index(), s.id()); };
  return key(a) < key(b);
}

BlockCache::~BlockCache() {
  for (auto [address, block] : segments_)
    while (block) delete std::exchange(block, block->after);
}

BlockCache::Block* BlockCache::take_free(size_t bytes, const Stream& stream, bool is_small) {
  Pool& pool = pools_[is_small];
  Block wanted{this, nullptr, bytes, 0, stream, is_small, false, nullptr, nullptr, {}, 0, {}};
  const auto found = pool.lower_bound(&wanted);
  if (found == pool.end() || !((*found)->stream == stream)) return nullptr;
  Block* block = *found;
  pool.erase(found);
  return block;
}

BlockCache::Block* BlockCache::new_segment(size_t bytes, const Stream& stream, bool is_small) {
  const size_t size = is_small                  ? kSmallSegment
                      : bytes < kOwnSegmentFrom ? kLargeSegment
                                                : round_up(bytes, kSegmentStep);
  void* data = source_.allocate(size);
  if (!data) {
    ++stats_.retries;
    process_events(/*wait_for_all=*/true);
    empty_locked();
    data = source_.allocate(size);
    if (!data) return nullptr;
  }
  auto* block = new Block{
      this, static_cast<char*>(data), size, 0, stream, is_small, false, nullptr, nullptr, {}, 0, {}};
  segments_.emplace(block->data, block);
  stats_.reserved.add(size);
  return block;
}

BlockCache::Block* BlockCache::allocate(size_t bytes, const Stream& stream, const MemoryOwner& owner) {
  if (bytes > SIZE_MAX / 2) return nullptr;  // rounding up would go over the end
  const size_t size = round_up(bytes, kStep);
  const bool is_small = size <= kSmallLimit;
  const std::lock_guard lock(mutex_);
  process_events(/*wait_for_all=*/false);
  Block* block = take_free(size, stream, is_small);
  if (block) {
    ++stats_.reused;
  } else {
    block = new_segment(size, stream, is_small);
    if (!block) return nullptr;
  }
  if (worth_splitting(block->bytes - size, is_small)) split(block, size);
  block->taken = true;
  block->requested = bytes;
  block->owner = owner;
  ++stats_.allocations;
  stats_.allocated.add(block->bytes);
  stats_.requested.add(bytes);
  return block;
}

// [block: bytes | rest], the rest free
void BlockCache::split(Block* block, size_t bytes) {
  auto* rest = new Block{this,
                         block->data + bytes,
                         block->bytes - bytes,
                         0,
                         block->stream,
                         block->is_small,
                         false,
                         block,
                         block->after,
                         {},
                         0,
                         {}};
  if (rest->after) rest->after->before = rest;
  block->after = rest;
  block->bytes = bytes;
  pool_of(*rest).insert(rest);
}

void BlockCache::record_stream(Block* block, const Stream& stream) {
  if (stream == block->stream) return;  // order on one stream needs no help
  const std::lock_guard lock(mutex_);
  std::vector<Stream>& streams = block->other_streams;
  if (std::find(streams.begin(), streams.end(), stream) == streams.end()) streams.push_back(stream);
}

void BlockCache::give_back(Block* block) {
  const std::lock_guard lock(mutex_);
  for (const Stream& stream : std::exchange(block->other_streams, {})) {
    events_[stream].emplace_back(source_.record(stream), block);
    ++block->events_to_come;
  }
  if (block->events_to_come == 0) put_free(block);
}

void BlockCache::put_free(Block* block) {
  stats_.allocated.current -= block->bytes;
  stats_.requested.current -= block->requested;
  block->taken = false;
  if (block->after && !block->after->taken) absorb_next(block);
  // The lower block absorbs the upper one, so that a segment's first block stays the same.
  if (block->before && !block->before->taken) {
    block = block->before;
    pool_of(*block).erase(block);
    absorb_next(block);
  }
  pool_of(*block).insert(block);
}

// The next block is free; this one is in no free list, since its place there would go by its size.
void BlockCache::absorb_next(Block* block) {
  Block* next = block->after;
  pool_of(*next).erase(next);
  block->bytes += next->bytes;
  block->after = next->after;
  if (block->after) block->after->before = block;
  delete next;
}

BlockCache::Block* BlockCache::find(const void* address) const {
  const auto* byte = static_cast<const char*>(address);
  const std::lock_guard lock(mutex_);
  const auto beyond = segments_.upper_bound(byte);
  if (beyond == segments_.begin()) return nullptr;
  Block* block = std::prev(beyond)->second;
  while (block && byte >= block->data + block->bytes) block = block->after;
  return block && block->taken ? block : nullptr;
}

void BlockCache::process_events(bool wait_for_all) {
  for (auto& [stream, queue] : events_) {
    while (!queue.empty()) {
      const auto [event, block] = queue.front();
      if (wait_for_all) {
        source_.wait(event);
      } else if (!source_.has_passed(event)) {
        break;  // what was recorded later on this stream has not passed either
      }
      source_.forget(event);
      queue.pop_front();
      if (--block->events_to_come == 0) put_free(block);
    }
  }
}

void BlockCache::empty() {
  const std::lock_guard lock(mutex_);
  process_events(/*wait_for_all=*/true);
  empty_locked();
}

void BlockCache::empty_locked() {
  for (Pool& pool : pools_) {
    for (auto it = pool.begin(); it != pool.end();) {
      Block* block = *it;
      if (block->before || block->after) {  // only a part of its segment
        ++it;
        continue;
      }
      it = pool.erase(it);
      segments_.erase(block->data);
      stats_.reserved.current -= block->bytes;
      source_.release(block->data);
      delete block;
    }
  }
}

MemoryStats BlockCache::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void BlockCache::reset_peaks() {
  const std::lock_guard lock(mutex_);
  for (MemoryStats::Amount* amount : {&stats_.allocated, &stats_.requested, &stats_.reserved})
    amount->peak = amount->current;
}

std::vector<BlockCache::Holder> BlockCache::holders() const {
  const std::lock_guard lock(mutex_);
  std::map<std::pair<std::string_view, std::string_view>, Holder> by_owner;
  for (auto [address, first] : segments_) {
    for (const Block* block = first; block; block = block->after) {
      if (!block->taken) continue;
      Holder& holder = by_owner[{block->owner.function, block->owner.file}];
      holder.owner = block->owner;
      holder.bytes += block->bytes;
      ++holder.blocks;
    }
  }
  std::vector<Holder> all;
  for (const auto& [key, holder] : by_owner) all.push_back(holder);
  std::stable_sort(all.begin(), all.end(),
                   [](const Holder& a, const Holder& b) { return a.bytes > b.bytes; });
  return all;
}

std::string BlockCache::check() const {
  const std::lock_guard lock(mutex_);
  size_t reserved = 0, allocated = 0, requested = 0, free_blocks = 0;
  for (auto [address, first] : segments_) {
    if (first->before) return "a segment's first block has one before it";
    for (const Block* block = first; block; block = block->after) {
      reserved += block->bytes;
      if (block->bytes == 0 || block->bytes % kStep != 0) return "a block's size is no multiple of 512";
      if (!(block->stream == first->stream)) return "two streams in one segment";
      if (const Block* next = block->after) {
        if (next->before != block || next->data != block->data + block->bytes)
          return "neighbours do not touch";
        if (!block->taken && !next->taken) return "two free neighbours are not merged";
      }
      if (block->taken) {
        allocated += block->bytes;
        requested += block->requested;
      } else {
        ++free_blocks;
        if (!pools_[block->is_small].count(const_cast<Block*>(block)))
          return "a free block is in no free list";
      }
    }
  }
  if (free_blocks != pools_[0].size() + pools_[1].size()) return "a free list has a block that is not free";
  if (reserved != stats_.reserved.current || allocated != stats_.allocated.current ||
      requested != stats_.requested.current)
    return "the statistics do not add up";
  return "";
}

}  // namespace gb::cuda
