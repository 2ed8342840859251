// Warp operations: each lane posts what it has, the last lane of the mask to arrive computes for all of them.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/error.h"
#include "kernels/cuda/simt/block.h"

namespace gb::simt {
namespace {

// The lane whose value `lane` receives. A source outside the lane's group of `width` means: keep your own.
unsigned source_lane(const WarpRequest& r, unsigned lane) {
  const int width = r.width, base = static_cast<int>(lane) / width * width,
            in_group = static_cast<int>(lane) - base;
  int source = in_group;
  switch (r.op) {
    case WarpOp::Shuffle:
      source = r.operand & (width - 1);
      break;
    case WarpOp::ShuffleXor:
      source = in_group ^ r.operand;
      break;
    case WarpOp::ShuffleDown:
      source = in_group + r.operand;
      break;
    case WarpOp::ShuffleUp:
      source = in_group - r.operand;
      break;
    case WarpOp::Sync:
    case WarpOp::Reduce:
    case WarpOp::Together:
      break;
  }
  if (source < 0 || source >= width) source = in_group;
  return static_cast<unsigned>(base + source);
}

bool same_operation(const WarpRequest& a, const WarpRequest& b) {
  return a.op == b.op && strcmp(a.name, b.name) == 0 && a.mask == b.mask && a.site.line == b.site.line &&
         strcmp(a.site.file, b.site.file) == 0;
}

// Is lane `lane` of the warp that starts at thread `first` there, and in the same operation as `request`?
bool has_posted(unsigned first, unsigned lane, const WarpRequest& request) {
  if (first + lane >= g_block.size) return false;
  const Thread& t = *g_block.threads[first + lane];
  return t.state == ThreadState::AtWarpOperation && same_operation(t.request, request);
}

// Word by word, not by memcpy, which the thread sanitizer would take for an access by the thread that runs.
void copy_words(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes / 4; ++i)
    static_cast<volatile uint32_t*>(to)[i] = static_cast<const volatile uint32_t*>(from)[i];
}

void compute_together(unsigned first, const WarpRequest& request, unsigned arrived) {
  GB_CHECK_OR_THROW(arrived == 0xffffffffu, Error,
                    .what = fmt::format("simt: kernel {}: {} is an instruction of a whole warp",
                                        name_of(g_block.kernel), request.name),
                    .cause = fmt::format("{}:{}: only the lanes {:#010x} of the warp of thread {} are there",
                                         request.site.file, request.site.line, arrived, first),
                    .repair = "launch whole warps, and let none of their threads return before",
                    .chapter = chapters::kKernels);
  const size_t bytes = request.record_bytes;
  alignas(16) unsigned char records[kWarpSize * kMostRecordBytes];  // on the stack of the last lane to come
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    copy_words(records + lane * bytes, g_block.threads[first + lane]->request.record, bytes);
  request.compute(records);
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    copy_words(g_block.threads[first + lane]->request.record, records + lane * bytes, bytes);
}

// Its record stands for the lanes of one mask; lanes with other masks have another.
Thread& lowest_lane(unsigned first, unsigned mask) {
  return *g_block.threads[first + static_cast<unsigned>(std::countr_zero(mask))];
}

}  // namespace

bool try_complete_warp_operation(unsigned number) {
  const unsigned first = number / kWarpSize * kWarpSize;
  const WarpRequest request = g_block.threads[number]->request;
  unsigned arrived = 0;
  uint64_t combined = 0;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(request.mask >> lane & 1) || first + lane >= g_block.size)
      continue;  // a short last warp has fewer lanes
    if (has_posted(first, lane, request)) {
      const uint64_t value = g_block.threads[first + lane]->request.value;
      if (request.op == WarpOp::Reduce) combined = arrived ? request.combine(combined, value) : value;
      arrived |= 1u << lane;
    } else if (g_block.threads[first + lane]->state != ThreadState::Done || !options().tolerate_exited) {
      return false;
    }
  }
  if (request.op == WarpOp::Together) compute_together(first, request, arrived);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (!(arrived >> lane & 1)) continue;
    Thread& t = *g_block.threads[first + lane];
    if (request.op == WarpOp::Reduce) {
      t.result = combined;
    } else if (request.op != WarpOp::Sync && request.op != WarpOp::Together) {
      const unsigned source = source_lane(t.request, lane);
      GB_CHECK_OR_THROW(
          arrived >> source & 1, Error,
          .what = fmt::format("simt: kernel {}: {} reads a lane that gave no value", name_of(g_block.kernel),
                              request.name),
          .cause = fmt::format(
              "{}:{}: lane {} (thread {}) reads lane {}, which is not among the lanes {:#010x} that are "
              "there; a GPU gives an undefined value",
              request.site.file, request.site.line, lane, first + lane, source, arrived),
          .repair = "launch whole warps, or keep the source lane inside the mask",
          .chapter = chapters::kKernels);
      t.result = g_block.threads[first + source]->request.value;
    }
  }
  for (unsigned lane = 0; lane < kWarpSize; ++lane)
    if (arrived >> lane & 1) g_block.threads[first + lane]->state = ThreadState::Ready;
  if (request.op == WarpOp::Sync) {
    Thread& lowest = lowest_lane(first, request.mask);
    lowest.arrived.acquire();
    lowest.goes_on.release();
  }
  return true;
}

uint64_t warp_operation(const WarpRequest& request) {
  const unsigned number = g_block.current, lane = number % kWarpSize;
  GB_CHECK_OR_THROW(request.mask >> lane & 1, Error,
                    .what = fmt::format("simt: kernel {}: a lane calls {} with a mask that leaves it out",
                                        name_of(g_block.kernel), request.name),
                    .cause = fmt::format("{}:{}: thread {} is lane {}, the mask is {:#010x}",
                                         request.site.file, request.site.line, number, lane, request.mask),
                    .repair = "name every lane that calls in the mask, or keep this lane out of the call",
                    .chapter = chapters::kKernels);
  GB_CHECK_OR_THROW(request.width >= 1 && request.width <= 32 && (request.width & (request.width - 1)) == 0,
                    Error, .what = fmt::format("simt: kernel {}: bad shuffle width", name_of(g_block.kernel)),
                    .cause = fmt::format("{}:{}: width {} is not 1, 2, 4, 8, 16 or 32", request.site.file,
                                         request.site.line, request.width),
                    .repair = "use a power of two up to the warp size", .chapter = chapters::kKernels);
  Thread& self = *g_block.threads[number];
  self.request = request;
  self.site = request.site;
  self.state = ThreadState::AtWarpOperation;
  // Of the warp operations only __syncwarp orders memory; a shuffle is no fence.
  Thread& lowest = lowest_lane(number - lane, request.mask);
  if (request.op == WarpOp::Sync) lowest.arrived.release();
  if (try_complete_warp_operation(number)) {
    self.state = ThreadState::Running;
  } else {
    self.fiber.suspend();
  }
  if (request.op == WarpOp::Sync) lowest.goes_on.acquire();
  return self.result;
}

}  // namespace gb::simt
