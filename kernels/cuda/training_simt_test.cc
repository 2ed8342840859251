// Layer norm, the loss, the optimizers and random numbers on the host, in three thread orders.
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/random_cases.h"
#include "kernels/cuda/cases/training_cases.h"

using namespace gb::cuda;

TEST_CASE("layer_norm on the host") { cases::in_three_orders(cases::layer_norm_cases); }
TEST_CASE("nll_loss on the host") { cases::in_three_orders(cases::nll_cases); }
TEST_CASE("adamw and sgd on the host") { cases::in_three_orders(cases::optimizer_cases); }
TEST_CASE("random numbers on the host") { cases::in_three_orders(cases::random_cases); }
