#include "labs/autocast_order.h"

#include <doctest/doctest.h>

TEST_CASE("autocast above autograd, and a cast below it") {
  CHECK(gb::labs::show_autocast_order() == R"()");
}
