// Finds reads of shared memory that no thread of the block has written: on a GPU such memory holds whatever
// the block before left there, on the host zeros, which hides the fault.
//
// The compiler of a thread-sanitizer build puts a call of __tsan_read4(address) and its like before each
// access. Defined here, in the program itself, those calls come to us first, and go on to the sanitizer under
// its second name. So kernels need no change, and one build finds races and uninitialised reads alike.
// Shared memory is the launch's dynamic memory, and what `__shared__`, that is `static`, puts among the
// program's zero-initialised data. For each of its bytes stands the number of the block that wrote it last.
//
// Only programs whose kernels are built with -fsanitize=thread link this file (BUILD: simt_tsan). Not seen:
// atomics, memcpy of more than 16 bytes, and the middle of a 16-byte read, which may be a struct's padding.
#include <fmt/format.h>

#include "core/error.h"
#include "kernels/cuda/simt/block.h"

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
extern "C" char __bss_start[], _end[];  // the linker's names of the zero-initialised data

namespace gb::simt {
namespace {

struct Region {
  const char* first = nullptr;
  size_t bytes = 0;
  std::vector<uint32_t> writer;  // of each byte: Block::serial

  uint32_t* find(const void* address, size_t n) {
    const size_t offset = static_cast<size_t>(static_cast<const char*>(address) - first);
    if (offset >= bytes || n > bytes - offset) return nullptr;
    writer.resize(bytes);
    return &writer[offset];
  }
};
Region g_static, g_dynamic;

// Of all blocks that run together.
size_t dynamic_bytes() { return (g_block.blocks - 1) * g_block.shared_stride + g_block.shared_bytes; }

// The records of n bytes of shared memory; null for other memory, and while no kernel runs.
uint32_t* records_of(const void* address, size_t n) {
  if (g_block.size == 0 || g_block.threads[g_block.current]->state != ThreadState::Running) return nullptr;
  for (const void* own : {static_cast<void*>(&threadIdx), static_cast<void*>(&blockIdx),
                          static_cast<void*>(&blockDim), static_cast<void*>(&gridDim)})
    if (address >= own && address < static_cast<const char*>(own) + sizeof(uint3)) return nullptr;
  g_static.first = __bss_start;
  g_static.bytes = static_cast<size_t>(_end - __bss_start);
  g_dynamic.first = g_block.shared;
  g_dynamic.bytes = dynamic_bytes();
  if (uint32_t* record = g_dynamic.find(address, n)) return record;
  return g_static.find(address, n);
}

void note_write(const void* address, size_t bytes, void* /*pc*/) {
  if (uint32_t* record = records_of(address, bytes))
    for (size_t i = 0; i < bytes; ++i) record[i] = g_block.serial;
}

// The error is thrown at the end of the block: the compiler does not expect a read to throw, and if this is a
// race too, the thread sanitizer shall see the write that comes too late.
void note_read(const void* address, size_t bytes, void* pc) {
  const uint32_t* record = records_of(address, bytes);
  if (!record || g_block.finding) return;
  for (size_t i = 0; i < bytes; ++i) {
    if (record[i] == g_block.serial || (bytes == 16 && i > 0 && i < 12)) continue;
    char place[512] = "";
    __sanitizer_symbolize_pc(static_cast<char*>(pc) - 1, "%s:%l", place, sizeof place);
    const uint3 t = threadIdx, b = blockIdx;
    g_block.finding = std::make_exception_ptr(Error(
        GB_SOURCE_LOCATION(),
        ErrorParts{
            .what = fmt::format("simt: kernel {}: a read of shared memory that this block has not written",
                                name_of(g_block.kernel)),
            .cause = fmt::format("{}: thread ({},{},{}) of block ({},{},{}) reads {} bytes, of which number {} at {} "
                                 "is not written",
                                 place, t.x, t.y, t.z, b.x, b.y, b.z, bytes, i, address),
            .repair = "write it first, and put a barrier between the write and the read",
            .chapter = chapters::kKernels}));
    return;
  }
}

}  // namespace
}  // namespace gb::simt

#define GB_ACCESS(kind, bytes)                                          \
  void __tsan_##kind##bytes##_pc(void* address, void* pc);              \
  void __tsan_##kind##bytes(void* address) {                            \
    gb::simt::note_##kind(address, bytes, __builtin_return_address(0)); \
    __tsan_##kind##bytes##_pc(address, __builtin_return_address(0));    \
  }
#define GB_ACCESS_OF_RANGE(kind)                                           \
  void __tsan_##kind##_range_pc(void* address, size_t bytes, void* pc);    \
  void __tsan_##kind##_range(void* address, size_t bytes) {                \
    gb::simt::note_##kind(address, bytes, __builtin_return_address(0));    \
    __tsan_##kind##_range_pc(address, bytes, __builtin_return_address(0)); \
  }

extern "C" {
// Of an asynchronous copy: it comes while no thread is Running.
void gb_simt_note_write(const void* first, size_t bytes) {
  using namespace gb::simt;
  g_dynamic.first = g_block.shared;
  g_dynamic.bytes = dynamic_bytes();
  if (uint32_t* record = g_dynamic.find(first, bytes))
    for (size_t i = 0; i < bytes; ++i) record[i] = g_block.serial;
}
GB_ACCESS(read, 1)
GB_ACCESS(read, 2)
GB_ACCESS(read, 4)
GB_ACCESS(read, 8)
GB_ACCESS(read, 16)
GB_ACCESS(write, 1)
GB_ACCESS(write, 2)
GB_ACCESS(write, 4)
GB_ACCESS(write, 8)
GB_ACCESS(write, 16)
GB_ACCESS_OF_RANGE(read)
GB_ACCESS_OF_RANGE(write)
}
