// libFuzzer's entry for the schema parser: `bazel run --config=fuzz //dispatcher:schema_parser_fuzz -- -help=1`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "dispatcher/schema_fuzz_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string broken =
      gb::testing::broken_schema_property(std::string(reinterpret_cast<const char*>(data), size));
  if (!broken.empty()) {
    std::fprintf(stderr, "schema_parser_fuzz: %s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
