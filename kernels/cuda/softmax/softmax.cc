#include "kernels/cuda/softmax/softmax.h"

#include <iterator>

#include "kernels/cuda/softmax/rungs.h"

namespace gb::cuda {
namespace {

bool takes_all(ScalarType, int64_t) { return true; }
bool takes_none(ScalarType, int64_t) { return false; }

#define GB_RUNG_FILE(name) "kernels/cuda/softmax/" name ".cu"

constexpr SoftmaxRung kRungs[] = {
    {"01_naive", GB_RUNG_FILE("01_naive"), softmax_01_naive::forward, softmax_01_naive::backward, takes_all,
     takes_all, true},
    {"02_block_tree", GB_RUNG_FILE("02_block_tree"), softmax_02_block_tree::forward,
     softmax_02_block_tree::backward, takes_all, takes_all, true},
    {"03_warp_shuffle", GB_RUNG_FILE("03_warp_shuffle"), softmax_03_warp_shuffle::forward,
     softmax_03_warp_shuffle::backward, takes_all, takes_all, true},
    {"04_registers", GB_RUNG_FILE("04_registers"), softmax_04_registers::forward,
     softmax_04_registers::backward, softmax_04_registers::takes_forward, softmax_04_registers::takes_backward,
     true},
    {"05_vector_loads", GB_RUNG_FILE("05_vector_loads"), softmax_05_vector_loads::forward,
     softmax_05_vector_loads::backward, softmax_05_vector_loads::takes_forward,
     softmax_05_vector_loads::takes_backward, true},
    {"06_online", GB_RUNG_FILE("06_online"), softmax_06_online::forward, nullptr,
     softmax_06_online::takes_forward, takes_none, true},
    {"07_shared_row", GB_RUNG_FILE("07_shared_row"), softmax_07_shared_row::forward,
     softmax_07_shared_row::backward, softmax_07_shared_row::takes_forward,
     softmax_07_shared_row::takes_backward, true},
#ifdef GB_GPU_BUILD  // the host runner has no clusters
    {"08_cluster", GB_RUNG_FILE("08_cluster"), softmax_08_cluster::forward, softmax_08_cluster::backward,
     softmax_08_cluster::takes_forward, softmax_08_cluster::takes_backward, false},
#endif
};

}  // namespace

Ladder<SoftmaxRung> softmax_rungs() { return kRungs; }

}  // namespace gb::cuda
