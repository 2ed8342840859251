// One kernel for every backend: no element is touched, but where a storage grows.
#include <fmt/format.h>

#include <cstring>

#include "core/device_hooks.h"
#include "dispatcher/library.h"
#include "ops/as_strided/make_view.h"
#include "ops/common/empty.h"
#include "ops/set/set.h"

namespace gb {
namespace {

std::vector<int64_t> contiguous_strides(IntArrayRef size) {
  std::vector<int64_t> strides(size.size());
  int64_t next = 1;
  for (size_t d = size.size(); d-- > 0;) {
    strides[d] = next;
    next *= std::max<int64_t>(size[d], 1);
  }
  return strides;
}

// Other, larger memory for the storage, with the bytes that it has.
void grow(const Storage& storage, size_t nbytes) {
  StorageImpl* impl = storage.unsafeGetStorageImpl();
  if (!storage.device().is_meta()) {
    DataPtr larger = impl->allocator()->allocate(nbytes);
    if (storage.device().is_cpu()) {
      if (storage.nbytes() > 0) std::memcpy(larger.get(), storage.data(), storage.nbytes());
    } else {
      device_hooks(storage.device_type())
          ->copy(larger.get(), storage.device(), storage.data(), storage.device(), storage.nbytes());
    }
    impl->set_data_ptr(std::move(larger));
  }
  impl->set_nbytes(nbytes);
}

Tensor& set_storage(Tensor& self, const Storage& source, int64_t offset, IntArrayRef size, IntArrayRef stride) {
  GB_CHECK_OR_THROW(source, Error, .what = "gb::set_: the source has no storage", .cause = "it is undefined",
                    .repair = "give the storage() of a tensor, or no source at all", .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(
      source.device() == self.device(), Error,
      .what = fmt::format("gb::set_: Attempted to set the storage of a tensor on device \"{}\" to a storage on different "
                          "device \"{}\"",
                          self.device().str(), source.device().str()),
      .cause = "the devices must match", .repair = "bring the source to the tensor's device first",
      .chapter = chapters::kTensors);
  GB_CHECK_OR_THROW(offset >= 0, ValueError, .what = fmt::format("gb::set_: invalid storage offset {}", offset),
                    .cause = "it counts the elements before the first one", .repair = "use an offset of at least 0",
                    .chapter = chapters::kTensors);
  check_sizes_and_strides(size, stride, self.scalar_type(), "gb::set_");
  const int64_t needed = bytes_needed(size, stride, offset, self.element_size());
  GB_CHECK_OR_THROW(needed >= 0, ValueError, .what = "gb::set_: Storage size calculation overflowed",
                    .cause = fmt::format("sizes {}, strides {}, storage offset {}", to_string(size), to_string(stride),
                                         offset),
                    .repair = "use smaller sizes or strides", .chapter = chapters::kTensors);
  if (static_cast<size_t>(needed) > source.nbytes()) {
    GB_CHECK_OR_THROW(source.unsafeGetStorageImpl()->resizable(), Error,
                      .what = "gb::set_: Trying to resize storage that is not resizable",
                      .cause = fmt::format("{} bytes are needed, and it has {}", needed, source.nbytes()),
                      .repair = "stay inside of it, or use a storage that the library made",
                      .chapter = chapters::kTensors);
    grow(source, static_cast<size_t>(needed));
  }
  TensorImpl* impl = self.unsafeGetTensorImpl();
  impl->set_storage_keep_dtype(source);
  impl->set_sizes_and_strides(size, stride, offset);
  return self;
}

Tensor& set__storage_offset(Tensor& self, Storage source, int64_t offset, IntArrayRef size, IntArrayRef stride) {
  if (stride.empty() && !size.empty()) return set_storage(self, source, offset, size, contiguous_strides(size));
  return set_storage(self, source, offset, size, stride);
}

Tensor& set__storage(Tensor& self, Storage source) {
  const int64_t elements = static_cast<int64_t>(source.nbytes()) / self.element_size();
  return set_storage(self, source, 0, {elements}, {1});
}

Tensor& set__tensor(Tensor& self, const Tensor& source) {
  if (self.is_same(source)) return self;
  return set_storage(self, source.storage(), source.storage_offset(), source.sizes(), source.strides());
}

Tensor& set__nothing(Tensor& self) {
  return set_storage(self, empty_on(self.device(), {0}, self.scalar_type()).storage(), 0, {0}, {1});
}

Tensor& set__tensor_offset(Tensor& self, const Tensor& source, int64_t offset, IntArrayRef size, IntArrayRef stride) {
  return set__storage_offset_op().call(self, source.storage(), offset, size, stride);
}

}  // namespace

GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("set_", GB_FN(set__nothing));
  m.impl("set_.source_Tensor", GB_FN(set__tensor));
  m.impl("set_.source_Storage", GB_FN(set__storage));
  m.impl("set_.source_Storage_storage_offset", GB_FN(set__storage_offset));
}
GB_LIBRARY_IMPL(aten, CompositeImplicitAutograd, m) {
  m.impl("set_.source_Tensor_storage_offset", GB_FN(set__tensor_offset));
}

}  // namespace gb
