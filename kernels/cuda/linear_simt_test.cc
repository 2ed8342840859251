// The linear ladder on the host, in three thread orders.
#include "kernels/cuda/cases/hopper_linear_cases.h"
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/linear_cases.h"

using namespace gb::cuda;

TEST_CASE("every rung of linear on the host") { cases::in_three_orders(cases::linear_cases); }

TEST_CASE("Hopper's rungs on the host") { cases::in_three_orders(cases::hopper_linear_cases); }

TEST_CASE("a dtype without a kernel is an error that names it") {
  std::string message;
  try {
    GemmArgs args;
    args.dtype = gb::kLong;
    gemm(args, nullptr);
  } catch (const gb::NotImplementedError& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message ==
        "\"addmm\" is not implemented on CUDA for 'Long'\n"
        "  cause:   the kernel's list of dtypes does not have it (see the header in kernels/cuda)\n"
        "  repair:  convert the tensor first, with .to(dtype)\n"
        "  chapter: docs/en/theory/04-kernels.md#kernels");
}
