// Symbol: an interned name `ns::name`, so that comparing two is comparing two pointers.
// Alias sets are symbols `alias::a`. Names follow ATen/core/symbol.h.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace gb {

class Symbol {
 public:
  static Symbol fromQualString(const std::string& text);  // "ns::name"; throws ValueError without "::"

  const std::string& qualString() const { return *text_; }
  const char* toQualString() const { return text_->c_str(); }
  const char* toUnqualString() const { return text_->c_str() + name_at_; }
  friend bool operator==(Symbol a, Symbol b) { return a.text_ == b.text_; }

 private:
  friend struct std::hash<Symbol>;
  explicit Symbol(const std::string* interned) : text_(interned), name_at_(interned->find("::") + 2) {}
  const std::string* text_;
  size_t name_at_;
};

}  // namespace gb

template <>
struct std::hash<gb::Symbol> {
  size_t operator()(gb::Symbol s) const noexcept { return std::hash<const void*>()(s.text_); }
};
