// The rungs of the softmax ladder, each in a file of its name. Callers use softmax.h. `takes` says whether a rung can
// do a call; those that take everything have none. rows and cols are not 0.
#pragma once

#include "kernels/cuda/softmax/softmax.h"

namespace gb::cuda {

namespace softmax_01_naive {
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_01_naive

namespace softmax_02_block_tree {
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_02_block_tree

namespace softmax_03_warp_shuffle {
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_03_warp_shuffle

namespace softmax_04_registers {
bool takes(const SoftmaxArgs& args);
bool takes(const SoftmaxBackwardArgs& args);
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_04_registers

namespace softmax_05_vector_loads {
bool takes(const SoftmaxArgs& args);
bool takes(const SoftmaxBackwardArgs& args);
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_05_vector_loads

namespace softmax_06_online {  // forward only
bool takes(const SoftmaxArgs& args);
void forward(const SoftmaxArgs& args);
}  // namespace softmax_06_online

namespace softmax_07_shared_row {
bool takes(const SoftmaxArgs& args);
bool takes(const SoftmaxBackwardArgs& args);
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_07_shared_row

namespace softmax_08_cluster {  // compute capability 9.0
bool takes(const SoftmaxArgs& args);
bool takes(const SoftmaxBackwardArgs& args);
void forward(const SoftmaxArgs& args);
void backward(const SoftmaxBackwardArgs& args);
}  // namespace softmax_08_cluster

}  // namespace gb::cuda
