// The LM head's ladder on the host, in three thread orders.
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/lm_head_cases.h"

using namespace gb::cuda;

TEST_CASE("every rung of the LM head on the host") { cases::in_three_orders(cases::lm_head_cases); }
TEST_CASE("the LM head with many rows on the host") { cases::in_three_orders(cases::lm_head_large_cases); }

TEST_CASE("which rung takes a head") {
  const auto rung_for = []<class Args>(Args a, gb::ScalarType dtype, int64_t in, int64_t out) {
    alignas(16) static char memory[16];
    a.dtype = dtype, a.rows = 1, a.in = in, a.out = out;
    a.x = a.weight = memory;
    if constexpr (requires { a.p = memory; }) a.p = memory;
    if constexpr (requires { a.grad_p = memory; }) a.grad_p = memory;
    if constexpr (requires { a.grad_x = memory; }) a.grad_x = memory;
    return lm_head_rung_for(a);
  };
  // Without a choice: the highest that takes the call; never 5, and 2 for a forward of float only.
  CHECK(rung_for(LmHeadArgs{}, gb::kBFloat16, 64, 600) == 4);
  CHECK(rung_for(LmHeadBackwardArgs{}, gb::kBFloat16, 64, 600) == 3);
  CHECK(rung_for(LinearCrossEntropyArgs{}, gb::kBFloat16, 64, 600) == 3);
  CHECK(rung_for(LmHeadArgs{}, gb::kBFloat16, 63, 600) == 1);
  CHECK(rung_for(LmHeadArgs{}, gb::kFloat, 64, 600) == 2);
  CHECK(rung_for(LinearCrossEntropyArgs{}, gb::kFloat, 64, 600) == 2);
  CHECK(rung_for(LmHeadBackwardArgs{}, gb::kFloat, 64, 600) == 1);
  CHECK(rung_for(LinearCrossEntropyBackwardArgs{}, gb::kFloat, 64, 600) == 1);
  const gb::backends::cuda::LmHeadRungGuard choice("03_wgmma");  // or the next below that takes the call
  for (const auto dtype : {gb::kHalf, gb::kBFloat16}) {
    CHECK(rung_for(LmHeadArgs{}, dtype, 64, 600) == 3);
    CHECK(rung_for(LmHeadBackwardArgs{}, dtype, 64, 600) == 3);
    CHECK(rung_for(LinearCrossEntropyArgs{}, dtype, 64, 600) == 3);
    CHECK(rung_for(LinearCrossEntropyBackwardArgs{}, dtype, 64, 600) == 3);
    CHECK(rung_for(LmHeadArgs{}, dtype, 64, 604) == 2);  // 1208 bytes: rows that do not begin at multiples of 16
    CHECK(rung_for(LmHeadArgs{}, dtype, 63, 600) == 2);
    CHECK(rung_for(LmHeadArgs{}, dtype, 128, 600) == 1);
  }
  {
    const gb::backends::cuda::LmHeadRungGuard highest("05_3xtf32");
    for (const auto dtype : {gb::kHalf, gb::kBFloat16}) {
      CHECK(rung_for(LmHeadArgs{}, dtype, 64, 600) == 4);
      CHECK(rung_for(LmHeadArgs{}, dtype, 64, 604) == 2);
      CHECK(rung_for(LinearCrossEntropyArgs{}, dtype, 64, 600) == 3);
      CHECK(rung_for(LmHeadBackwardArgs{}, dtype, 64, 600) == 3);
    }
    LmHeadArgs tf32 = {};
    tf32.allow_tf32 = true;
    CHECK(rung_for(tf32, gb::kFloat, 64, 600) == 4);
    CHECK(rung_for(LmHeadArgs{}, gb::kFloat, 64, 600) == 5);
    CHECK(rung_for(LmHeadArgs{}, gb::kFloat, 64, 633) == 5);
    CHECK(rung_for(LmHeadArgs{}, gb::kFloat, 62, 600) == 2);  // rows that do not begin at multiples of 16 bytes
    CHECK(rung_for(LinearCrossEntropyArgs{}, gb::kFloat, 64, 600) == 5);
    CHECK(rung_for(LmHeadBackwardArgs{}, gb::kFloat, 64, 600) == 2);
    CHECK(rung_for(LmHeadArgs{}, gb::kDouble, 64, 600) == 1);
  }
  LinearCrossEntropyBackwardArgs ignores_no_int = {};
  ignores_no_int.ignore_index = int64_t{1} << 32;  // rung 3 compares ints
  CHECK(rung_for(ignores_no_int, gb::kBFloat16, 64, 600) == 2);
  CHECK(rung_for(LmHeadArgs{}, gb::kFloat, 64, 600) == 2);
  CHECK(rung_for(LmHeadBackwardArgs{}, gb::kFloat, 64, 600) == 2);
  CHECK(rung_for(LmHeadArgs{}, gb::kFloat, 64, 609) == 1);
  CHECK(rung_for(LmHeadBackwardArgs{}, gb::kFloat, 65, 600) == 1);  // 64 columns of dW in registers, no more
  CHECK(rung_for(LmHeadArgs{}, gb::kDouble, 64, 600) == 1);
}
