#include "ops/common/empty.h"

#include <fmt/format.h>

#include "core/device_hooks.h"
#include "core/error.h"

namespace gb {
namespace {

// In a function of its own: the strings of a message would cost the callers registers and a stack check at every call.
[[noreturn, gnu::cold]] void throw_too_many_bytes(int64_t numel, ScalarType dtype) {
  GB_THROW(ValueError, .what = "Storage size calculation overflowed",
           .cause = fmt::format("{} elements of {} bytes", numel, elementSize(dtype)), .repair = "use smaller sizes",
           .chapter = chapters::kTensors);
}
size_t bytes_of(int64_t numel, ScalarType dtype) {
  int64_t nbytes = 0;
  if (__builtin_mul_overflow(numel, static_cast<int64_t>(elementSize(dtype)), &nbytes)) throw_too_many_bytes(numel, dtype);
  return static_cast<size_t>(nbytes);
}

Tensor with_storage(Allocator* allocator, int64_t numel, DispatchKey key, ScalarType dtype) {
  return detail::make_tensor<TensorImpl>(
      Storage(Storage::use_byte_size_t(), bytes_of(numel, dtype), allocator, /*resizable=*/true), key, TypeMeta(dtype));
}

// with_storage for the device that nearly every tensor is on: inlined into the functions below, with the key a constant.
[[gnu::always_inline]] inline Tensor with_cpu_storage(int64_t numel, ScalarType dtype) {
  return detail::make_tensor<TensorImpl>(
      Storage(Storage::use_byte_size_t(), bytes_of(numel, dtype), GetCPUAllocator(), /*resizable=*/true), DispatchKey::CPU,
      TypeMeta(dtype));
}

Tensor with_storage_on(Device device, int64_t numel, ScalarType dtype) {
  if (device.is_cpu()) return with_cpu_storage(numel, dtype);
  if (device.is_meta()) {
    Storage storage(Storage::use_byte_size_t(), bytes_of(numel, dtype), DataPtr(nullptr, Device(kMeta)), nullptr, true);
    return detail::make_tensor<TensorImpl>(std::move(storage), DispatchKey::Meta, TypeMeta(dtype));
  }
  return with_storage(allocator_for(device), numel, dense_key(device.type()), dtype);
}

// From the first element to the last: what the storage must hold.
int64_t elements_spanned(IntArrayRef sizes, IntArrayRef strides) {
  int64_t needed = 1;
  bool overflow = false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return 0;
    int64_t reach = 0;
    overflow |= __builtin_mul_overflow(sizes[d] - 1, strides[d], &reach);
    overflow |= __builtin_add_overflow(needed, reach, &needed);
  }
  GB_CHECK_OR_THROW(!overflow, ValueError, .what = "Storage size calculation overflowed",
                    .cause = fmt::format("sizes {} with strides {}", to_string(sizes), to_string(strides)),
                    .repair = "use smaller sizes or strides", .chapter = chapters::kTensors);
  return needed;
}

Allocator* pinned_allocator() {
  Allocator* allocator = nullptr;
  for (DeviceType type : {kCUDA, kPrivateUse1}) {
    DeviceHooks* hooks = device_hooks(type);
    if (!allocator && hooks) allocator = hooks->pinned_allocator();
  }
  GB_CHECK_OR_THROW(allocator, NotImplementedError, .what = "no pinned memory in this program",
                    .cause = "pinned memory is what a device reads by itself, and there is no such device: no GPU, or a "
                             "build without the CUDA toolkit",
                    .repair = "run on a machine with a GPU, or use ordinary memory", .chapter = chapters::kKernels);
  return allocator;
}

}  // namespace

Tensor empty_cpu(IntArrayRef sizes, ScalarType dtype) {
  const int64_t numel = numel_of(sizes);
  Tensor t = with_cpu_storage(numel, dtype);
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes, numel);
  return t;
}

