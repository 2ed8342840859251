// The block cache on a made-up device: its address space is a row of numbers, and its streams get as far as
// the test lets them. Random programs are held against a model of what is safe.
#include "kernels/cuda/runtime/block_cache.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>

using namespace gb;
using namespace gb::cuda;

namespace {

constexpr size_t kMiB = size_t{1} << 20;

class FakeDevice final : public MemorySource {
 public:
  explicit FakeDevice(size_t capacity) : capacity_(capacity) {}

  static Stream stream(size_t i) {
    return Stream(Stream::UNSAFE, Device(kPrivateUse1, 0), static_cast<StreamId>(i));
  }
  void work(size_t s) { ++streams[s].given; }
  void advance(size_t s, size_t steps) {
    streams[s].done = std::min(streams[s].given, streams[s].done + steps);
  }

  void* allocate(size_t bytes) override {
    ++mallocs;
    if (in_use + bytes > capacity_) return nullptr;
    // Addresses are never used twice, so that a use of memory that was released cannot hide.
    void* memory = reinterpret_cast<void*>(next_address_);
    next_address_ += bytes + kMiB;
    segments[memory] = bytes;
    in_use += bytes;
    return memory;
  }
  void release(void* memory) override {
    REQUIRE(segments.count(memory) == 1);
    in_use -= segments[memory];
    segments.erase(memory);
  }
  Event record(const Stream& stream) override {
    const auto s = static_cast<size_t>(stream.id());
    ++events;
    return new Mark{s, streams[s].given};
  }
  bool has_passed(Event event) override {
    auto* mark = static_cast<Mark*>(event);
    return streams[mark->stream].done >= mark->position;
  }
  void wait(Event event) override {
    auto* mark = static_cast<Mark*>(event);
    streams[mark->stream].done = std::max(streams[mark->stream].done, mark->position);
  }
  void forget(Event event) override {
    --events;
    delete static_cast<Mark*>(event);
  }

  static constexpr size_t kStreams = 4;
  struct {
    size_t given = 0, done = 0;
  } streams[kStreams];
  std::map<void*, size_t> segments;
  size_t in_use = 0, mallocs = 0;
  int events = 0;

 private:
  struct Mark {
    size_t stream, position;
  };
  const size_t capacity_;
  uintptr_t next_address_ = uintptr_t{1} << 40;
};

const Stream kMain = FakeDevice::stream(0);
constexpr MemoryOwner kMm{"mm_cuda", "ops/mm/cuda.cc"}, kSoftmax{"softmax_cuda", "ops/softmax/cuda.cc"};

}  // namespace

TEST_CASE("requests are rounded to 512 bytes and cut out of a segment of their pool") {
  FakeDevice device(size_t{1} << 40);
  BlockCache cache(device);
  CHECK(cache.find(&device) == nullptr);
  const auto small = cache.allocate(1, kMain, {}), next = cache.allocate(513, kMain, {});
  CHECK(small->bytes == 512);
  CHECK(next->data == small->data + 512);
  CHECK(next->bytes == 1024);
  CHECK(cache.find(small->data + 511) == small);
  CHECK(cache.find(next->data + 1023) == next);
  CHECK(cache.find(next->data + 1024) == nullptr);  // the rest, which is free
  CHECK(device.in_use == 2 * kMiB);
  const auto large = cache.allocate(kMiB + 1, kMain, {});
  CHECK(large->bytes == kMiB + 512);
  CHECK(device.in_use == 22 * kMiB);
  CHECK(cache.allocate(10 * kMiB + 1, kMain, {})->bytes == 10 * kMiB + 512);  // from the rest of the 20 MiB
  CHECK(device.in_use == 22 * kMiB);
  CHECK(cache.allocate(11 * kMiB, kMain, {})->bytes == 12 * kMiB);  // the rest is not worth a block
  CHECK(device.in_use == 34 * kMiB);
  CHECK(cache.stats().allocated.current == 512 + 1024 + kMiB + 512 + 10 * kMiB + 512 + 12 * kMiB);
  CHECK(cache.stats().requested.current == 1 + 513 + kMiB + 1 + 10 * kMiB + 1 + 11 * kMiB);
  CHECK(cache.check() == "");
}

