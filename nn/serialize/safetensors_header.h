// The header of a safetensors file: which tensors it holds, and where.
//
//   8 bytes   n, the length of the header, little-endian
//   n bytes   JSON: {"__metadata__": {"step": "500"}, "head.weight": {"dtype": "F32", "shape": [600, 64],
//             "data_offsets": [0, 153600]}, ...}, filled with spaces
//   the rest  data: row-major, little-endian; offsets count from here
//
// Rules, each checked with an error of its own: the tensors fill the data without a hole or an overlap; shape and dtype
// give the number of bytes; a name stands once. Source: the format's description, https://github.com/huggingface/safetensors.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/scalar_type.h"
#include "nn/ordered_dict.h"

namespace gb::nn {

struct SafetensorsEntry {
  std::string name;
  ScalarType dtype;
  std::vector<int64_t> sizes;
  uint64_t begin, end;  // bytes of the data
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // as the data lies
  OrderedDict<std::string, std::string> metadata;
};

inline constexpr uint64_t kMaxHeaderBytes = 100'000'000;  // the format's own limit

// The length that the first 8 bytes of a file of `file_bytes` bytes promise. Throws ValueError: too short a file, too
// long a header, a header that ends behind the file.
uint64_t header_length(std::string_view first_bytes, uint64_t file_bytes);

// The header's text, read and checked against the size of the data. Throws ValueError.
SafetensorsHeader parse_header(std::string_view text, uint64_t data_bytes);

// The text with its length in front and filled with spaces, so that the data begins at a multiple of 8.
std::string format_header(const SafetensorsHeader& header);

}  // namespace gb::nn
