// Softmax, rung 8: a cluster of blocks per row. Changed: up to 16 multiprocessors hold one row together.
//
// Blocks of a cluster (Hopper, compute capability 9.0) run at the same time and can write into each other's shared
// memory ("distributed shared memory"). Each block holds a slice of the row as in rung 7, reduces it to one MaxSum,
// and writes that into every block of its cluster; after one barrier of the cluster each block has all of them. Rows
// of up to 700,000 floats are read once.
#include <cooperative_groups.h>

#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/softmax/formula.h"
#include "kernels/cuda/softmax/long_rows.h"
#include "kernels/cuda/softmax/rows.h"
#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda::softmax_08_cluster {
namespace {

namespace cg = cooperative_groups;

constexpr unsigned kMostBlocks = 16;  // of a cluster; more than 8 must be allowed for each kernel

// The part of a row of `cols` elements that this block of the cluster holds. `slice` is a multiple of kWidth, so that
// every slice is cut like its row.
struct Slice {
  int64_t row;
  int from, cols;

  __device__ Slice(int row_cols, int slice) {
    const cg::cluster_group cluster = cg::this_cluster();
    row = block_number() / cluster.num_blocks();
    from = min(row_cols, static_cast<int>(cluster.block_rank()) * slice);
    cols = min(slice, row_cols - from);
  }
};

// `mine` of every block of the cluster, in each of its blocks. of_block: [kMostBlocks], shared. The barrier waited for
// first was arrived at when the kernel began: the other blocks run. After the second they have written.
// [anchor: exchange]
template <class V>
__device__ void exchange(const V& mine, V* of_block) {
  const cg::cluster_group cluster = cg::this_cluster();
  cluster.barrier_wait();
  if (threadIdx.x < cluster.num_blocks())
    *cluster.map_shared_rank(&of_block[cluster.block_rank()], threadIdx.x) = mine;
  cluster.sync();
}

// out: [rows, cols]; in: [rows, cols], rows in_stride apart. grid: the blocks of a cluster side by side in x.
template <class T, class F, int kThreads, int kVectors>
__global__ void __launch_bounds__(kThreads, 1024 / kThreads)
    forward_kernel(T* out, const T* in, int cols, int64_t in_stride, int slice, bool whole) {
  using C = compute_t<T>;
  GB_EXTERN_SHARED(Vector<T>, place);
  __shared__ MaxSum<C> of_warp[32], of_block[kMostBlocks];
  cg::this_cluster().barrier_arrive();
  const Slice s(cols, slice);

  LongRow<T, kThreads, kVectors> x(Row<const T>(in + s.row * in_stride + s.from, s.cols, whole), whole, place);
  exchange(combine_warps<F>(x.template max_sum_of_warp<F>(), of_warp), of_block);
  const MaxSum<C> total = combine<F>(of_block, cg::this_cluster().num_blocks());
  const C of_row = F::of_row(total.sum);
  x.store(out + s.row * cols + s.from, [&](C value) { return F::output(value, total.max, of_row); });
}

// grad_input, output: [rows, cols]; grad: [rows, cols], rows grad_stride apart.
template <class T, class F, int kThreads, int kVectors>
__global__ void __launch_bounds__(kThreads, 1024 / kThreads)
    backward_kernel(T* grad_input, const T* grad, const T* output, int cols, int64_t grad_stride, int slice,
                    bool whole) {
  using C = compute_t<T>;
  GB_EXTERN_SHARED(Vector<T>, place);
  __shared__ C of_warp[32], of_block[kMostBlocks];
  cg::this_cluster().barrier_arrive();
  const Slice s(cols, slice);

  LongRowPair<T, kThreads, kVectors> pair(grad + s.row * grad_stride + s.from,
                      Row<const T>(output + s.row * cols + s.from, s.cols, whole), whole, place);
  exchange(across_block(pair.sum([](C dy, C y) { return F::term(dy, y); }), C(0), of_warp, Plus()), of_block);
  const unsigned lane = threadIdx.x % 32;
  const C total = across_lanes<32>(lane < cg::this_cluster().num_blocks() ? of_block[lane] : C(0), Plus());
  pair.store(grad_input + s.row * cols + s.from, [&](C dy, C y) { return F::grad(dy, y, total); });
}

// A launch of `rows` clusters of `blocks` blocks: what GB_LAUNCH does, with the size of a cluster.
template <class... Params, class... Args>
void launch(void (*kernel)(Params...), const char* name, int64_t rows, unsigned blocks, size_t shared,
            StreamHandle stream, Args... args) {
  const dim3 grid(static_cast<unsigned>(rows * blocks)), block(kLongThreads);  // rows as long as these are few
  const KernelLaunch launch = describe_launch(name, __FILE__, __LINE__, grid, block, shared, stream);
  before_launch(launch, reinterpret_cast<const void*>(kernel));
  if (blocks > 8) GB_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {blocks, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, args...);
  after_launch(launch, stream);
}

// An equal part of the row for each of `blocks` blocks, in whole vectors.
int slice_for(ScalarType dtype, int64_t cols, unsigned blocks) {
  const int64_t width = 16 / static_cast<int64_t>(elementSize(dtype)), vectors = (cols + width - 1) / width;
  return static_cast<int>((vectors + blocks - 1) / blocks * width);
}
// As few blocks, a power of two, as hold the row: each of them waits for all others. 0: not even 16 do.
unsigned blocks_for(ScalarType dtype, int64_t cols, size_t (*rest_bytes)(ScalarType, int64_t)) {
  for (unsigned blocks = 2; blocks <= kMostBlocks; blocks *= 2)
    if (rest_bytes(dtype, slice_for(dtype, cols, blocks)) <= kMostRestBytes) return blocks;
  return 0;
}

}  // namespace

