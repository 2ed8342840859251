#include "nn/serialize/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <set>

#include "core/error.h"
#include "dispatcher/json.h"
#include "nn/grammar/text.h"
#include "nn/serialize/json_reader.h"

namespace gb::nn {
namespace {

static_assert(std::endian::native == std::endian::little);  // numbers are copied as they lie

constexpr std::pair<const char*, ScalarType> kDtypes[] = {
    {"BOOL", kBool}, {"I32", kInt},      {"I64", kLong},  {"F16", kHalf},
    {"BF16", kBFloat16}, {"F32", kFloat}, {"F64", kDouble}};
// Names of the format for which there is no dtype here.
constexpr const char* kOtherDtypes[] = {"U8", "I8", "F8_E5M2", "F8_E4M3", "I16", "U16", "U32", "U64"};

[[noreturn]] void refuse(std::string what, std::string cause) {
  GB_THROW(ValueError, .what = "safetensors: " + std::move(what), .cause = std::move(cause),
           .repair = "the file was damaged, cut short, or not written as safetensors: write it again",
           .chapter = chapters::kGrammar);
}

std::string printable(const std::string& name) { return grammar::printable(name); }

ScalarType dtype_named(const std::string& dtype, const std::string& tensor) {
  for (const auto& [name, type] : kDtypes) {
    if (dtype == name) return type;
  }
  const bool known = std::find(std::begin(kOtherDtypes), std::end(kOtherDtypes), dtype) != std::end(kOtherDtypes);
  refuse(fmt::format("{} dtype '{}' of tensor '{}'", known ? "not implemented:" : "unknown", printable(dtype),
                     printable(tensor)),
         "the dtypes are BOOL, I32, I64, F16, BF16, F32, F64");
}

const char* name_of(ScalarType dtype) {
  for (const auto& [name, type] : kDtypes) {
    if (type == dtype) return name;
  }
  GB_INTERNAL_ASSERT(false);
}

SafetensorsEntry read_entry(JsonReader& json, const std::string& name) {
  std::optional<std::string> dtype;
  std::optional<std::vector<int64_t>> sizes;
  std::optional<std::vector<uint64_t>> offsets;
  const auto once = [&](const auto& field, const std::string& key) {
    if (field) refuse(fmt::format("tensor '{}' has two fields '{}'", printable(name), key), "a field stands once");
  };
  json.object([&](const std::string& key) {
    if (key == "dtype") {
      once(dtype, key);
      dtype = json.string();
    } else if (key == "shape") {
      once(sizes, key);
      sizes.emplace();
      json.array([&] {
        const uint64_t size = json.number();
        if (size > INT64_MAX) json.fail("a size below 2^63");
        sizes->push_back(static_cast<int64_t>(size));
      });
    } else if (key == "data_offsets") {
      once(offsets, key);
      offsets.emplace();
      json.array([&] { offsets->push_back(json.number()); });
    } else {
      refuse(fmt::format("tensor '{}' has an unknown field '{}'", printable(name), printable(key)),
             "the fields are dtype, shape and data_offsets");
    }
  });
  if (!dtype || !sizes || !offsets) {
    refuse(fmt::format("tensor '{}' has no {}", printable(name), !dtype ? "dtype" : !sizes ? "shape" : "data_offsets"),
           "each tensor has the fields dtype, shape and data_offsets");
  }
  if (offsets->size() != 2 || (*offsets)[0] > (*offsets)[1]) {
    refuse(fmt::format("the data_offsets of tensor '{}' are not [begin, end]", printable(name)),
           fmt::format("they are [{}]", fmt::join(*offsets, ", ")));
  }
  return {name, dtype_named(*dtype, name), std::move(*sizes), (*offsets)[0], (*offsets)[1]};
}

void check_bytes(const SafetensorsEntry& entry) {
  uint64_t bytes = elementSize(entry.dtype);
  bool overflow = false;
  for (int64_t size : entry.sizes) overflow |= __builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes);
  if (overflow || bytes != entry.end - entry.begin) {
    refuse(fmt::format("the shape and the data_offsets of tensor '{}' disagree", printable(entry.name)),
           fmt::format("{} of shape [{}] takes {} bytes, and its data_offsets span {}", name_of(entry.dtype),
                       fmt::join(entry.sizes, ", "), overflow ? "too many" : std::to_string(bytes),
                       entry.end - entry.begin));
  }
}

// entries: by begin.
void check_layout(const std::vector<SafetensorsEntry>& entries, uint64_t data_bytes) {
  uint64_t at = 0;
  for (const SafetensorsEntry& entry : entries) {
    if (entry.begin != at) {
      refuse(fmt::format("{} before tensor '{}'", entry.begin > at ? "a hole in the data" : "overlapping data",
                         printable(entry.name)),
             fmt::format("it begins at byte {}, and the tensors before it end at byte {}", entry.begin, at));
    }
    at = entry.end;
  }
  if (at != data_bytes) {
    refuse(at > data_bytes ? "the file is cut short" : "there are bytes behind the last tensor",
           fmt::format("the tensors take {} bytes, and the file has {} for them", at, data_bytes));
  }
}

}  // namespace

