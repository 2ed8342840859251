// Out of line, on the runner's side: the thread sanitizer need not watch how the list is found, only what is copied.
#include "kernels/cuda/instructions/cp_async.h"

#include <memory>

#include "kernels/cuda/simt/asynchronous.h"
#include "kernels/cuda/simt/sanitizers.h"

namespace gb::cuda {

// Each thread makes its own: memory that one thread allocates and another uses would be reported as a race.
PendingCopies& pending_copies() {
  static simt::PerThread<std::unique_ptr<PendingCopies>> copies;
  std::unique_ptr<PendingCopies>& mine = [&]() -> std::unique_ptr<PendingCopies>& {
    const simt::Unwatched records;
    return copies.mine();
  }();
  if (!mine) mine = std::make_unique<PendingCopies>();
  return *mine;
}

}  // namespace gb::cuda