constexpr int64_t kMostCols = int64_t{1} << 30;  // columns are counted in int

bool takes(const SoftmaxArgs& a) {
  return moves_vectors(a) && a.cols <= kMostCols && blocks_for(a.dtype, a.cols, forward_rest_bytes) > 0 && is_hopper();
}
bool takes(const SoftmaxBackwardArgs& a) {
  return moves_vectors(a) && a.cols <= kMostCols && blocks_for(a.dtype, a.cols, backward_rest_bytes) > 0 && is_hopper();
}

void forward(const SoftmaxArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    const unsigned blocks = blocks_for(a.dtype, a.cols, forward_rest_bytes);
    const int slice = slice_for(a.dtype, a.cols, blocks);
    launch(&forward_kernel<T, F, kLongThreads, kRowVectors>, "(forward_kernel<T, F, kLongThreads, kRowVectors>)", a.rows, blocks,
           forward_rest_bytes(a.dtype, slice), a.stream, static_cast<T*>(a.out), static_cast<const T*>(a.in),
           static_cast<int>(a.cols), a.in_stride, slice, whole_rows(a.in, a.in_stride, a.cols, a.dtype));
  });
}

void backward(const SoftmaxBackwardArgs& a) {
  visit_softmax_up_to_float(a.dtype, a.log, "softmax_backward", [&](auto zero, auto formula) {
    using T = decltype(zero);
    using F = decltype(formula);
    const unsigned blocks = blocks_for(a.dtype, a.cols, backward_rest_bytes);
    const int slice = slice_for(a.dtype, a.cols, blocks);
    launch(&backward_kernel<T, F, kLongThreads, pair_vectors(sizeof(T))>, "(backward_kernel<T, F, kLongThreads, pair_vectors(sizeof(T))>)", a.rows, blocks,
           backward_rest_bytes(a.dtype, slice), a.stream, static_cast<T*>(a.grad_input),
           static_cast<const T*>(a.grad), static_cast<const T*>(a.output), static_cast<int>(a.cols), a.grad_stride,
           slice, whole_rows(a.output, a.cols, a.cols, a.dtype));
  });
}

}  // namespace gb::cuda::softmax_08_cluster
