// Every error of a damaged file with its full text: testdata/errors.golden; and the corpus, and random damage.
// To re-record: GB_UPDATE_GOLDEN=1 bazel run //nn/serialize:safetensors_errors_test
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "nn/serialize/fuzz_property.h"
#include "tests/golden.h"

namespace {

using gb::testing::broken_safetensors_property;

std::string file_of(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + std::string(data_bytes, '\0');
}

struct Bad {
  const char* header;
  size_t data_bytes;
};
const Bad kBad[] = {
    // JSON
    {"", 0},
    {"[]", 0},
    {"{\"a\": \"\xff\"}", 0},
    {"{", 0},
    {"{\"a\"}", 0},
    {"{a: 1}", 0},
    {"{\"a\": 1}", 0},
    {R"({} {})", 0},
    {R"({"__metadata__": {"step": 3}})", 0},
    {R"({"__metadata__": {"step": "3", "step": "4"}})", 0},
    {R"({"__metadata__": {"a": "\x"}})", 0},
    {R"({"__metadata__": {"a": "\ud800"}})", 0},
    {R"({"__metadata__": {"a": "\u12g4"}})", 0},
    {"{\"__metadata__\": {\"a\": \"two\nlines\"}}", 0},
    {R"({"__metadata__": {"a": "b"},})", 0},
    // the fields of a tensor
    {R"({"w": {"dtype": "F32", "shape": [1]}})", 4},
    {R"({"w": {"shape": [1], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4], "device": "cpu"}})", 4},
    {R"({"w": {"dtype": "F32", "dtype": "F64", "shape": [1], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F33", "shape": [1], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}})", 1},
    {R"({"w": {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [1.0], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [01], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [9223372036854775808], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [18446744073709551616], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [4294967296, 4294967296], "data_offsets": [0, 0]}})", 0},
    {R"({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4, 8]}})", 4},
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [4, 0]}})", 4},
    // the tensors together
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "w": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", 8},
    {R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}, "b": {"dtype": "F32", "shape": [1], "data_offsets": [8, 12]}})", 12},
    {R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "b": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", 8},
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]}})", 8},
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})", 3},
    {R"({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})", 5},
    {R"({})", 1},
};

std::string refusal(const std::string& file) {
  try {
    gb::testing::header_of(file);
  } catch (const gb::ValueError& e) {
    return e.what_without_backtrace();
  }
  return "accepted";
}

// Control characters and bytes above 0x7f as \xNN.
std::string plain(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) out += c < 0x20 || c >= 0x7f ? fmt::format("\\x{:02x}", c) : std::string(1, static_cast<char>(c));
  return out;
}

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string((std::istreambuf_iterator<char>(file)), {});
}

const std::string kGood = file_of(
    R"({"__metadata__": {"step": "5"}, "w": {"dtype": "F64", "shape": [2, 1], "data_offsets": [0, 16]}, )"
    R"("none": {"dtype": "I64", "shape": [0, 3], "data_offsets": [16, 16]}, "on": {"dtype": "BOOL", "shape": [], "data_offsets": [16, 17]}})",
    17);

}  // namespace

TEST_CASE("each way of being damaged has a text of its own") {
  std::string text;
  for (const Bad& bad : kBad) text += plain(bad.header) + "\n" + refusal(file_of(bad.header, bad.data_bytes)) + "\n\n";
  text += "(7 bytes)\n" + refusal("1234567") + "\n\n";
  text += "(length 2^62)\n" + refusal(std::string(7, '\0') + "\x40{}") + "\n\n";
  text += "(length 9 of 2 bytes)\n" + refusal(std::string("\x09\0\0\0\0\0\0\0{}", 10)) + "\n\n";
  gb::tests::check_golden("nn/serialize/testdata/errors.golden", text);
  CHECK(text.find("accepted") == std::string::npos);
}

TEST_CASE("a good file cut short anywhere is refused") {
  CHECK(refusal(kGood) == "accepted");
  CHECK(broken_safetensors_property(kGood) == "");
  for (size_t length = 0; length < kGood.size(); ++length) CHECK(refusal(kGood.substr(0, length)) != "accepted");
}

TEST_CASE("random damage is refused, or read as what it says") {
  std::mt19937_64 dice(1);
  for (int i = 0; i < 5000; ++i) {
    std::string file = kGood;
    for (uint64_t changes = 1 + dice() % 3; changes > 0; --changes) {
      const size_t at = dice() % file.size();
      switch (dice() % 3) {
        case 0: file[at] = static_cast<char>(dice()); break;
        case 1: file.erase(at, 1 + dice() % 4); break;
        default: file.insert(at, kGood.substr(dice() % kGood.size(), dice() % 8)); break;
      }
      if (file.empty()) break;
    }
    const std::string broken = broken_safetensors_property(file);
    if (!broken.empty()) FAIL(broken);
  }
}

TEST_CASE("the corpus: every file is refused, or read as what it says") {
  int good = 0, bad = 0;
  for (const auto& entry : std::filesystem::directory_iterator("nn/serialize/testdata/corpus")) {
    const std::string name = entry.path().filename(), file = read(entry.path());
    CAPTURE(name);
    CHECK(broken_safetensors_property(file) == "");
    CHECK((refusal(file) == "accepted") == name.starts_with("good"));
    (name.starts_with("good") ? good : bad) += 1;
  }
  CHECK(good >= 8);
  CHECK(bad >= 12);
}