Tensor empty_cpu_like_contiguous(const Tensor& like, ScalarType dtype) {
  Tensor t = with_cpu_storage(like.numel(), dtype);
  t.unsafeGetTensorImpl()->set_sizes_contiguous(like.sizes(), like.numel());
  return t;
}

Tensor empty_on(Device device, IntArrayRef sizes, ScalarType dtype) {
  if (device.is_cpu()) return empty_cpu(sizes, dtype);
  Tensor t = with_storage_on(device, numel_of(sizes), dtype);
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}

Tensor empty_strided_on(Device device, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype) {
  Tensor t = with_storage_on(device, elements_spanned(sizes, strides), dtype);
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return t;
}

Tensor empty_pinned(IntArrayRef sizes, ScalarType dtype) {
  Tensor t = with_storage(pinned_allocator(), numel_of(sizes), DispatchKey::CPU, dtype);
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}

Tensor empty_strided_pinned(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype) {
  Tensor t = with_storage(pinned_allocator(), elements_spanned(sizes, strides), DispatchKey::CPU, dtype);
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  return t;
}

void check_sizes_one_by_one(IntArrayRef sizes, ScalarType dtype, const char* op) {
  GB_CHECK_OR_THROW(isSupportedType(dtype), NotImplementedError,
                    .what = fmt::format("{}: tensors of dtype {} are not supported", op, toString(dtype)),
                    .cause = "glassbox stores Float, Double, Half, BFloat16, Long, Int and Bool",
                    .repair = "use one of those", .chapter = chapters::kTensors);
  int64_t n = static_cast<int64_t>(elementSize(dtype));
  bool overflow = false, empty = false;
  for (int64_t s : sizes) {
    GB_CHECK_OR_THROW(s >= 0, Error,
                      .what = fmt::format("{}: Trying to create tensor with negative dimension {}: {}", op, s,
                                          to_string(sizes)),
                      .cause = "a size counts elements", .repair = "give sizes of at least 0",
                      .chapter = chapters::kTensors);
    empty |= s == 0;
    overflow |= __builtin_mul_overflow(n, s, &n);
  }
  GB_CHECK_OR_THROW(
      !overflow || empty, Error,
      .what = fmt::format("{}: Storage size calculation overflowed with sizes={}", op, to_string(sizes)),
      .cause = fmt::format("elements of {} bytes: the bytes do not fit 63 bits", elementSize(dtype)),
      .repair = "use smaller sizes", .chapter = chapters::kTensors);
}

void check_sizes_and_strides(IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, const char* op) {
  check_sizes(sizes, dtype, op);
  GB_CHECK_OR_THROW(sizes.size() == strides.size(), Error,
                    .what = fmt::format("{}: mismatch in length of strides and shape", op),
                    .cause = fmt::format("sizes {}, strides {}", to_string(sizes), to_string(strides)),
                    .repair = "give one stride per dimension", .chapter = chapters::kTensors);
  int64_t last = 0;
  bool overflow = false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    GB_CHECK_OR_THROW(strides[d] >= 0, Error,
                      .what = fmt::format("{}: strides must be non-negative, got {}", op, to_string(strides)),
                      .cause = "a negative stride would walk backwards through memory",
                      .repair = "give strides of at least 0", .chapter = chapters::kTensors);
    int64_t reach = 0;
    overflow |= sizes[d] > 0 && __builtin_mul_overflow(sizes[d] - 1, strides[d], &reach);
    overflow |= __builtin_add_overflow(last, reach, &last);
  }
  overflow |= __builtin_mul_overflow(last + !overflow, static_cast<int64_t>(elementSize(dtype)), &last);
  GB_CHECK_OR_THROW(
      !overflow, Error,
      .what = fmt::format("{}: Storage size calculation overflowed with sizes={} and strides={}", op,
                          to_string(sizes), to_string(strides)),
      .cause = "the bytes up to the last element do not fit 63 bits", .repair = "use smaller strides",
      .chapter = chapters::kTensors);
}

}  // namespace gb
