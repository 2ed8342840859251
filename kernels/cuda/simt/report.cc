// What the runner says when a block cannot go on: which threads wait where, and what is wrong with that.
#include <fmt/format.h>

#include <set>

#include "core/error.h"
#include "kernels/cuda/simt/block.h"

namespace gb::simt {
namespace {

std::string where(const Thread& t) {
  switch (t.state) {
    case ThreadState::Ready:
      return "ready to run";
    case ThreadState::Running:
      return "running";
    case ThreadState::Done:
      return "returned";
    case ThreadState::AtBarrier:
      return fmt::format("waiting at {}:{} (__syncthreads)", t.site.file, t.site.line);
    case ThreadState::AtWarpOperation:
      return fmt::format("waiting at {}:{} ({}, mask {:#010x})", t.site.file, t.site.line, t.request.name,
                         t.request.mask);
    case ThreadState::AtCondition:
      return fmt::format("waiting at {}:{} ({})", t.site.file, t.site.line, t.condition_text());
  }
  return "";
}

// "0-31,63" from sorted numbers.
std::string ranges(const std::vector<unsigned>& numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (!text.empty()) text += ",";
    text += end == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[end]);
    i = end + 1;
  }
  return text;
}

std::vector<std::string> groups() {
  std::vector<std::pair<std::string, std::vector<unsigned>>> found;  // in the order of their first thread
  for (unsigned i = 0; i < g_block.size; ++i) {
    std::string place = where(*g_block.threads[i]);
    size_t g = 0;
    while (g < found.size() && found[g].first != place) ++g;
    if (g == found.size()) found.emplace_back(std::move(place), std::vector<unsigned>());
    found[g].second.push_back(i);
  }
  std::vector<std::string> lines;
  for (const auto& [place, numbers] : found)
    lines.push_back(fmt::format("thread{} {} {}", numbers.size() == 1 ? "" : "s", ranges(numbers), place));
  return lines;
}

}  // namespace

void throw_stuck() {
  bool in_warp_operation = false, at_condition = false;
  std::set<std::pair<std::string, int>> barriers;
  for (unsigned i = 0; i < g_block.size; ++i) {
    const Thread& t = *g_block.threads[i];
    in_warp_operation |= t.state == ThreadState::AtWarpOperation;
    at_condition |= t.state == ThreadState::AtCondition;
    if (t.state == ThreadState::AtBarrier) barriers.insert({t.site.file, t.site.line});
  }
  std::string what, repair;
  if (in_warp_operation) {
    what = "not every lane of its mask reaches a warp operation";
    repair = "move the operation out of the branch, or let the mask name only the lanes that come here";
  } else if (at_condition) {
    what = "threads wait for what nobody does any more";
    repair =
        "count the arrivals and the bytes of each mbarrier, and follow its phases "
        "(kernels/cuda/instructions/mbarrier.h)";
  } else if (barriers.size() > 1) {
    what = "threads of one block wait at different barriers";
    repair = "move __syncthreads() out of the branch, so that all threads of the block reach the same one";
  } else {
    what = "a barrier comes after some threads have returned";
    repair = "guard the work, not the thread: `if (i < n) { ... }` in place of `if (i >= n) return;`";
  }
  GB_THROW(Error, .what = fmt::format("simt: kernel {}: {}", name_of(g_block.kernel), what),
           .cause = fmt::format("block ({},{},{}): {}", g_block.index.x, g_block.index.y, g_block.index.z,
                                fmt::join(groups(), "; ")),
           .repair = repair, .chapter = chapters::kKernels);
}

void refuse_activemask(Site site) {
  GB_THROW(Error,
           .what = fmt::format("simt: kernel {}: __activemask() has no one answer", name_of(g_block.kernel)),
           .cause = fmt::format(
               "{}:{}: it tells which lanes a GPU happens to run together; CUDA does not say which "
               "they are, even in code without branches",
               site.file, site.line),
           .repair = "compute the mask before the branch, with __ballot_sync(0xffffffff, condition)",
           .chapter = chapters::kKernels);
}

}  // namespace gb::simt