TEST_CASE("a block given back is merged with its free neighbours, on both sides") {
  FakeDevice device(size_t{1} << 40);
  BlockCache cache(device);
  BlockCache::Block* blocks[4];
  for (auto& block : blocks) block = cache.allocate(kMiB / 2, kMain, {});  // fills a segment of 2 MiB
  char* const start = blocks[0]->data;
  cache.give_back(blocks[0]);
  cache.give_back(blocks[2]);
  for (int i = 0; i < 2; ++i) CHECK(cache.allocate(kMiB, kMain, {})->data != start);  // a second segment
  cache.give_back(blocks[1]);
  const auto merged = cache.allocate(kMiB, kMain, {});
  CHECK(merged->data == start);
  CHECK(cache.check() == "");
  cache.give_back(merged);
  cache.give_back(blocks[3]);
  cache.empty();
  CHECK(device.segments.size() == 1);  // the one whose blocks are taken
}

TEST_CASE("the smallest free block that is large enough is taken, and none of another stream") {
  FakeDevice device(size_t{1} << 40);
  BlockCache cache(device);
  const auto hole = [&](size_t bytes) {  // a free block of this size between two taken ones
    const auto block = cache.allocate(bytes, kMain, {});
    cache.allocate(512, kMain, {});
    return block;
  };
  const auto large = hole(8192), fits = hole(4096), small = hole(1024);
  char* const address = fits->data;
  for (auto block : {large, fits, small}) cache.give_back(block);
  CHECK(cache.allocate(3000, device.stream(1), {})->data != address);
  CHECK(cache.allocate(3000, kMain, {})->data == address);
  CHECK(cache.check() == "");
}

TEST_CASE("a block used on another stream waits for the work there") {
  FakeDevice device(size_t{1} << 40);
  BlockCache cache(device);
  const auto block = cache.allocate(2 * kMiB, kMain, {});
  char* const address = block->data;
  device.work(1);
  device.work(2);
  cache.record_stream(block, device.stream(1));
  cache.record_stream(block, device.stream(2));
  cache.record_stream(block, device.stream(1));
  cache.record_stream(block, kMain);  // its own: nothing to wait for
  cache.give_back(block);
  CHECK(device.events == 2);
  CHECK(cache.stats().allocated.current == 2 * kMiB);
  const auto other = cache.allocate(2 * kMiB, kMain, {});
  CHECK(other->data != address);
  device.advance(1, 1);
  CHECK(cache.allocate(2 * kMiB, kMain, {})->data != address);
  device.advance(2, 1);
  CHECK(cache.allocate(2 * kMiB, kMain, {})->data == address);
  CHECK(device.events == 0);
  CHECK(cache.check() == "");
}

TEST_CASE("out of memory gives the cache back, waits for other streams, and tries again") {
  FakeDevice device(30 * kMiB);
  BlockCache cache(device);
  const auto held = cache.allocate(1000, kMain, kMm), kept = cache.allocate(12 * kMiB, kMain, kSoftmax);
  device.work(1);
  cache.record_stream(kept, device.stream(1));
  cache.give_back(kept);
  const auto big = cache.allocate(24 * kMiB, kMain, kSoftmax);
  REQUIRE(big);
  CHECK(device.streams[1].done == 1);
  CHECK(cache.stats().retries == 1);
  CHECK(cache.allocate(24 * kMiB, kMain, kMm) == nullptr);
  CHECK(cache.check() == "");
  CHECK(cache.allocate(SIZE_MAX, kMain, kMm) == nullptr);

  const std::vector<BlockCache::Holder> holders = cache.holders();
  REQUIRE(holders.size() == 2);
  CHECK(std::string(holders[0].owner.function) == "softmax_cuda");
  CHECK(holders[0].bytes == 24 * kMiB);
  CHECK(std::string(holders[1].owner.file) == "ops/mm/cuda.cc");
  CHECK(holders[1].blocks == 1);
  cache.give_back(big);
  cache.give_back(held);
  cache.empty();
  CHECK(device.in_use == 0);
  CHECK(cache.stats().reserved.current == 0);
  CHECK(cache.stats().reserved.peak == 26 * kMiB);
  cache.reset_peaks();
  CHECK(cache.stats().reserved.peak == 0);
}

