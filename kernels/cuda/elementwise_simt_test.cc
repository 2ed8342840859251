// The elementwise kernels on the host, in three thread orders.
#include "kernels/cuda/cases/elementwise_cases.h"
#include "kernels/cuda/cases/host_machine.h"

using namespace gb::cuda;

TEST_CASE("binary on the host") { cases::in_three_orders(cases::binary_cases); }
TEST_CASE("unary on the host") { cases::in_three_orders(cases::unary_cases); }
TEST_CASE("copy and fill on the host") { cases::in_three_orders(cases::copy_cases); }
TEST_CASE("where on the host") { cases::in_three_orders(cases::where_cases); }
