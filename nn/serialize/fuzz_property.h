// What must hold for every text that is given as a safetensors file: it is refused with a gb::Error, or its header,
// written again, is read as the same. The fuzzer, the replay of its corpus and the random test check this.
#pragma once

#include <string>
#include <string_view>

#include "core/error.h"
#include "nn/serialize/safetensors_header.h"

namespace gb::testing {

inline nn::SafetensorsHeader header_of(std::string_view file) {
  const uint64_t length = nn::header_length(file.substr(0, 8), file.size());
  return nn::parse_header(file.substr(8, length), file.size() - 8 - length);
}

// What is wrong, or nothing. An exception other than gb::Error passes through: the fuzzer reports it as a crash.
inline std::string broken_safetensors_property(const std::string& file) {
  std::string written;
  try {
    const nn::SafetensorsHeader first = header_of(file);
    written = nn::format_header(first);
    const uint64_t data_bytes = first.entries.empty() ? 0 : first.entries.back().end;
    const nn::SafetensorsHeader second = nn::parse_header(std::string_view(written).substr(8), data_bytes);
    if (nn::format_header(second) != written) return "`" + written + "` is written and read as another header";
  } catch (const Error& e) {
    if (!written.empty()) return "`" + written + "` is written and refused: " + e.what();
  }
  return "";
}

}  // namespace gb::testing
