// ArrayRef<T>: a pointer and a length, not owning. Valid only as long as what it looks at.
// Names follow c10/util/ArrayRef.h.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "core/error.h"

namespace gb {

template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using iterator = const T*;
  using const_iterator = const T*;

  constexpr ArrayRef() : data_(nullptr), size_(0) {}
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  ArrayRef(const std::vector<T>& v) : data_(v.data()), size_(v.size()) {}
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& a) : data_(a.data()), size_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&a)[N]) : data_(a), size_(N) {}
// A braced list lives until the end of the full expression, as long as a call that takes the ArrayRef.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
  constexpr ArrayRef(const std::initializer_list<T>& list)
      : data_(list.begin() == list.end() ? nullptr : list.begin()), size_(list.size()) {}
#pragma GCC diagnostic pop

  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  const T& front() const { return at(0); }
  const T& back() const { return at(size_ - 1); }

  const T& at(size_t i) const {
    GB_CHECK_OR_THROW(i < size_, IndexError, .what = "ArrayRef::at: index out of range",
                      .cause = "index " + std::to_string(i) + " of " + std::to_string(size_) + " elements",
                      .repair = "use an index below size()", .chapter = chapters::kTensors);
    return data_[i];
  }
  ArrayRef slice(size_t start, size_t count) const {
    GB_CHECK_OR_THROW(start + count <= size_, IndexError, .what = "ArrayRef::slice: range out of bounds",
                      .cause = "elements " + std::to_string(start) + " to " + std::to_string(start + count) + " of " +
                               std::to_string(size_),
                      .repair = "slice within size()", .chapter = chapters::kTensors);
    return {data_ + start, count};
  }
  ArrayRef slice(size_t start) const { return slice(start, start <= size_ ? size_ - start : 0); }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }

  constexpr bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i)
      if (!(data_[i] == other.data_[i])) return false;
    return true;
  }
  friend constexpr bool operator==(ArrayRef a, ArrayRef b) { return a.equals(b); }

 private:
  const T* data_;
  size_t size_;
};

using IntArrayRef = ArrayRef<int64_t>;

// An optional list of dimensions as a parameter. A class, because std::optional<IntArrayRef> would take `{1}` for one
// number, make a reference to a temporary copy of it, and keep that. As c10/util/OptionalArrayRef.h.
class OptionalIntArrayRef : public std::optional<IntArrayRef> {
 public:
  constexpr OptionalIntArrayRef() = default;
  constexpr OptionalIntArrayRef(std::nullopt_t) {}
  constexpr OptionalIntArrayRef(std::optional<IntArrayRef> list) : optional(list) {}
  constexpr OptionalIntArrayRef(IntArrayRef list) : optional(list) {}
  constexpr OptionalIntArrayRef(const int64_t& one) : optional(IntArrayRef(one)) {}
  constexpr OptionalIntArrayRef(const std::initializer_list<int64_t>& list) : optional(IntArrayRef(list)) {}
  OptionalIntArrayRef(const std::vector<int64_t>& list) : optional(IntArrayRef(list)) {}
  template <size_t N>
  constexpr OptionalIntArrayRef(const std::array<int64_t, N>& list) : optional(IntArrayRef(list)) {}
};

std::string to_string(IntArrayRef values);  // "[2, 64]"

}  // namespace gb
