// The rungs of the linear ladder, each in a file of its name. Callers use gemm.h.
#pragma once

#include "kernels/cuda/linear/gemm.h"

namespace gb::cuda {

namespace linear_01_naive {
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_02_coalesced {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_03_shared_tile {
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_04_register_column {
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_05_register_tile {
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_06_vector_loads {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_07_double_buffer {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_08_warp_tile {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_09_mma_sync {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}

namespace linear_10_wgmma {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_11_producer_consumer {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_12_persistent {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_13_tma_store {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
bool fills_device(const GemmArgs& args);  // four rounds of all multiprocessors or more, 90 % of them full?
}
namespace linear_14_3xtf32 {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}
namespace linear_15_split_k {
bool takes(const GemmArgs& args);
void gemm(const GemmArgs& args, StreamHandle stream);
}

}  // namespace gb::cuda
