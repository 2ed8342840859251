// What the copy engine does, in plain C++: the host meaning of tma.h.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "kernels/cuda/instructions/tma.h"

namespace gb::cuda {
namespace {

using simt::Site;

struct Box {
  TensorMapArgs map;
  int first[3];  // x, y, z
  uint32_t row_bytes() const {
    return static_cast<uint32_t>(map.box[0]) * static_cast<uint32_t>(elementSize(map.dtype));
  }
  int rows() const { return map.box[1] * map.box[2]; }
  uint32_t bytes() const { return row_bytes() * static_cast<uint32_t>(rows()); }
};

Box box_of(const TensorMap* map, int x, int y, int z) {
  Box box;
  memcpy(static_cast<void*>(&box.map), map, sizeof box.map);
  if (box.map.rank == 2) box.map.box[2] = 1, box.map.sizes[2] = 1;
  box.first[0] = x, box.first[1] = y, box.first[2] = z;
  return box;
}

void check_rank(const TensorMap* map, int rank, Site site) {
  const Box box = box_of(map, 0, 0, 0);
  if (box.map.rank != rank)
    simt::throw_misuse(site, "a copy by a map of another number of dimensions",
                       fmt::format("{} coordinates, a map of {}", rank, box.map.rank),
                       "give a coordinate for each");
}

uint32_t checked_address(const void* pointer, Swizzle swizzle, Site site) {
  const uint32_t address = simt::shared_address(pointer, site);
  const uint32_t alignment = swizzle == Swizzle::None ? 128 : 8 * row_bytes(swizzle);
  if (address % alignment != 0)
    simt::throw_misuse(site, "a box in shared memory that is not aligned",
                       fmt::format("address {}, to be a multiple of {}", address, alignment),
                       "use align_shared, and make each buffer a multiple of that long");
  return address;
}

uint32_t rounded_to_tf32(uint32_t bits) {
  if ((bits & 0x7f800000) == 0x7f800000) return bits;  // infinity, NaN
  return (bits + 0xfff + (bits >> 13 & 1)) & ~0x1fffu;
}

// Calls f(global, shared, bytes) for each element of the box: its place in the tensor, null over its edges, and in
// shared memory. width: how many elements of a row count as the tensor's.
template <class F>
void for_each_element(const Box& box, int64_t width, uint32_t address, unsigned rank, Site site, F f) {
  const auto size = static_cast<uint32_t>(elementSize(box.map.dtype));
  simt::shared_pointer(address, rank, box.bytes(), site);
  for (int row = 0; row < box.rows(); ++row)
    for (int i = 0; i < box.map.box[0]; ++i) {
      const int64_t x = box.first[0] + i, y = box.first[1] + row % box.map.box[1],
                    z = box.first[2] + row / box.map.box[1];
      const bool inside =
          x >= 0 && y >= 0 && z >= 0 && x < width && y < box.map.sizes[1] && z < box.map.sizes[2];
      const int64_t element = x + y * box.map.strides[0] + (z ? z * box.map.strides[1] : 0);
      const uint32_t linear =
          address + static_cast<uint32_t>(row) * box.row_bytes() + static_cast<uint32_t>(i) * size;
      f(inside ? static_cast<const char*>(box.map.data) + element * size : nullptr,
        simt::shared_pointer(swizzled(linear, box.map.swizzle), rank, size, site), size);
    }
}

void load_box(const Box& box, uint32_t address, unsigned rank, MBarrier* barrier, Site site) {
  for_each_element(box, box.map.sizes[0], address, rank, site, [&](const char* global, char* shared, uint32_t size) {
    uint32_t bits = 0;
    if (global && size == 4) memcpy(&bits, global, 4);
    if (global && size == 2) memcpy(&bits, global, 2);
    if (box.map.to_tf32) bits = rounded_to_tf32(bits);
    if (size == 4) memcpy(shared, &bits, 4);
    if (size == 2) memcpy(shared, &bits, 2);
    simt::note_shared_write(shared, size);
  });
  barrier->complete_tx(box.bytes(), site);
}

std::string text_of(const char* what, uint32_t bytes, Site site) {
  return fmt::format("{} of {} bytes started at {}:{}", what, bytes, site.file, site.line);
}

void start_load(void* to, const TensorMap* map, MBarrier* barrier, unsigned blocks, int x, int y, int z,
                Site site) {
  const simt::Unwatched unwatched;
  const Box box = box_of(map, x, y, z);
  const uint32_t address = checked_address(to, box.map.swizzle, site), at = simt::shared_address(barrier, site);
  for (unsigned rank = 0; blocks >> rank; ++rank)
    if (blocks >> rank & 1) {
      auto* const there = reinterpret_cast<MBarrier*>(simt::shared_pointer(at, rank, sizeof(MBarrier), site));
      simt::start({simt::AsyncOperation::Engine::Copy, text_of("a tensor load", box.bytes(), site), nullptr,
                   [=] { load_box(box, address, rank, there, site); }});
    }
}

// A store is not done before its thread waits for it: till then whoever overwrites its source spoils it.
struct Store {
  bool waited_for = false, done = false;
};
struct Stores {
  std::vector<std::shared_ptr<Store>> open;                    // since the last commit
  std::vector<std::vector<std::shared_ptr<Store>>> committed;  // by group
};
simt::PerThread<Stores> g_stores;

void start_store(std::string text, std::function<void()> run) {
  auto store = std::make_shared<Store>();
  g_stores.mine().open.push_back(store);
  simt::start({simt::AsyncOperation::Engine::Copy, std::move(text), [store] { return store->waited_for; },
               [store, run = std::move(run)] {
                 run();
                 store->done = true;
               }});
}

void start_tensor_store(const TensorMap* map, const void* from, int x, int y, int z, Site site) {
  const simt::Unwatched unwatched;
  const Box box = box_of(map, x, y, z);
  const uint32_t address = checked_address(from, box.map.swizzle, site);
  if (x < 0 || y < 0 || z < 0)
    simt::throw_misuse(site, "a tensor store of a box that begins before the tensor",
                       fmt::format("at ({}, {}, {})", x, y, z), "begin at 0 or later");
  const unsigned rank = simt::block_rank();
  const int64_t unit = 16 / static_cast<int64_t>(elementSize(box.map.dtype));
  const int64_t width = (box.map.sizes[0] + unit - 1) / unit * unit;
  start_store(text_of("a tensor store", box.bytes(), site), [=] {
    for_each_element(box, width, address, rank, site, [](const char* global, const char* shared, uint32_t size) {
      if (!global) return;
      if (size == 4) memcpy(const_cast<char*>(global), shared, 4);
      if (size == 2) memcpy(const_cast<char*>(global), shared, 2);
    });
  });
}

void check_run(const void* shared, const void* global, uint32_t bytes, Site site) {
  const uint32_t address = simt::shared_address(shared, site);
  if (address % 16 != 0 || reinterpret_cast<uintptr_t>(global) % 16 != 0 || bytes % 16 != 0)
    simt::throw_misuse(site, "a bulk copy that is not aligned",
                       fmt::format("{} bytes between shared address {} and {}", bytes, address, global),
                       "addresses and length must be multiples of 16");
  simt::shared_pointer(address, simt::block_rank(), bytes, site);
}

void copy_run(void* to, const void* from, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; i += 16)
    memcpy(static_cast<char*>(to) + i, static_cast<const char*>(from) + i, 16);
}

}  // namespace

