#include "nn/grammar/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace gb::nn::grammar {
namespace {

unsigned char byte_at(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

// How many bytes the letter at `i` has by its first byte; 1 where the sequence is broken.
size_t letter_size(std::string_view text, size_t i) {
  const unsigned char lead = byte_at(text, i);
  const size_t size = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1;
  if (i + size > text.size()) return 1;
  for (size_t k = 1; k < size; ++k) {
    if ((byte_at(text, i + k) & 0xC0) != 0x80) return 1;
  }
  return size;
}

}  // namespace

std::vector<std::string_view> letters(std::string_view text) {
  std::vector<std::string_view> result;
  for (size_t i = 0; i < text.size(); i += result.back().size()) {
    result.push_back(text.substr(i, letter_size(text, i)));
  }
  return result;
}

std::vector<std::string_view> split(std::string_view text) {
  static constexpr std::string_view kSpaces = " \t\n\v\f\r";
  std::vector<std::string_view> words;
  size_t begin = text.find_first_not_of(kSpaces);
  while (begin != std::string_view::npos) {
    const size_t end = std::min(text.find_first_of(kSpaces, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kSpaces, end);
  }
  return words;
}

std::string lower_case(std::string_view text) {
  std::string lower;
  for (std::string_view letter : letters(text)) {
    std::string next(letter);
    if (next.size() == 1 && next[0] >= 'A' && next[0] <= 'Z') {
      next[0] += 'a' - 'A';
    } else if (next.size() == 2 && byte_at(next, 0) == 0xC3 && byte_at(next, 1) <= 0x9E &&
               byte_at(next, 1) != 0x97) {
      next[1] += 0x20;  // U+00C0..U+00DE -> U+00E0..U+00FE; U+00D7 is the times sign
    }
    lower += next;
  }
  return lower;
}

std::string printable(std::string_view text) {
  static constexpr size_t kShown = 40;
  std::string result;
  size_t shown = 0;
  for (std::string_view letter : letters(text)) {
    if (shown++ == kShown) return result + "...";
    const unsigned char byte = byte_at(letter, 0);
    const bool plain = letter.size() > 1 || (byte >= 0x20 && byte < 0x7F);
    result += plain ? std::string(letter) : fmt::format("\\x{:02X}", byte);
  }
  return result;
}

size_t edit_distance(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b) {
  // row[j]: distance between the letters of a seen so far and the first j letters of b.
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace gb::nn::grammar
