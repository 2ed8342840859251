// OrderedDict: a dictionary that is walked in the order of insertion. Used for parameters, buffers and submodules,
// where the order is part of what a program sees. A key is a text and stands once; giving a key a new value keeps its
// place. Looking up is linear: modules have few entries. Names follow torch/ordered_dict.h.
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace gb {

namespace detail {
[[noreturn]] void throw_repeated_key(const std::string& key);
[[noreturn]] void throw_unknown_key(const std::string& key, const std::vector<std::string>& known);
[[noreturn]] void throw_bad_index(size_t index, size_t size);
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
    const std::pair<std::string, Value>& pair() const { return pair_; }
    Value& operator*() { return value(); }
    const Value& operator*() const { return value(); }
    Value* operator->() { return &value(); }
    const Value* operator->() const { return &value(); }

   private:
    std::pair<std::string, Value> pair_;
  };

  OrderedDict() = default;
  OrderedDict(std::initializer_list<Item> items) {
    for (const Item& item : items) insert(item.key(), item.value());
  }

  // Throws ValueError for a key that is there already.
  Value& insert(std::string key, Value value) {
    if (contains(key)) detail::throw_repeated_key(key);
    return items_.emplace_back(std::move(key), std::move(value)).value();
  }
  // All items of `other`, at the end, in its order. Throws ValueError, and inserts none, where a key is there already.
  void update(const OrderedDict& other) {
    for (const Item& item : other) {
      if (contains(item.key())) detail::throw_repeated_key(item.key());
    }
    items_.insert(items_.end(), other.begin(), other.end());
  }
  // Throws IndexError for an unknown key.
  void erase(const std::string& key) { items_.erase(position(key)); }
  void clear() { items_.clear(); }

  // Null where the key is unknown.
  Value* find(const std::string& key) { return const_cast<Value*>(std::as_const(*this).find(key)); }
  const Value* find(const std::string& key) const {
    for (const Item& item : items_) {
      if (item.key() == key) return &item.value();
    }
    return nullptr;
  }
  bool contains(const std::string& key) const { return find(key) != nullptr; }
  // Throw IndexError: an unknown key, an index that is not below size(), an empty dictionary.
  Value& operator[](const std::string& key) { return const_cast<Value&>(std::as_const(*this)[key]); }
  const Value& operator[](const std::string& key) const { return position(key)->value(); }
  Item& operator[](size_t index) { return const_cast<Item&>(std::as_const(*this)[index]); }
  const Item& operator[](size_t index) const {
    if (index >= size()) detail::throw_bad_index(index, size());
    return items_[index];
  }
  Item& front() { return (*this)[size_t{0}]; }
  const Item& front() const { return (*this)[size_t{0}]; }
  Item& back() { return (*this)[size() - 1]; }
  const Item& back() const { return (*this)[size() - 1]; }

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
  std::vector<std::pair<std::string, Value>> pairs() const {
    std::vector<std::pair<std::string, Value>> pairs;
    for (const Item& item : items_) pairs.push_back(item.pair());
    return pairs;
  }
  const std::vector<Item>& items() const { return items_; }
  size_t size() const { return items_.size(); }
  bool is_empty() const { return items_.empty(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

 private:
  auto position(const std::string& key) const {
    auto at = items_.begin();
    while (at != items_.end() && at->key() != key) ++at;
    if (at == items_.end()) detail::throw_unknown_key(key, keys());
    return at;
  }

  std::vector<Item> items_;
};

}  // namespace gb
