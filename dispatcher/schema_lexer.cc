#include "dispatcher/schema_lexer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace gb::jit {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// `$` occurs in the alias sets that stand for a bare `!`.
bool is_word_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::string_view kPunctuation[] = {"...", "->", "::", "(", ")", "[", "]", ",",
                                             ".",   ":",  "*",  "?", "!", "|", "=", "-"};

constexpr size_t kWindow = 60;  // bytes shown on each side of the caret

}  // namespace

void SchemaLexer::fail(size_t offset, const std::string& problem, const std::string& repair) const {
  offset = std::min(offset, text_.size());
  const size_t begin = offset > kWindow ? offset - kWindow : 0;
  const size_t end = std::min(text_.size(), offset + kWindow);
  std::string shown(text_.substr(begin, end - begin));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';  // one column per byte, whatever is in the text
  const std::string before = begin > 0 ? "..." : "";
  GB_THROW(
      ValueError, .what = "schema: " + problem,
      .cause = fmt::format("column {} of\n    {}{}{}\n    {}^", offset + 1, before, shown,
                           end < text_.size() ? "..." : "", std::string(before.size() + offset - begin, ' ')),
      .repair = repair, .chapter = chapters::kDispatch);
}

Token SchemaLexer::next() {
  const Token token = current_;
  advance();
  return token;
}
bool SchemaLexer::next_if(std::string_view punctuation) {
  if (!current_.is(punctuation)) return false;
  advance();
  return true;
}
Token SchemaLexer::expect(std::string_view punctuation) {
  if (!current_.is(punctuation)) {
    fail(current_.offset, fmt::format("expected `{}` but found {}", punctuation, describe(current_)),
         "a schema reads `ns::name.overload(Tensor self, int dim=0) -> Tensor`");
  }
  return next();
}
Token SchemaLexer::expect(Token::Kind kind, const char* what) {
  if (current_.kind != kind) {
    fail(current_.offset, fmt::format("expected {} but found {}", what, describe(current_)),
         "a schema reads `ns::name.overload(Tensor self, int dim=0) -> Tensor`");
  }
  return next();
}

void SchemaLexer::advance() { current_ = scan(); }

Token SchemaLexer::scan() const {
  size_t at = current_.offset + current_.text.size();
  while (at < text_.size() && is_blank(text_[at])) ++at;
  const auto token = [&](Token::Kind kind, size_t end) {
    return Token{kind, text_.substr(at, end - at), at};
  };
  if (at == text_.size()) return token(Token::Kind::End, at);
  const char c = text_[at];
  if (is_word_start(c)) {
    size_t end = at;
    while (end < text_.size() && (is_word_start(text_[end]) || is_digit(text_[end]))) ++end;
    return token(Token::Kind::Identifier, end);
  }
  if (is_digit(c)) return token(Token::Kind::Number, scan_number(at));
  if (c == '"' || c == '\'') return token(Token::Kind::String, scan_string(at));
  for (const std::string_view p : kPunctuation)
    if (text_.substr(at, p.size()) == p) return token(Token::Kind::Punctuation, at + p.size());
  fail(at, "a character that no schema has", "remove it: names are made of letters, digits and `_`");
}

// digits [ . digits ] [ e [+-] digits ]
size_t SchemaLexer::scan_number(size_t at) const {
  const auto digits = [this, &at] {
    while (at < text_.size() && is_digit(text_[at])) ++at;
  };
  digits();
  if (at < text_.size() && text_[at] == '.') ++at, digits();
  if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
    const size_t mark = at++;
    if (at < text_.size() && (text_[at] == '-' || text_[at] == '+')) ++at;
    if (at == text_.size() || !is_digit(text_[at])) fail(mark, "the exponent has no digits", "write `1e-5`");
    digits();
  }
  return at;
}

size_t SchemaLexer::scan_string(size_t at) const {
  const char quote = text_[at];
  for (size_t end = at + 1; end < text_.size(); ++end) {
    if (text_[end] == '\\')
      ++end;
    else if (text_[end] == quote)
      return end + 1;
  }
  fail(at, "the text that begins here has no end", fmt::format("close it with {}", quote));
}

std::string unquote(std::string_view quoted) {
  const std::string_view in = quoted.substr(1, quoted.size() - 2);
  std::string out;
  for (size_t i = 0; i < in.size(); ++i) {
    if (in[i] != '\\') {
      out += in[i];
      continue;
    }
    const char c = in[++i];  // scan_string has made sure that something follows
    if (c >= '0' && c <= '7') {
      int value = 0;
      size_t end = i;
      while (end < in.size() && end < i + 3 && in[end] >= '0' && in[end] <= '7')
        value = value * 8 + (in[end++] - '0');
      out += static_cast<char>(value);
      i = end - 1;
      continue;
    }
    constexpr std::string_view kNames = "abfnrtv", kValues = "\a\b\f\n\r\t\v";
    const size_t known = kNames.find(c);
    out += known == std::string_view::npos ? c : kValues[known];
  }
  return out;
}

std::string describe(const Token& token) {
  return token.kind == Token::Kind::End ? "the end of the text" : fmt::format("`{}`", token.text);
}

}  // namespace gb::jit
