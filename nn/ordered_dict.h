// OrderedDict: a dictionary that is walked in the order of insertion. Used for parameters and submodules, where the
// order is part of what a program sees. A key is a text and stands once. Looking up is linear: modules have few entries.
// Names follow torch/ordered_dict.h.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gb {

namespace detail {
[[noreturn]] void throw_repeated_key(const std::string& key);
[[noreturn]] void throw_unknown_key(const std::string& key, const std::vector<std::string>& known);
}  // namespace detail

template <class Key, class Value>
class OrderedDict {
  static_assert(std::is_same_v<Key, std::string>);  // what errors can print

 public:
  class Item {
   public:
    Item(std::string key, Value value) : pair_(std::move(key), std::move(value)) {}
    const std::string& key() const { return pair_.first; }
    Value& value() { return pair_.second; }
    const Value& value() const { return pair_.second; }
    Value& operator*() { return value(); }
    const Value& operator*() const { return value(); }

   private:
    std::pair<std::string, Value> pair_;
  };

  // Throws ValueError for a key that is there already.
  Value& insert(std::string key, Value value) {
    if (contains(key)) detail::throw_repeated_key(key);
    return items_.emplace_back(std::move(key), std::move(value)).value();
  }
  // Null where the key is unknown.
  Value* find(const std::string& key) { return const_cast<Value*>(std::as_const(*this).find(key)); }
  const Value* find(const std::string& key) const {
    for (const Item& item : items_) {
      if (item.key() == key) return &item.value();
    }
    return nullptr;
  }
  bool contains(const std::string& key) const { return find(key) != nullptr; }
  // Throws IndexError for an unknown key.
  Value& operator[](const std::string& key) { return const_cast<Value&>(std::as_const(*this)[key]); }
  const Value& operator[](const std::string& key) const {
    const Value* value = find(key);
    if (!value) detail::throw_unknown_key(key, keys());
    return *value;
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const Item& item : items_) keys.push_back(item.key());
    return keys;
  }
  std::vector<Value> values() const {
    std::vector<Value> values;
    for (const Item& item : items_) values.push_back(item.value());
    return values;
  }
  const std::vector<Item>& items() const { return items_; }
  size_t size() const { return items_.size(); }
  bool is_empty() const { return items_.empty(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  std::vector<Item> items_;
};

}  // namespace gb
