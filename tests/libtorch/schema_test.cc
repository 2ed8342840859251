// Every aten operator of glassbox has LibTorch's own schema. The other way round, all of LibTorch's: registry_test.cc.
#include <doctest/doctest.h>

#include "dispatcher/dispatcher.h"
#include "tests/libtorch/bridge.h"

namespace gb::tests {
namespace {

TEST_CASE("this is the LibTorch that the design names") { CHECK(libtorch::version() == "2.11.0"); }

TEST_CASE("the aten schemas are LibTorch's") {
  int compared = 0;
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    if (name.getNamespace() != "aten") continue;
    const auto theirs = libtorch::schema_text(toString(name));
    CHECK_MESSAGE(theirs.has_value(), "LibTorch has no operator ", toString(name));
    if (!theirs) continue;
    const OperatorHandle op = Dispatcher::singleton().findSchemaOrThrow(name.name.c_str(), name.overload_name.c_str());
    CHECK(to_string(op.schema()) == *theirs);
    ++compared;
  }
  CHECK(compared > 30);
}

}  // namespace
}  // namespace gb::tests