namespace {

// What has been done with a range of addresses: on `stream`, behind so much of its work.
struct Use {
  char *begin, *end;
  size_t stream, position;
};

struct Held {
  BlockCache::Block* block;
  std::vector<size_t> streams;  // that use it
};

// Safe is: a range is handed out while nobody holds any of it, and every use of it by another stream than the
// new one has happened.
void play_random_program(uint64_t seed, size_t capacity, int steps) {
  std::mt19937_64 random(seed);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  FakeDevice device(capacity);
  BlockCache cache(device);
  std::vector<Held> held;
  std::vector<Use> uses;
  size_t largest_allocated = 0;
  const auto use = [&](const Held& h, size_t s) {
    device.work(s);
    uses.push_back({h.block->data, h.block->data + h.block->bytes, s, device.streams[s].given});
  };
  for (int step = 0; step < steps; ++step) {
    INFO("seed " << seed << ", step " << step);
    switch (below(8)) {
      case 0:
      case 1:
      case 2: {
        const size_t sizes[] = {1 + below(2048), 1 + below(kMiB), 1 + below(3 * kMiB), 1 + below(24 * kMiB)};
        const size_t bytes = sizes[below(4)], s = below(FakeDevice::kStreams);
        const size_t before = device.in_use, tried = device.mallocs;
        BlockCache::Block* block = cache.allocate(bytes, device.stream(s), kMm);
        if (!block) {
          REQUIRE(device.mallocs == tried + 2);
          REQUIRE(device.in_use <= before);
          break;
        }
        REQUIRE(block->bytes >= bytes);
        char *const begin = block->data, *const end = begin + block->bytes;
        const auto segment = std::prev(device.segments.upper_bound(static_cast<void*>(begin)));
        REQUIRE(end <= static_cast<char*>(segment->first) + segment->second);
        for (const Held& h : held) REQUIRE((end <= h.block->data || h.block->data + h.block->bytes <= begin));
        for (const Use& u : uses) {
          if (u.end <= begin || end <= u.begin || u.stream == s) continue;
          REQUIRE(device.streams[u.stream].done >= u.position);
        }
        held.push_back({block, {s}});
        use(held.back(), s);
        break;
      }
      case 3:
      case 4: {
        if (held.empty()) break;
        const size_t i = below(held.size());
        cache.give_back(held[i].block);
        std::swap(held[i], held.back());
        held.pop_back();
        break;
      }
      case 5: {
        if (held.empty()) break;
        Held& h = held[below(held.size())];
        const size_t s = below(FakeDevice::kStreams);
        cache.record_stream(h.block, device.stream(s));
        use(h, s);
        break;
      }
      case 6:
        device.advance(below(FakeDevice::kStreams), 1 + below(6));
        break;
      case 7:
        if (below(20) == 0) cache.empty();
        std::erase_if(uses, [&](const Use& u) { return device.streams[u.stream].done >= u.position; });
        break;
    }
    const std::string broken = cache.check();
    REQUIRE(broken == "");
    const MemoryStats stats = cache.stats();
    REQUIRE(stats.reserved.current == device.in_use);
    largest_allocated = std::max(largest_allocated, stats.allocated.current);
    REQUIRE(stats.allocated.peak == largest_allocated);
  }
  for (const Held& h : held) cache.give_back(h.block);
  cache.empty();
  CHECK(device.in_use == 0);
  CHECK(device.events == 0);
  CHECK(cache.stats().allocated.current == 0);
  CHECK(cache.stats().requested.current == 0);
}

}  // namespace

TEST_CASE("random programs: no overlap, no early reuse, everything given back") {
  for (uint64_t seed = 1; seed <= 40; ++seed) play_random_program(seed, size_t{1} << 40, 600);
}
TEST_CASE("random programs on a device with little memory") {
  for (uint64_t seed = 1; seed <= 40; ++seed) play_random_program(seed, 64 * kMiB, 600);
}
