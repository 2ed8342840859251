// SchemaLexer: schema text to tokens, and the error that shows the text with a caret. Blanks separate tokens
// and mean nothing else. Tokens look into the text, which must outlive them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gb::jit {

struct Token {
  // Everything that is not a word, number or text is Punctuation: ( ) [ ] , . : * ? ! | = - and :: -> ...
  enum class Kind { Identifier, Number, String, Punctuation, End };
  Kind kind;
  std::string_view text;
  size_t offset;  // of its first byte

  bool is(std::string_view punctuation) const { return kind == Kind::Punctuation && text == punctuation; }
  bool is_word(std::string_view word) const { return kind == Kind::Identifier && text == word; }
};

class SchemaLexer {
 public:
  explicit SchemaLexer(std::string_view text) : text_(text) { advance(); }

  const Token& current() const { return current_; }
  Token next();                                      // the current one, and steps on
  bool next_if(std::string_view punctuation);        // steps on if it is that one
  Token expect(std::string_view punctuation);        // throws if it is another
  Token expect(Token::Kind kind, const char* what);  // `what` names it in the error: "an argument name"
  // ValueError: "schema: <problem>", the text with a caret under `offset`, and the repair.
  [[noreturn]] void fail(size_t offset, const std::string& problem, const std::string& repair) const;

 private:
  void advance();
  Token scan() const;
  size_t scan_number(size_t at) const;
  size_t scan_string(size_t at) const;

  std::string_view text_;
  Token current_{Token::Kind::End, {}, 0};
};

// The value of a String token: quotes off, escapes read (\n, \", \ooo, ...).
std::string unquote(std::string_view quoted);
std::string describe(const Token& token);  // "`Tensor`", "the end of the text"

}  // namespace gb::jit
