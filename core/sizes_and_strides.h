// SizesAndStrides: the shape of a tensor and how far apart its elements lie (in elements, not bytes).
// Up to five dimensions lie inside the object, so that the common tensor needs no second allocation.
// A fresh one is one dimension of size 0, stride 1, as in c10/core/impl/SizesAndStrides.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/array_ref.h"

namespace gb::impl {

class SizesAndStrides {
 public:
  static constexpr size_t kInline = 5;

  SizesAndStrides() {
    inline_[0] = 0;
    inline_[kInline] = 1;
  }
  SizesAndStrides(const SizesAndStrides& o) { copy(o); }
  SizesAndStrides(SizesAndStrides&& o) noexcept { move(std::move(o)); }
  SizesAndStrides& operator=(const SizesAndStrides& o) {
    if (this != &o) copy(o);
    return *this;
  }
  SizesAndStrides& operator=(SizesAndStrides&& o) noexcept {
    if (this != &o) move(std::move(o));
    return *this;
  }

  size_t size() const { return size_; }
  int64_t* sizes_data() { return size_ <= kInline ? inline_ : heap_.get(); }
  const int64_t* sizes_data() const { return size_ <= kInline ? inline_ : heap_.get(); }
  int64_t* strides_data() { return size_ <= kInline ? inline_ + kInline : heap_.get() + size_; }
  const int64_t* strides_data() const { return size_ <= kInline ? inline_ + kInline : heap_.get() + size_; }
  IntArrayRef sizes_arrayref() const { return {sizes_data(), size_}; }
  IntArrayRef strides_arrayref() const { return {strides_data(), size_}; }

  int64_t size_at(size_t d) const { return sizes_arrayref().at(d); }
  int64_t stride_at(size_t d) const { return strides_arrayref().at(d); }
  int64_t& size_at_unchecked(size_t d) { return sizes_data()[d]; }
  int64_t size_at_unchecked(size_t d) const { return sizes_data()[d]; }
  int64_t& stride_at_unchecked(size_t d) { return strides_data()[d]; }
  int64_t stride_at_unchecked(size_t d) const { return strides_data()[d]; }

  // Keeps the first dimensions; new ones are 0.
  void resize(size_t n) {
    if (n > kInline || size_ > kInline) return resize_by_copy(n);
    for (size_t d = size_; d < n; ++d) inline_[d] = inline_[kInline + d] = 0;
    size_ = n;
  }
  void set_sizes(IntArrayRef sizes) {
    resize(sizes.size());
    int64_t* to = sizes_data();
    for (size_t d = 0; d < size_; ++d) to[d] = sizes[d];
  }
  void set_strides(IntArrayRef strides) {  // as many as there are sizes
    int64_t* to = strides_data();
    for (size_t d = 0; d < size_; ++d) to[d] = strides[d];
  }
  // Both at once.
  void set_sizes_contiguous(IntArrayRef sizes) {
    if (sizes.size() > kInline || size_ > kInline) [[unlikely]] {
      set_sizes(sizes);
      return set_contiguous_strides();
    }
    size_ = sizes.size();
    int64_t next = 1;
    for (size_t d = size_; d-- > 0;) {
      inline_[d] = sizes[d];
      inline_[kInline + d] = next;
      next *= std::max<int64_t>(sizes[d], 1);
    }
  }
  // Row-major strides for the present sizes; a size of 0 counts as 1, as in PyTorch.
  void set_contiguous_strides() {
    int64_t* sizes = sizes_data();
    int64_t* strides = strides_data();
    int64_t next = 1;
    for (size_t d = size_; d-- > 0;) {
      strides[d] = next;
      next *= std::max<int64_t>(sizes[d], 1);
    }
  }
  void copy(const SizesAndStrides& o) {
    if (o.size_ > kInline || heap_) [[unlikely]]
      return copy_by_heap(o);
    size_ = o.size_;
    for (size_t d = 0; d < size_; ++d) {
      inline_[d] = o.inline_[d];
      inline_[kInline + d] = o.inline_[kInline + d];
    }
  }
  void move(SizesAndStrides&& o) noexcept {
    heap_ = std::move(o.heap_);
    std::copy_n(o.inline_, 2 * kInline, inline_);
    size_ = std::exchange(o.size_, 0);
  }

 private:
  // Where the heap comes in, before or after.
  [[gnu::noinline]] void copy_by_heap(const SizesAndStrides& o) {
    heap_.reset(o.size_ > kInline ? new int64_t[2 * o.size_] : nullptr);
    size_ = o.size_;
    std::copy_n(o.sizes_data(), size_, sizes_data());
    std::copy_n(o.strides_data(), size_, strides_data());
  }
  [[gnu::noinline]] void resize_by_copy(size_t n) {
    if (n == size_) return;
    const size_t keep = std::min(n, size_);
    std::unique_ptr<int64_t[]> heap;
    int64_t inside[2 * kInline] = {};
    int64_t* to = inside;
    size_t to_strides = kInline;
    if (n > kInline) {
      heap.reset(new int64_t[2 * n]());
      to = heap.get();
      to_strides = n;
    }
    std::copy_n(sizes_data(), keep, to);
    std::copy_n(strides_data(), keep, to + to_strides);
    if (n <= kInline) std::copy_n(inside, 2 * kInline, inline_);
    heap_ = std::move(heap);
    size_ = n;
  }

  size_t size_ = 1;
  int64_t inline_[2 * kInline] = {};  // sizes, then strides
  std::unique_ptr<int64_t[]> heap_;   // the same, 2 * size_ long, where there are more than kInline
};

}  // namespace gb::impl
