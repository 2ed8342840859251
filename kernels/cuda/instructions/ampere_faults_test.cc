// What misuse of cp.async and of a warp's instructions looks like on the host.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/error.h"
#include "kernels/cuda/instructions/cp_async.h"
#include "kernels/cuda/instructions/mma_sync.h"

using namespace gb::cuda;

namespace {

constexpr StreamHandle kStream = nullptr;

// Reads what the younger of two groups brings after a wait that leaves it on its way.
__global__ void early_kernel(float* out, const float* in) {
  GB_EXTERN_SHARED(float, place);
  cp_async<4>(place, in);
  cp_async_commit();
  cp_async<4>(place + 1, in + 1);
  cp_async_commit();
  cp_async_wait<1>();
  out[0] = place[0];
  out[1] = place[1];
}

__global__ void half_a_warp_kernel(const unsigned* row) {
  Words piece;
  ldmatrix(piece, row);
}

}  // namespace

TEST_CASE("a copy lands no earlier than its wait") {
  const float in[2] = {3, 4};
  float out[2] = {};
  GB_LAUNCH((early_kernel), 1, 1, 8, kStream, out, in);
  CHECK(out[0] == 3);
  CHECK(std::isnan(out[1]));
}

TEST_CASE("an instruction of a warp needs the whole warp") {
  alignas(16) const unsigned row[4] = {};
  std::string message;
  try {
    GB_LAUNCH((half_a_warp_kernel), 1, 16, 0, kStream, row);
  } catch (const gb::Error& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message.starts_with("simt: kernel half_a_warp_kernel: ldmatrix is an instruction of a whole warp\n"));
  CHECK(message.find("only the lanes 0x0000ffff of the warp of thread 0 are there") != std::string::npos);
}
