#include "kernels/cuda/simt/asynchronous.h"

#include <fmt/format.h>

#include <map>
#include <random>

#include "core/error.h"
#include "kernels/cuda/simt/block.h"

extern "C" [[gnu::weak]] void gb_simt_note_write(const void* first,
                                                 size_t bytes);  // uninitialised.cc, where linked

namespace gb::simt {
namespace {

std::vector<AsyncOperation> g_pending;  // in the order of their starts
std::mt19937_64 g_random;
std::map<const void*, Ordering> g_orderings;

bool is_possible(const AsyncOperation& operation) { return !operation.possible || operation.possible(); }

void run(size_t i) {
  const AsyncOperation operation = std::move(g_pending[i]);
  g_pending.erase(g_pending.begin() + static_cast<std::ptrdiff_t>(i));
  operation.run();
}

size_t shared_end() { return (g_block.blocks - 1) * g_block.shared_stride + g_block.shared_bytes; }

}  // namespace

void wait_until(Site site, std::function<bool()> condition, std::function<std::string()> text) {
  const Unwatched unwatched;
  if (condition()) return;
  Thread& self = running_thread();
  self.site = site;
  self.condition = std::move(condition);
  self.condition_text = std::move(text);
  self.state = ThreadState::AtCondition;
  self.fiber.suspend();
}

void start(AsyncOperation operation) {
  const Unwatched unwatched;
  const bool at_once = options().order == Order::Reverse || (options().order == Order::Random && g_random() % 2);
  if (at_once && operation.engine == AsyncOperation::Engine::Copy) return operation.run();
  g_pending.push_back(std::move(operation));
}

// [anchor: late]
bool run_one_operation() {
  const Unwatched unwatched;
  for (auto engine : {AsyncOperation::Engine::Copy, AsyncOperation::Engine::Matrix}) {
    std::vector<size_t> possible;
    for (size_t i = 0; i < g_pending.size(); ++i)
      if (g_pending[i].engine == engine && is_possible(g_pending[i])) possible.push_back(i);
    if (possible.empty()) continue;
    run(options().order == Order::Random ? possible[g_random() % possible.size()] : possible.back());
    return true;
  }
  return false;
}

void begin_operations() {
  const Unwatched unwatched;
  g_pending.clear();
  g_random.seed(options().seed + g_block.serial);
}

void end_operations() {
  const Unwatched unwatched;
  if (g_pending.empty()) return;
  const std::string text = g_pending.front().text;
  const size_t count = g_pending.size();
  g_pending.clear();
  GB_THROW(Error,
           .what = fmt::format("simt: kernel {}: a block ends before its work is done", name_of(g_block.kernel)),
           .cause = fmt::format("block ({},{},{}): nobody waits for {}; {} of the kind in all", g_block.index.x,
                                g_block.index.y, g_block.index.z, text, count),
           .repair = "wait for it: its shared memory or its registers are another block's by then",
           .chapter = chapters::kKernels);
}

unsigned rank_of(const void* pointer) {
  const auto offset = static_cast<size_t>(static_cast<const char*>(pointer) - g_block.shared);
  return g_block.shared_stride ? static_cast<unsigned>(offset / g_block.shared_stride) : 0;
}

uint32_t shared_address(const void* pointer, Site site) {
  const auto offset = static_cast<size_t>(static_cast<const char*>(pointer) - g_block.shared);
  if (offset >= shared_end())
    throw_misuse(site, "an address that is not in the dynamic shared memory",
                 fmt::format("{} is not among the {} bytes at {}", pointer, g_block.shared_bytes,
                             static_cast<const void*>(g_block.shared)),
                 "get the memory from GB_EXTERN_SHARED");
  return kSharedBase + static_cast<uint32_t>(offset % g_block.shared_stride);
}

char* shared_pointer(uint32_t address, unsigned rank, size_t bytes, Site site) {
  if (address < kSharedBase || address - kSharedBase + bytes > g_block.shared_bytes)
    throw_misuse(site, "an access out of the range of shared memory",
                 fmt::format("bytes {} to {} of {}", static_cast<int64_t>(address) - kSharedBase,
                             static_cast<int64_t>(address) - kSharedBase + static_cast<int64_t>(bytes),
                             g_block.shared_bytes),
                 "ask for more at the launch, or look at the strides of the descriptor and the box of the map");
  return g_block.shared + rank * g_block.shared_stride + (address - kSharedBase);
}

uint32_t run_serial() { return g_block.serial; }
unsigned running_number() { return g_block.current; }
unsigned thread_in_block() { return g_block.current % g_block.block_size; }

void note_shared_write(const void* first, size_t bytes) {
  if (gb_simt_note_write) gb_simt_note_write(first, bytes);
}

void release_at(const void* address) {
  const Unwatched unwatched;
  g_orderings[address].release();
}
void acquire_at(const void* address) {
  const Unwatched unwatched;
  g_orderings[address].acquire();
}

void throw_misuse(Site site, const std::string& what, const std::string& cause, const std::string& repair) {
  GB_THROW(Error, .what = fmt::format("simt: kernel {}: {}", name_of(g_block.kernel), what),
           .cause = fmt::format("{}:{}: {}", site.file, site.line, cause), .repair = repair,
           .chapter = chapters::kKernels);
}

}  // namespace gb::simt
