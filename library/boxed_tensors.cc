#include "library/boxed_tensors.h"

#include <cstring>
#include <map>

#include "core/device_hooks.h"
#include "library/registration.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

Storage fake_storage(const Tensor& t) {
  const auto count = static_cast<int64_t>((t.storage().nbytes() + t.itemsize() - 1) / t.itemsize());
  return empty_on(Device(kMeta), {count}, t.scalar_type()).storage();
}

Storage copied_storage(const Tensor& t) {
  if (t.is_meta()) return fake_storage(t);
  const size_t nbytes = t.storage().nbytes();
  Storage copy(Storage::use_byte_size_t(), nbytes, allocator_for(t.device()));
  if (nbytes == 0) return copy;
  if (t.is_cpu()) {
    std::memcpy(copy.mutable_data(), t.storage().data(), nbytes);
  } else {
    device_hooks(t.device().type())->copy(copy.mutable_data(), t.device(), t.storage().data(), t.device(), nbytes);
  }
  return copy;
}

// Remembers which storages were copied: views of one memory become views of one copy.
class Copier {
 public:
  explicit Copier(bool to_fakes) : to_fakes_(to_fakes) {}
  Tensor operator()(const Tensor& t) {
    Storage& copy = storages_[t.storage().unsafeGetStorageImpl()];
    if (!copy) copy = to_fakes_ ? fake_storage(t) : copied_storage(t);
    const DispatchKeySet key(dense_key(to_fakes_ ? kMeta : t.device().type()));
    Tensor result = detail::make_tensor(Storage(copy), key, t.dtype());
    result.unsafeGetTensorImpl()->set_sizes_and_strides(t.sizes(), t.strides(), t.storage_offset());
    result.unsafeGetTensorImpl()->set_wrapped_number(t.unsafeGetTensorImpl()->is_wrapped_number());
    if (!to_fakes_ && t.requires_grad()) result.requires_grad_();
    return result;
  }

 private:
  bool to_fakes_;
  std::map<StorageImpl*, Storage> storages_;
};

}  // namespace

Stack copies_of(ArrayRef<IValue> arguments) {
  Copier copier(/*to_fakes=*/false);
  Stack copies;
  for (const IValue& v : arguments) copies.push_back(map_tensors(v, copier));
  return copies;
}

Stack fakes_of(const FunctionSchema& schema, ArrayRef<IValue> arguments) {
  Copier copier(/*to_fakes=*/true);
  const bool no_tensors = !detail::has_tensor_argument(schema);
  Stack fakes;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Type& type = *schema.arguments()[i].type();
    const bool device_left_out = no_tensors && arguments[i].isNone() && type.kind() == TypeKind::OptionalType &&
                                 type.containedType(0)->kind() == TypeKind::DeviceObjType;
    fakes.push_back(arguments[i].isDevice() || device_left_out ? IValue(Device(kMeta))
                                                               : map_tensors(arguments[i], copier));
  }
  return fakes;
}

}  // namespace gb
