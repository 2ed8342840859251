#include "kernels/cuda/softmax/softmax.h"

#include <iterator>

#include "kernels/cuda/errors.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda {
namespace {

bool takes_all(const SoftmaxArgs&) { return true; }
bool takes_all_backward(const SoftmaxBackwardArgs&) { return true; }
bool takes_none_backward(const SoftmaxBackwardArgs&) { return false; }

constexpr SoftmaxRung kRungs[] = {
    {"01_naive", "kernels/cuda/softmax/01_naive.cu", softmax_01_naive::forward, softmax_01_naive::backward,
     takes_all, takes_all_backward, true},
    {"02_block_tree", "kernels/cuda/softmax/02_block_tree.cu", softmax_02_block_tree::forward,
     softmax_02_block_tree::backward, takes_all, takes_all_backward, true},
    {"03_warp_shuffle", "kernels/cuda/softmax/03_warp_shuffle.cu", softmax_03_warp_shuffle::forward,
     softmax_03_warp_shuffle::backward, takes_all, takes_all_backward, true},
    {"04_registers", "kernels/cuda/softmax/04_registers.cu", softmax_04_registers::forward,
     softmax_04_registers::backward, softmax_04_registers::takes, softmax_04_registers::takes, true},
    {"05_vector_loads", "kernels/cuda/softmax/05_vector_loads.cu", softmax_05_vector_loads::forward,
     softmax_05_vector_loads::backward, softmax_05_vector_loads::takes, softmax_05_vector_loads::takes, true},
    {"06_online", "kernels/cuda/softmax/06_online.cu", softmax_06_online::forward, nullptr,
     softmax_06_online::takes, takes_none_backward, true},
    {"07_shared_row", "kernels/cuda/softmax/07_shared_row.cu", softmax_07_shared_row::forward,
     softmax_07_shared_row::backward, softmax_07_shared_row::takes, softmax_07_shared_row::takes, true},
#ifdef GB_GPU_BUILD  // the host runner has no clusters
    {"08_cluster", "kernels/cuda/softmax/08_cluster.cu", softmax_08_cluster::forward,
     softmax_08_cluster::backward, softmax_08_cluster::takes, softmax_08_cluster::takes, false},
#endif
};
constexpr size_t kWarpShuffle = 3;  // its number

[[maybe_unused]] const bool g_attached = softmax_choice().attach(softmax_rungs());

// Rungs 5 to 8 each take up where the one below has no room left for the row, so the best is the lowest of them that
// takes it; but rung 6 is never slower than rung 5. What none of them takes (double, rows that are not cut alike) is
// left to registers where they hold it.
// [anchor: best]
size_t best(const SoftmaxArgs& a) {
  for (size_t number : {6, 5, 7, 8, 4})
    if (number <= std::size(kRungs) && kRungs[number - 1].takes_forward(a)) return number;
  return kWarpShuffle;
}
size_t best(const SoftmaxBackwardArgs& a) {
  for (size_t number : {5, 7, 8, 4})
    if (number <= std::size(kRungs) && kRungs[number - 1].takes_backward(a)) return number;
  return kWarpShuffle;
}

}  // namespace

Ladder<SoftmaxRung> softmax_rungs() { return kRungs; }

size_t softmax_rung_for(const SoftmaxArgs& a) {
  size_t number = softmax_choice().number();
  if (number == 0) return best(a);
  while (!kRungs[number - 1].takes_forward(a)) --number;
  return number;
}
size_t softmax_rung_for(const SoftmaxBackwardArgs& a) {
  size_t number = softmax_choice().number();
  if (number == 0) return best(a);
  while (!kRungs[number - 1].takes_backward(a)) --number;
  return number;
}

void softmax(const SoftmaxArgs& a) {
  if (!isFloatingType(a.dtype)) throw_no_kernel("softmax", a.dtype);
  if (a.rows == 0 || a.cols == 0) return;
  kRungs[softmax_rung_for(a) - 1].forward(a);
}
void softmax_backward(const SoftmaxBackwardArgs& a) {
  if (!isFloatingType(a.dtype)) throw_no_kernel("softmax_backward", a.dtype);
  if (a.rows == 0 || a.cols == 0) return;
  kRungs[softmax_rung_for(a) - 1].backward(a);
}

}  // namespace gb::cuda
