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
void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);
}
namespace linear_11_producer_consumer {
void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);
}
namespace linear_12_persistent {
void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);
}
namespace linear_13_tma_store {
void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);
}
namespace linear_14_3xtf32 {
void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);
}
namespace linear_15_split_k {
void gemm(const GemmArgs& args, StreamHandle stream);
bool takes(const GemmArgs& args);
}

}  // namespace gb::cuda
