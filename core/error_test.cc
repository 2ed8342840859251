#include "core/error.h"

#include <doctest/doctest.h>

#include <string>

#include "core/warning.h"

using namespace gb;

namespace {

struct Keep : WarningHandler {
  void process(const Warning& w) override { last = w.msg(), line = w.source_location().line; }
  std::string last;
  uint32_t line = 0;
};

std::string part(bool& evaluated) {
  evaluated = true;
  return "size 7";
}

}  // namespace

TEST_CASE("error: four parts, context, place") {
  try {
    GB_THROW(IndexError, .what = "f: no such row", .cause = "row 7 of 3", .repair = "count from 0",
             .chapter = chapters::kTensors);
  } catch (Error& e) {
    CHECK(std::string(e.what_without_backtrace()) ==
          "f: no such row\n  cause:   row 7 of 3\n  repair:  count from 0\n"
          "  chapter: docs/en/theory/00-motivation.md#tensors");
    e.add_context("while adding two rows");
    const std::string all = e.what();
    CHECK(all.find("\n  while adding two rows\n  at:      core/error_test.cc:") != std::string::npos);
    CHECK(e.context().size() == 1);
    CHECK(e.msg().find("while") == std::string::npos);
  }
}

TEST_CASE("error: empty parts are left out") {
  try {
    GB_THROW(Error, .what = "only this", .cause = "", .repair = "", .chapter = nullptr);
  } catch (const Error& e) {
    CHECK(std::string(e.what_without_backtrace()) == "only this");
  }
}

TEST_CASE("error: the kinds are told apart, and all are std::exception") {
  const auto check = [](int n) {
    GB_CHECK_OR_THROW(n != 1, ValueError, .what = "one", .cause = "", .repair = "", .chapter = nullptr);
    GB_CHECK_OR_THROW(n != 2, TypeError, .what = "two", .cause = "", .repair = "", .chapter = nullptr);
  };
  CHECK_THROWS_AS(check(1), ValueError);
  CHECK_THROWS_AS(check(2), TypeError);
  CHECK_NOTHROW(check(3));
  CHECK_THROWS_AS(check(2), std::exception);
}

TEST_CASE("error: the parts are evaluated only when the check fails") {
  bool evaluated = false;
  GB_CHECK_OR_THROW(1 + 1 == 2, Error, .what = part(evaluated), .cause = "", .repair = "", .chapter = nullptr);
  CHECK_FALSE(evaluated);
  CHECK_THROWS_AS(
      [&] { GB_CHECK_OR_THROW(false, Error, .what = part(evaluated), .cause = "", .repair = "", .chapter = nullptr); }(),
      Error);
  CHECK(evaluated);
}

TEST_CASE("error: an internal assertion says which rule, and that it is no fault of the caller") {
  std::string message;
  try {
    GB_INTERNAL_ASSERT(1 == 2, "the two are not one");
  } catch (const Error& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message ==
        "internal error: a rule that glassbox keeps itself is broken\n  cause:   `1 == 2` is false: the two are not one\n"
        "  repair:  this is a bug in glassbox: please report it with the call that led here");
}

TEST_CASE("warning: goes to the handler of the scope") {
  Keep outer, inner;
  const WarningUtils::WarningHandlerGuard outer_guard(&outer);
  {
    const WarningUtils::WarningHandlerGuard inner_guard(&inner);
    GB_WARN("a");
  }
  GB_WARN("b");
  CHECK(inner.last == "a");
  CHECK(outer.last == "b");
  CHECK(outer.line == static_cast<uint32_t>(__LINE__) - 3);
}
