// List<T>: a shared, counted list. Copying a List shares the elements; copy() makes new ones.
//
// Invariants: elements are stored as IValues, all of the element type that the list was made with; iteration
// and get() convert to T, operator[] gives a proxy that can be assigned. Names follow ATen/core/List.h.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "dispatcher/ivalue.h"
#include "dispatcher/type_of.h"

namespace gb {

namespace detail {
struct ListImpl final : intrusive_ptr_target {
  ListImpl(std::vector<IValue> elements, TypePtr type)
      : list(std::move(elements)), elementType(std::move(type)) {}
  const IValue& at(size_t i) const;  // throws IndexError
  size_t position(const IValue* at, size_t last) const;  // the index that `at` points to, if in [0, last]; likewise
  std::vector<IValue> list;
  TypePtr elementType;
};
// Throws TypeError unless the list was made with this element type; Any takes every type.
void check_element_type(const ListImpl& impl, const Type& element);
}  // namespace detail

template <class T>
class List final {
 public:
  using value_type = T;

  // What list[i] and *iterator give: reads as T, writes through.
  class reference {
   public:
    reference(const reference&) = default;
    operator T() const { return slot_->template to<T>(); }
    T get() const { return *this; }
    const reference& operator=(T value) const { return *slot_ = IValue(std::move(value)), *this; }
    const reference& operator=(const reference& other) const { return *slot_ = IValue(*other.slot_), *this; }
    friend bool operator==(const reference& a, const T& b) { return *a.slot_ == IValue(b); }
    friend bool operator==(const reference& a, const reference& b) { return *a.slot_ == *b.slot_; }
    friend void swap(const reference& a, const reference& b) { a.slot_->swap(*b.slot_); }

   private:
    friend class List;
    explicit reference(IValue* slot) : slot_(slot) {}
    IValue* slot_;
  };

  class iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = typename List::reference;
    iterator() : at_(nullptr) {}
    reference operator*() const { return reference(at_); }
    reference operator[](difference_type n) const { return reference(at_ + n); }
    iterator& operator++() { return ++at_, *this; }
    iterator operator++(int) { return iterator(at_++); }
    iterator& operator--() { return --at_, *this; }
    iterator operator--(int) { return iterator(at_--); }
    iterator& operator+=(difference_type n) { return at_ += n, *this; }
    iterator& operator-=(difference_type n) { return at_ -= n, *this; }
    friend iterator operator+(iterator a, difference_type n) { return a += n; }
    friend iterator operator+(difference_type n, iterator a) { return a += n; }
    friend iterator operator-(iterator a, difference_type n) { return a -= n; }
    friend difference_type operator-(iterator a, iterator b) { return a.at_ - b.at_; }
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    friend auto operator<=>(iterator a, iterator b) { return a.at_ <=> b.at_; }

   private:
    friend class List;
    explicit iterator(IValue* at) : at_(at) {}
    IValue* at_;
  };
  using const_iterator = iterator;

  List() : List(std::vector<IValue>{}, element_type()) {}
  List(std::initializer_list<T> values) : List() { append_range(values); }
  explicit List(ArrayRef<T> values) : List() { append_range(values); }
  explicit List(const std::vector<T>& values) : List() { append_range(values); }
  // An empty list of elements of `type`: what a List<IValue> is made with. Throws for another T and type.
  explicit List(TypePtr type) : List(std::vector<IValue>{}, std::move(type)) {
    detail::check_element_type(*impl_, *element_type());
  }
  List(const List&) = default;  // a move is a copy too, so that no List is ever null
  List& operator=(const List&) = default;

  size_t size() const { return impl_->list.size(); }
  bool empty() const { return impl_->list.empty(); }
  T get(size_t i) const { return impl_->at(i).template to<T>(); }
  T extract(size_t i) const { return std::exchange(slot(i), IValue(T())).template to<T>(); }  // leaves a T()
  void set(size_t i, T value) const { slot(i) = IValue(std::move(value)); }
  reference operator[](size_t i) const { return reference(&slot(i)); }
  iterator begin() const { return iterator(impl_->list.data()); }
  iterator end() const { return begin() + static_cast<std::ptrdiff_t>(size()); }
  void push_back(T value) const { impl_->list.emplace_back(std::move(value)); }
  template <class... Args>
  void emplace_back(Args&&... args) const {
    push_back(T(std::forward<Args>(args)...));
  }
  // Before `at`; gives the place of the new element. Places beyond the list are IndexErrors.
  iterator insert(iterator at, T value) const {
    const size_t i = impl_->position(at.at_, size());
    impl_->list.insert(impl_->list.begin() + static_cast<std::ptrdiff_t>(i), IValue(std::move(value)));
    return begin() + static_cast<std::ptrdiff_t>(i);
  }
  template <class... Args>
  iterator emplace(iterator at, Args&&... args) const {
    return insert(at, T(std::forward<Args>(args)...));
  }
  iterator erase(iterator at) const {
    impl_->at(impl_->position(at.at_, size()));  // end() has no element
    return erase(at, at + 1);
  }
  iterator erase(iterator first, iterator last) const {
    const size_t to = impl_->position(last.at_, size()), from = impl_->position(first.at_, to);
    const auto start = impl_->list.begin();
    impl_->list.erase(start + static_cast<std::ptrdiff_t>(from), start + static_cast<std::ptrdiff_t>(to));
    return begin() + static_cast<std::ptrdiff_t>(from);
  }
  void pop_back() const {
    impl_->at(0);  // an empty list has no last element
    impl_->list.pop_back();
  }
  void append(const List& other) const {
    const std::vector<IValue> added = other.impl_->list;  // a copy: `other` may be this list
    impl_->list.insert(impl_->list.end(), added.begin(), added.end());
  }
  void clear() const { impl_->list.clear(); }
  void reserve(size_t n) const { impl_->list.reserve(n); }
  void resize(size_t n) const { resize(n, T()); }
  void resize(size_t n, const T& value) const { impl_->list.resize(n, IValue(value)); }
  List copy() const { return List(impl_->list, impl_->elementType); }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

  bool is(const List& other) const { return impl_ == other.impl_; }  // the same list
  size_t use_count() const { return impl_.use_count(); }
  const TypePtr& elementType() const { return impl_->elementType; }
  friend bool operator==(const List& a, const List& b) { return a.is(b) || a.impl_->list == b.impl_->list; }

 private:
  friend class IValue;
  explicit List(intrusive_ptr<detail::ListImpl> impl) : impl_(std::move(impl)) {}
  List(std::vector<IValue> elements, TypePtr type)
      : impl_(make_intrusive<detail::ListImpl>(std::move(elements), std::move(type))) {}
  // ScalarType and its like are stored as ints, so their lists are int lists.
  static const TypePtr& element_type() {
    static const TypePtr type = lower_type(getTypePtr<T>());
    return type;
  }
  IValue& slot(size_t i) const { return const_cast<IValue&>(impl_->at(i)); }
  template <class Range>
  void append_range(const Range& values) {
    impl_->list.reserve(values.size());
    for (const auto& v : values) impl_->list.emplace_back(static_cast<T>(v));
  }

  intrusive_ptr<detail::ListImpl> impl_;
};

namespace impl {
using GenericList = List<IValue>;
// The same list, seen as one of anything; and back, which checks the element type that it was made with.
template <class T>
GenericList toList(const List<T>& list) {
  return IValue(list).toList();
}
template <class T>
List<T> toTypedList(const GenericList& list) {
  return IValue(list).template to_list_of<T>();
}
}  // namespace impl

}  // namespace gb
