// The softmax ladder on the host, in three thread orders; and the choice of a rung.
#include <cstdlib>

#include "kernels/cuda/cases/host_machine.h"
#include "kernels/cuda/cases/softmax_cases.h"

using namespace gb::cuda;

TEST_CASE("every rung of softmax on the host") { cases::in_three_orders(cases::softmax_cases); }

TEST_CASE("GB_SOFTMAX_RUNG chooses the rung, and an unknown name lists them") {
  float x[2] = {0, 0}, y[2] = {};
  setenv("GB_SOFTMAX_RUNG", "01_naive", 1);
  softmax(gb::kFloat, y, x, 1, 2, nullptr);
  CHECK(y[0] == 0.5f);
  setenv("GB_SOFTMAX_RUNG", "99_magic", 1);
  std::string message;
  try {
    softmax(gb::kFloat, y, x, 1, 2, nullptr);
  } catch (const gb::ValueError& e) {
    message = e.what_without_backtrace();
  }
  unsetenv("GB_SOFTMAX_RUNG");
  CHECK(message ==
        "no such rung: GB_SOFTMAX_RUNG=99_magic\n"
        "  cause:   the rungs are 01_naive (kernels/cuda/softmax/01_naive.cu)\n"
        "  repair:  set GB_SOFTMAX_RUNG to one of them, or leave it unset\n"
        "  chapter: docs/en/theory/00-motivation.md#kernels");
}
