// libFuzzer's entry: bazel run --config=fuzz //nn/serialize:safetensors_fuzz -- $PWD/nn/serialize/testdata/corpus
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "nn/serialize/fuzz_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string broken =
      gb::testing::broken_safetensors_property(std::string(reinterpret_cast<const char*>(data), size));
  if (!broken.empty()) {
    std::fprintf(stderr, "safetensors_fuzz: %s\n", broken.c_str());
    std::abort();
  }
  return 0;
}
