// Dict<K, V>: a shared, counted dictionary that keeps its entries in the order of their insertion. Copying a Dict
// shares the entries; copy() makes new ones.
//
// Invariants: keys are int, bool, float, str, Device or Tensor (by identity), values are of the type that the dict was
// made with. An iterator stays valid until its own entry is erased. Names follow ATen/core/Dict.h.
#pragma once

#include <cstddef>
#include <iterator>
#include <list>
#include <unordered_map>
#include <utility>

#include "dispatcher/ivalue.h"
#include "dispatcher/type_of.h"

namespace gb {

namespace detail {
struct DictImpl final : intrusive_ptr_target {
  struct Entry {
    IValue key, value;
  };
  using Entries = std::list<Entry>;
  struct KeyHash {
    size_t operator()(const IValue& v) const { return IValue::hash(v); }
  };

  DictImpl(TypePtr key_type, TypePtr value_type)
      : keyType(std::move(key_type)), valueType(std::move(value_type)) {}
  std::pair<Entries::iterator, bool> insert(IValue key, IValue value, bool overwrite);
  Entries::iterator find(const IValue& key);
  const IValue& at(const IValue& key);  // throws IndexError
  void erase(Entries::iterator entry);
  void clear();
  intrusive_ptr<DictImpl> copy() const;
  bool equals(const DictImpl& other) const;  // whatever the order

  Entries entries;
  std::unordered_map<IValue, Entries::iterator, KeyHash> index;
  TypePtr keyType, valueType;
};
// Throws TypeError unless the dict was made with these types; Any takes every type.
void check_dict_types(const DictImpl& impl, const Type& key, const Type& value);
}  // namespace detail

template <class K, class V>
class Dict final {
  using Position = detail::DictImpl::Entries::iterator;

 public:
  using key_type = K;
  using mapped_type = V;
  using size_type = size_t;

  class entry {
   public:
    K key() const { return at_->key.template to<K>(); }
    V value() const { return at_->value.template to<V>(); }
    void setValue(V value) const { at_->value = IValue(std::move(value)); }

   private:
    friend class Dict;
    explicit entry(Position at) : at_(at) {}
    Position at_;
  };

  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const entry*;
    using reference = const entry&;
    const entry& operator*() const { return entry_; }
    const entry* operator->() const { return &entry_; }
    iterator& operator++() { return ++entry_.at_, *this; }
    iterator operator++(int) { return iterator(entry_.at_++); }
    bool operator==(const iterator& other) const { return entry_.at_ == other.entry_.at_; }

   private:
    friend class Dict;
    explicit iterator(Position at) : entry_(at) {}
    entry entry_;
  };

  Dict() : Dict(key_type_ptr(), value_type_ptr()) {}
  explicit Dict(TypePtr key_type, TypePtr value_type)
      : impl_(make_intrusive<detail::DictImpl>(std::move(key_type), std::move(value_type))) {
    detail::check_dict_types(*impl_, *key_type_ptr(), *value_type_ptr());
  }
  Dict(const Dict&) = default;  // a move is a copy too, so that no Dict is ever null
  Dict& operator=(const Dict&) = default;

  size_t size() const { return impl_->entries.size(); }
  bool empty() const { return impl_->entries.empty(); }
  void clear() const { impl_->clear(); }
  void reserve(size_t n) const { impl_->index.reserve(n); }
  iterator begin() const { return iterator(impl_->entries.begin()); }
  iterator end() const { return iterator(impl_->entries.end()); }
  // What was inserted or stood there already, and whether it is new.
  std::pair<iterator, bool> insert(K key, V value) const {
    return wrap(impl_->insert(IValue(std::move(key)), IValue(std::move(value)), false));
  }
  std::pair<iterator, bool> insert_or_assign(K key, V value) const {
    return wrap(impl_->insert(IValue(std::move(key)), IValue(std::move(value)), true));
  }
  V at(const K& key) const { return impl_->at(IValue(key)).template to<V>(); }  // throws IndexError
  iterator find(const K& key) const { return iterator(impl_->find(IValue(key))); }
  bool contains(const K& key) const { return find(key) != end(); }
  void erase(iterator entry) const { impl_->erase(entry.entry_.at_); }
  size_t erase(const K& key) const {
    const iterator entry = find(key);
    if (entry == end()) return 0;
    erase(entry);
    return 1;
  }

  Dict copy() const { return Dict(impl_->copy()); }
  bool is(const Dict& other) const { return impl_ == other.impl_; }  // the same dictionary
  size_t use_count() const { return impl_.use_count(); }
  const TypePtr& keyType() const { return impl_->keyType; }
  const TypePtr& valueType() const { return impl_->valueType; }
  friend bool operator==(const Dict& a, const Dict& b) { return a.is(b) || a.impl_->equals(*b.impl_); }

 private:
  friend class IValue;
  explicit Dict(intrusive_ptr<detail::DictImpl> impl) : impl_(std::move(impl)) {}
  static std::pair<iterator, bool> wrap(std::pair<Position, bool> result) {
    return {iterator(result.first), result.second};
  }
  // ScalarType and its like are stored as ints.
  static const TypePtr& key_type_ptr() {
    static const TypePtr type = lower_type(getTypePtr<K>());
    return type;
  }
  static const TypePtr& value_type_ptr() {
    static const TypePtr type = lower_type(getTypePtr<V>());
    return type;
  }

  intrusive_ptr<detail::DictImpl> impl_;
};

namespace impl {
using GenericDict = Dict<IValue, IValue>;
// The same dictionary, seen as one of anything; and back, which checks the types that it was made with.
template <class K, class V>
GenericDict toGenericDict(const Dict<K, V>& dict) {
  return IValue(dict).toGenericDict();
}
template <class K, class V>
Dict<K, V> toTypedDict(const GenericDict& dict) {
  return IValue(dict).template to_dict_of<K, V>();
}
}  // namespace impl

}  // namespace gb
