// Out of line, on the runner's side: the thread sanitizer need not watch the list, only what is copied.
#include "kernels/cuda/instructions/cp_async.h"

#include "kernels/cuda/simt/asynchronous.h"

namespace gb::cuda {

PendingCopies& pending_copies() {
  static simt::PerThread<PendingCopies> copies;
  return copies.mine();
}

}  // namespace gb::cuda
