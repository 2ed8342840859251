#include "ops/factories/from_blob.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/sizes_and_strides.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

struct Blob {
  void* data;
  BlobDeleter deleter;
};

void delete_blob(void* context) {
  auto* blob = static_cast<Blob*>(context);
  blob->deleter(blob->data);
  delete blob;
}

}  // namespace

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const BlobDeleter& deleter,
                 const TensorOptions& options) {
  const ScalarType dtype = options.dtype().toScalarType();
  check_sizes_and_strides(sizes, strides, dtype, "from_blob");
  Device device = options.device();
  if (device.is_cuda() && !device.has_index()) device.set_index(0);
  int64_t reach = 1;
  for (size_t d = 0; d < sizes.size(); ++d)
    reach = sizes[d] == 0 || reach == 0 ? 0 : reach + (sizes[d] - 1) * strides[d];
  GB_CHECK_OR_THROW(data || reach == 0, ValueError, .what = "from_blob: the data pointer is null",
                    .cause = fmt::format("sizes {} ask for memory", to_string(sizes)),
                    .repair = "pass the address of the first element", .chapter = chapters::kTensors);
  DataPtr owner =
      deleter ? DataPtr(data, new Blob{data, deleter}, &delete_blob, device) : DataPtr(data, device);
  Storage storage(Storage::use_byte_size_t(), static_cast<size_t>(reach) * elementSize(dtype),
                  std::move(owner));
  Tensor t = detail::make_tensor<TensorImpl>(std::move(storage), dense_key(device.type()), TypeMeta(dtype));
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  if (options.requires_grad_opt().value_or(false)) t.set_requires_grad(true);
  return t;
}

Tensor from_blob(void* data, IntArrayRef sizes, const BlobDeleter& deleter, const TensorOptions& options) {
  check_sizes(sizes, options.dtype().toScalarType(), "from_blob");
  impl::SizesAndStrides geometry;
  geometry.set_sizes(sizes);
  geometry.set_contiguous_strides();
  return from_blob(data, sizes, geometry.strides_arrayref(), deleter, options);
}

Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return from_blob(data, sizes, BlobDeleter(), options);
}

Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options) {
  return from_blob(data, sizes, strides, BlobDeleter(), options);
}

}  // namespace gb
