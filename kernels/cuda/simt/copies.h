// The asynchronous copies of one thread (cp.async) that have not landed: asked for, and not yet waited for.
//
// A GPU brings them at any time between the two. Here they land as late as may be: when the thread's own wait says so,
// the oldest first. kernels/cuda/instructions/cp_async.h reads and writes the memory, so that a sanitizer sees it
// where the kernel does it; this is only the list.
#pragma once

#include <cstdint>
#include <vector>

namespace gb::simt {

struct PendingCopy {
  void* to;
  int bytes;
  int64_t group;
  alignas(16) unsigned char value[16];
};

struct PendingCopies {
  std::vector<PendingCopy> waiting;  // the oldest first
  int64_t group = 0;                 // the open one; a commit opens the next
};
PendingCopies& pending_copies();  // of the thread that runs

}  // namespace gb::simt
