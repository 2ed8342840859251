// Text as letters: what the tokenizer needs to know about UTF-8.
//
// A letter is one code point. A byte that belongs to no well-formed sequence counts as a letter by itself, so
// every byte string has letters and nothing here throws. Accents are expected composed: é is U+00E9, not e +
// U+0301.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gb::nn::grammar {

std::vector<std::string_view> letters(std::string_view text);

// The words between spaces, tabs and line ends.
std::vector<std::string_view> split(std::string_view text);

// Lower case of A-Z and of the Latin-1 capitals À-Þ (É, Ñ, Ú, ...), which is all that English and Spanish
// need. Every other letter stays as it is.
std::string lower_case(std::string_view text);

// For messages: control characters and stray bytes become \xNN, and only the first 40 letters are shown.
std::string printable(std::string_view text);

// How many letters must be inserted, deleted or replaced to turn a into b (Levenshtein, 1965). Time |a| *
// |b|.
size_t edit_distance(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b);

}  // namespace gb::nn::grammar