void tma_load(void* to, const TensorMap* map, MBarrier* barrier, int x, int y, const char* file, int line) {
  check_rank(map, 2, {file, line});
  start_load(to, map, barrier, 1u << simt::block_rank(), x, y, 0, {file, line});
}
void tma_load(void* to, const TensorMap* map, MBarrier* barrier, int x, int y, int z, const char* file, int line) {
  check_rank(map, 3, {file, line});
  start_load(to, map, barrier, 1u << simt::block_rank(), x, y, z, {file, line});
}
void tma_load_multicast(void* to, const TensorMap* map, MBarrier* barrier, uint16_t blocks, int x, int y, int z,
                        const char* file, int line) {
  check_rank(map, 3, {file, line});
  if (blocks == 0 || blocks >> simt::cluster_blocks())
    simt::throw_misuse({file, line}, "a multicast to blocks that are not there",
                       fmt::format("blocks {:#x} of a cluster of {}", blocks, simt::cluster_blocks()),
                       "set the bits of blocks of the cluster");
  start_load(to, map, barrier, blocks, x, y, z, {file, line});
}

void tma_store(const TensorMap* map, const void* from, int x, int y, const char* file, int line) {
  check_rank(map, 2, {file, line});
  start_tensor_store(map, from, x, y, 0, {file, line});
}
void tma_store(const TensorMap* map, const void* from, int x, int y, int z, const char* file, int line) {
  check_rank(map, 3, {file, line});
  start_tensor_store(map, from, x, y, z, {file, line});
}

void bulk_load(void* to, const void* from, uint32_t bytes, MBarrier* barrier, const char* file, int line) {
  const simt::Unwatched unwatched;
  const Site site{file, line};
  check_run(to, from, bytes, site);
  simt::start({simt::AsyncOperation::Engine::Copy, text_of("a bulk load", bytes, site), nullptr, [=] {
                 copy_run(to, from, bytes);
                 simt::note_shared_write(to, bytes);
                 barrier->complete_tx(bytes, site);
               }});
}
void bulk_store(void* to, const void* from, uint32_t bytes, const char* file, int line) {
  const simt::Unwatched unwatched;
  const Site site{file, line};
  check_run(from, to, bytes, site);
  start_store(text_of("a bulk store", bytes, site), [=] { copy_run(to, from, bytes); });
}

void bulk_commit() {
  const simt::Unwatched unwatched;
  Stores& stores = g_stores.mine();
  stores.committed.push_back(std::move(stores.open));
  stores.open.clear();
}

void bulk_wait_for_all_but(int groups, const char* file, int line) {
  const simt::Unwatched unwatched;
  Stores& stores = g_stores.mine();
  std::vector<std::shared_ptr<Store>> awaited;
  while (stores.committed.size() > static_cast<size_t>(groups)) {
    awaited.insert(awaited.end(), stores.committed.front().begin(), stores.committed.front().end());
    stores.committed.erase(stores.committed.begin());
  }
  for (const auto& store : awaited) store->waited_for = true;
  simt::wait_until(
      {file, line},
      [awaited] {
        return std::all_of(awaited.begin(), awaited.end(), [](const auto& store) { return store->done; });
      },
      [] { return "bulk stores"; });
}

}  // namespace gb::cuda
