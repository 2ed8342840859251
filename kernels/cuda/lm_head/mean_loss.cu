// The mean loss: up to 64 blocks sum a part of the rows each, one warp sums those sums.
#include "kernels/cuda/element.h"
#include "kernels/cuda/lm_head/mean_loss.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/space.h"

namespace gb::cuda {
namespace {

struct LossAndCount {
  double loss, count;
};
constexpr unsigned kMostBlocks = kMeanLossScratch / sizeof(LossAndCount);

// of_block: [gridDim.x]; loss, target: [rows]
template <class C>
__global__ void sum_kernel(LossAndCount* of_block, const C* loss, const int64_t* target, int64_t ignore_index,
                           int64_t rows) {
  __shared__ double of_warp[32], counts_of_warp[32];
  LossAndCount mine = {0, 0};
  for (int64_t r = thread_number(); r < rows; r += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    mine.loss += static_cast<double>(loss[r]);
    mine.count += target[r] == ignore_index ? 0 : 1;
  }
  const double sum = across_block(mine.loss, 0.0, of_warp, Plus());
  const double count = across_block(mine.count, 0.0, counts_of_warp, Plus());
  if (threadIdx.x == 0) of_block[blockIdx.x] = {sum, count};
}

template <class T>
__global__ void mean_kernel(T* mean, compute_t<T>* count, const LossAndCount* of_block, unsigned blocks) {
  LossAndCount mine = {0, 0};
  for (unsigned b = threadIdx.x; b < blocks; b += 32) {
    mine.loss += of_block[b].loss;
    mine.count += of_block[b].count;
  }
  const double sum = across_lanes<32>(mine.loss, Plus()), rows = across_lanes<32>(mine.count, Plus());
  if (threadIdx.x != 0) return;
  *mean = static_cast<T>(static_cast<compute_t<T>>(sum / rows));
  *count = static_cast<compute_t<T>>(rows);
}

}  // namespace

void mean_loss(const MeanLossArgs& a) {
  const unsigned blocks = blocks_for(a.rows) < kMostBlocks ? blocks_for(a.rows) : kMostBlocks;
  auto* const of_block = static_cast<LossAndCount*>(a.scratch);
  const bool known = visit_floating(a.dtype, [&](auto zero) {
    using T = decltype(zero);
    using C = compute_t<T>;
    if (blocks > 0)
      GB_LAUNCH((sum_kernel<C>), blocks, kThreads, 0, a.stream, of_block, static_cast<const C*>(a.loss), a.target,
                a.ignore_index, a.rows);
    GB_LAUNCH((mean_kernel<T>), 1, 32, 0, a.stream, static_cast<T*>(a.mean), static_cast<C*>(a.count), of_block,
              blocks);
  });
  if (!known) throw_no_kernel("linear_cross_entropy", a.dtype);
}

}  // namespace gb::cuda
