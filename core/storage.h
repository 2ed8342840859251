// Storage: the bytes behind one or more tensors. Views share a Storage; its lifetime ends with the last of them.
// Names follow c10/core/Storage.h and StorageImpl.h.
#pragma once

#include <cstddef>

#include "core/allocator.h"
#include "core/intrusive_ptr.h"
#include "core/recycled.h"

namespace gb {

class StorageImpl final : public intrusive_ptr_target, public Recycled<StorageImpl> {
 public:
  struct use_byte_size_t {};  // says that sizes here are bytes, not elements

  StorageImpl(use_byte_size_t, size_t nbytes, DataPtr data, Allocator* allocator, bool resizable)
      : data_(std::move(data)), nbytes_(nbytes), allocator_(allocator), resizable_(resizable) {}
  StorageImpl(use_byte_size_t, size_t nbytes, Allocator* allocator, bool resizable)
      : data_(allocator->allocate(nbytes)), nbytes_(nbytes), allocator_(allocator), resizable_(resizable) {}

  size_t nbytes() const { return nbytes_; }
  void set_nbytes(size_t nbytes) { nbytes_ = nbytes; }
  bool resizable() const { return resizable_; }
  const void* data() const { return data_.get(); }
  void* mutable_data() const { return data_.get(); }
  const DataPtr& data_ptr() const { return data_; }
  DataPtr set_data_ptr(DataPtr data) {  // returns the old one
    std::swap(data_, data);
    return data;
  }
  Allocator* allocator() const { return allocator_; }
  Device device() const { return data_.device(); }

 private:
  void release_resources() override { data_.clear(); }  // only weak pointers are left

  DataPtr data_;
  size_t nbytes_;
  Allocator* allocator_;
  bool resizable_;
};

class Storage {
 public:
  using use_byte_size_t = StorageImpl::use_byte_size_t;

  Storage() = default;
  Storage(intrusive_ptr<StorageImpl> impl) : impl_(std::move(impl)) {}
  Storage(use_byte_size_t tag, size_t nbytes, Allocator* allocator, bool resizable = false)
      : impl_(make_intrusive<StorageImpl>(tag, nbytes, allocator, resizable)) {}
  Storage(use_byte_size_t tag, size_t nbytes, DataPtr data, Allocator* allocator = nullptr, bool resizable = false)
      : impl_(make_intrusive<StorageImpl>(tag, nbytes, std::move(data), allocator, resizable)) {}

  size_t nbytes() const { return impl_ ? impl_->nbytes() : 0; }
  const void* data() const { return impl_ ? impl_->data() : nullptr; }
  void* mutable_data() const { return impl_ ? impl_->mutable_data() : nullptr; }
  const DataPtr& data_ptr() const { return impl_->data_ptr(); }
  DataPtr set_data_ptr(DataPtr data) const { return impl_->set_data_ptr(std::move(data)); }
  Device device() const { return impl_->device(); }
  DeviceType device_type() const { return device().type(); }
  StorageImpl* unsafeGetStorageImpl() const { return impl_.get(); }
  size_t use_count() const { return impl_.use_count(); }
  bool is_alias_of(const Storage& other) const { return impl_ && impl_ == other.impl_; }
  explicit operator bool() const { return impl_.defined(); }

 private:
  intrusive_ptr<StorageImpl> impl_;
};

}  // namespace gb
