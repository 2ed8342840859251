// Replays the fuzzer's corpus (testdata/schema_corpus, one schema a file) with the compiler of every day.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "dispatcher/schema_fuzz_property.h"

TEST_CASE("schema corpus: every text is refused, or prints as what parses back to the same") {
  int files = 0, parsed = 0;
  for (const auto& entry : std::filesystem::directory_iterator("dispatcher/testdata/schema_corpus")) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    CAPTURE(entry.path().string());
    CHECK(gb::testing::broken_schema_property(text) == "");
    ++files;
    try {
      gb::jit::parseSchema(text);
      ++parsed;
    } catch (const gb::Error&) {
    }
  }
  CHECK(files >= 20);
  CHECK(parsed >= 10);         // the corpus has good ones
  CHECK(files - parsed >= 10);  // and bad ones
}
