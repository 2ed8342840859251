// Schemas: every aten operator of glassbox has LibTorch's own text, and glassbox's parser reads every schema that
// LibTorch registers and prints it back unchanged.
#include <doctest/doctest.h>

#include <algorithm>

#include "dispatcher/dispatcher.h"
#include "dispatcher/schema_parser.h"
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

TEST_CASE("LibTorch has no schema that the parser does not read and print back") {
  const std::vector<std::string> schemas = libtorch::all_schemas();
  CHECK(schemas.size() > 2000);
  const auto starts_with = [](const std::string& text, const char* start) { return text.rfind(start, 0) == 0; };
  for (const std::string& theirs : schemas) {
    if (starts_with(theirs, "static_runtime::clamp_nan_to_num")) {  // two arguments of one name: refused on purpose
      CHECK_THROWS_AS(jit::parseSchema(theirs), ValueError);
      continue;
    }
    std::string ours;
    try {
      ours = to_string(jit::parseSchema(theirs));
    } catch (const std::exception& e) {
      ours = e.what();
    }
    if (starts_with(theirs, "static_runtime::select_tensor")) {  // LibTorch prints (a|b) in the order of a hash
      std::string a = ours, b = theirs;
      std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
      CHECK(a == b);
      continue;
    }
    CHECK(ours == theirs);
  }
}

}  // namespace
}  // namespace gb::tests
