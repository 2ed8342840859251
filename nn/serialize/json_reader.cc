#include "nn/serialize/json_reader.h"

#include <fmt/format.h>

#include "core/error.h"
#include "nn/grammar/text.h"

namespace gb::nn {
namespace {

void append_utf8(std::string& out, uint32_t letter) {
  if (letter < 0x80) {
    out += static_cast<char>(letter);
    return;
  }
  const int more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
  const uint32_t first_bits[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(first_bits[more] | letter >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (letter >> (6 * i) & 0x3f));
}

}  // namespace

void JsonReader::fail(const std::string& expected) const {
  GB_THROW(ValueError, .what = fmt::format("safetensors: the header is not the JSON it should be: expected {}", expected),
           .cause = at_ >= text_.size() ? "the text ends there"
                                        : fmt::format("at byte {} stands '{}'", at_,
                                                      grammar::printable(text_.substr(at_, 10))),
           .repair = "the file was not written as safetensors, or was damaged: write it again",
           .chapter = chapters::kGrammar);
}

void JsonReader::skip_space() {
  while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
}

bool JsonReader::take(char c) {
  skip_space();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void JsonReader::expect(char c) {
  if (!take(c)) fail(fmt::format("'{}'", c));
}

void JsonReader::members(char open, char close, const std::function<void()>& read) {
  expect(open);
  if (take(close)) return;
  do {
    read();
  } while (take(','));
  if (!take(close)) fail(fmt::format("',' or '{}'", close));
}

void JsonReader::object(const std::function<void(const std::string&)>& read) {
  members('{', '}', [&] {
    const std::string key = string();
    expect(':');
    read(key);
  });
}

void JsonReader::array(const std::function<void()>& read) { members('[', ']', read); }

uint32_t JsonReader::four_hex_digits() {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : ' ';
    const uint32_t digit = c >= '0' && c <= '9'   ? static_cast<uint32_t>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<uint32_t>(c - 'a' + 10)
                           : c >= 'A' && c <= 'F' ? static_cast<uint32_t>(c - 'A' + 10)
                                                  : 16;
    if (digit == 16) fail("four hexadecimal digits");
    value = value * 16 + digit;
  }
  return value;
}

uint32_t JsonReader::escaped_letter() {
  const std::string_view codes = "\"\\/bfnrt", letters = "\"\\/\b\f\n\r\t";
  const size_t plain = at_ < text_.size() ? codes.find(text_[at_]) : std::string_view::npos;
  if (plain != std::string_view::npos) {
    ++at_;
    return static_cast<unsigned char>(letters[plain]);
  }
  if (at_ >= text_.size() || text_[at_] != 'u') fail("an escape such as \\n or \\u00e9");
  ++at_;
  const uint32_t high = four_hex_digits();
  if (high < 0xd800 || high > 0xdfff) return high;
  // A letter above 0xffff comes as two: 0xd800.. and then 0xdc00..
  if (high > 0xdbff || text_.substr(at_, 2) != "\\u") fail("a pair of surrogates");
  at_ += 2;
  const uint32_t low = four_hex_digits();
  if (low < 0xdc00 || low > 0xdfff) fail("a pair of surrogates");
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

std::string JsonReader::string() {
  if (!take('"')) fail("a string");
  std::string out;
  while (true) {
    if (at_ >= text_.size() || static_cast<unsigned char>(text_[at_]) < 0x20) fail("'\"'");
    const char c = text_[at_++];
    if (c == '"') return out;
    if (c == '\\') {
      append_utf8(out, escaped_letter());
    } else {
      out += c;
    }
  }
}

uint64_t JsonReader::number() {
  skip_space();
  const size_t first = at_;
  uint64_t value = 0;
  for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    const uint64_t digit = static_cast<uint64_t>(text_[at_] - '0');
    if (__builtin_mul_overflow(value, uint64_t{10}, &value) || __builtin_add_overflow(value, digit, &value)) {
      fail("a number below 2^64");
    }
  }
  const bool leading_zero = at_ - first > 1 && text_[first] == '0';
  const bool goes_on = at_ < text_.size() && std::string_view(".eE").find(text_[at_]) != std::string_view::npos;
  if (at_ == first || leading_zero || goes_on) fail("a whole number from 0 on");
  return value;
}

void JsonReader::end() {
  skip_space();
  if (at_ < text_.size()) fail("the end");
}

}  // namespace gb::nn
