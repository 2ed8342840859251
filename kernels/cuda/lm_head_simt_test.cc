// The LM head's ladder on the host, in three thread orders.
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/lm_head_cases.h"

using namespace gb::cuda;

TEST_CASE("every rung of the LM head on the host") { cases::in_three_orders(cases::lm_head_cases); }
TEST_CASE("the LM head with many rows on the host") { cases::in_three_orders(cases::lm_head_large_cases); }