uint64_t header_length(std::string_view first_bytes, uint64_t file_bytes) {
  if (first_bytes.size() < 8) {
    refuse("the file is too short for a header", fmt::format("it has {} bytes", first_bytes.size()));
  }
  uint64_t length;
  std::memcpy(&length, first_bytes.data(), sizeof length);
  if (length > kMaxHeaderBytes) {
    refuse("the header is too large", fmt::format("its length is given as {}; the limit is {}", length, kMaxHeaderBytes));
  }
  if (length > file_bytes - 8) {
    refuse("the header ends behind the file", fmt::format("its length is given as {}, and {} bytes follow", length,
                                                          file_bytes - 8));
  }
  return length;
}

SafetensorsHeader parse_header(std::string_view text, uint64_t data_bytes) {
  for (std::string_view letter : grammar::letters(text)) {
    if (letter.size() == 1 && static_cast<unsigned char>(letter[0]) >= 0x80) {
      refuse("the header is not UTF-8", fmt::format("byte {}", letter.data() - text.data()));
    }
  }
  if (text.empty() || text[0] != '{') refuse("the header does not begin with '{'", "it must be a JSON object");
  SafetensorsHeader header;
  std::set<std::string> names;
  JsonReader json(text);
  json.object([&](const std::string& name) {
    if (!names.insert(name).second) refuse(fmt::format("the name '{}' stands twice", printable(name)), "in the header");
    if (name == "__metadata__") {
      json.object([&](const std::string& key) {
        if (header.metadata.contains(key)) {
          refuse(fmt::format("the name '{}' stands twice", printable(key)), "in __metadata__");
        }
        header.metadata.insert(key, json.string());
      });
    } else {
      header.entries.push_back(read_entry(json, name));
    }
  });
  json.end();
  for (const SafetensorsEntry& entry : header.entries) check_bytes(entry);
  std::stable_sort(header.entries.begin(), header.entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);  // empty tensors first
  });
  check_layout(header.entries, data_bytes);
  return header;
}

std::string format_header(const SafetensorsHeader& header) {
  std::vector<json::Member> members;
  if (!header.metadata.is_empty()) {
    std::vector<json::Member> metadata;
    for (const auto& item : header.metadata) metadata.push_back({item.key(), json::quoted(*item)});
    members.push_back({"__metadata__", json::object(metadata)});
  }
  for (const SafetensorsEntry& entry : header.entries) {
    members.push_back({entry.name, fmt::format(R"({{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                               name_of(entry.dtype), fmt::join(entry.sizes, ","), entry.begin, entry.end)});
  }
  std::string text = json::object(members);
  text.append((8 - text.size() % 8) % 8, ' ');
  const uint64_t length = text.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + text;
}

}  // namespace gb::nn
