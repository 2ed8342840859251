// JsonReader: pulls values out of JSON text, one after the other, as far as a safetensors header needs it: objects,
// arrays, strings and whole numbers from 0 on. Anything else is an error, at the byte where it stands.
//
//   JsonReader json(R"({"sizes": [2, 3]})");
//   json.object([&](const std::string& key) { json.array([&] { sizes.push_back(json.number()); }); });
//   json.end();
//
// Every function throws ValueError where the text holds something else than asked for.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gb::nn {

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  // Calls read(key) for each member, read() for each element; it must read the value. Keys may repeat.
  void object(const std::function<void(const std::string& key)>& read);
  void array(const std::function<void()>& read);
  std::string string();  // escapes undone: UTF-8
  uint64_t number();
  void end();  // nothing but white space follows

  [[noreturn]] void fail(const std::string& expected) const;

 private:
  void skip_space();
  bool take(char c);  // skips white space, then c if it is there
  void expect(char c);
  void members(char open, char close, const std::function<void()>& read);
  uint32_t four_hex_digits();
  uint32_t escaped_letter();  // the code point behind a backslash

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace gb::nn
