// cp.async, ldmatrix and mma.sync on the host, in three thread orders. What misuse looks like: instructions/
// ampere_faults_test.cc.
#include "kernels/cuda/cases/ampere_cases.h"
#include "kernels/cuda/cases/host_machine.h"

using namespace gb::cuda;

TEST_CASE("cp.async, ldmatrix, mma.sync on the host") { cases::in_three_orders(cases::ampere_cases); }
