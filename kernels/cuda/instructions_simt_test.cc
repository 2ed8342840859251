// Hopper's instructions on the host, in three thread orders.
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/instruction_cases.h"

using namespace gb::cuda;

TEST_CASE("boxes of the copy engine") { cases::in_three_orders(cases::box_cases); }
TEST_CASE("wgmma") { cases::in_three_orders(cases::wgmma_cases); }
TEST_CASE("mbarriers, a ring of buffers, a cluster") { cases::in_three_orders(cases::barrier_cases); }
