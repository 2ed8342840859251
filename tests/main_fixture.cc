// Not a test by itself: main_test.py runs it, and looks at what tests/main.cc makes of these six cases.
#include <doctest/doctest.h>

#include "tests/skip.h"

namespace {

TEST_CASE("alpha passes") { CHECK(1 + 1 == 2); }

TEST_CASE("beta passes, once per subcase") {
  SUBCASE("first") { CHECK(true); }
  SUBCASE("second") { CHECK(true); }
}

TEST_CASE("gamma fails") { CHECK(1 + 1 == 3); }

TEST_CASE("delta skips itself") { GB_SKIP("no such device"); }

TEST_CASE("epsilon fails, then skips itself") {
  CHECK(1 + 1 == 3);
  GB_SKIP("too late");
}

TEST_CASE("zeta is marked" * doctest::skip()) { CHECK(1 + 1 == 3); }

}  // namespace
