// The softmax ladder on the host, in three thread orders; and the choice of a rung.
#include "kernels/cuda/backends.h"
#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/softmax_cases.h"

using namespace gb::cuda;

TEST_CASE("every rung of softmax on the host") { cases::in_three_orders(cases::softmax_cases); }

TEST_CASE("set_softmax_rung chooses the rung, and an unknown name lists them") {
  float x[2] = {0, 0}, y[2] = {};
  {
    const gb::backends::cuda::SoftmaxRungGuard rung("01_naive");
    CHECK(gb::backends::cuda::softmax_rung() == 1);
    softmax({gb::kFloat, false, y, x, 1, 2, 2, nullptr});
    CHECK(y[0] == 0.5f);
  }
  CHECK(gb::backends::cuda::softmax_rung() == 0);
  std::string message;
  try {
    gb::backends::cuda::set_softmax_rung("99_magic");
  } catch (const gb::ValueError& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message.starts_with("no such rung of softmax: \"99_magic\"\n  cause:   the rungs are 1 01_naive "));
}
