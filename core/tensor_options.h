// TensorOptions: dtype, device, layout, requires_grad and memory format of a tensor to be made, each optional.
// Fluent: every setter returns a changed copy. Names follow c10/core/TensorOptions.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/device.h"
#include "core/type_meta.h"

namespace gb {

enum class Layout : int8_t { Strided };
inline constexpr Layout kStrided = Layout::Strided;
enum class MemoryFormat : int8_t { Contiguous, Preserve };
const char* toString(Layout layout);
const char* toString(MemoryFormat format);

class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : dtype_(dtype) {}
  TensorOptions(TypeMeta dtype) : dtype_(dtype.toScalarType()) {}
  TensorOptions(Device device) : device_(device) {}
  TensorOptions(DeviceType type) : device_(Device(type)) {}
  TensorOptions(const std::string& device) : device_(Device(device)) {}
  TensorOptions(Layout layout) : layout_(layout) {}
  TensorOptions(MemoryFormat format) : memory_format_(format) {}

  [[nodiscard]] TensorOptions dtype(std::optional<ScalarType> v) const { return with(&TensorOptions::dtype_, v); }
  [[nodiscard]] TensorOptions dtype(ScalarType v) const { return dtype(std::optional<ScalarType>(v)); }
  [[nodiscard]] TensorOptions dtype(TypeMeta v) const { return dtype(v.toScalarType()); }
  [[nodiscard]] TensorOptions device(std::optional<Device> v) const { return with(&TensorOptions::device_, v); }
  [[nodiscard]] TensorOptions device(DeviceType type, DeviceIndex i = -1) const { return device(Device(type, i)); }
  [[nodiscard]] TensorOptions device_index(int16_t i) const {
    return device(Device(device().type(), static_cast<DeviceIndex>(i)));
  }
  [[nodiscard]] TensorOptions layout(std::optional<Layout> v) const { return with(&TensorOptions::layout_, v); }
  [[nodiscard]] TensorOptions requires_grad(std::optional<bool> v) const {
    return with(&TensorOptions::requires_grad_, v);
  }
  [[nodiscard]] TensorOptions pinned_memory(std::optional<bool> v) const {
    return with(&TensorOptions::pinned_memory_, v);
  }
  [[nodiscard]] TensorOptions memory_format(std::optional<MemoryFormat> v) const {
    return with(&TensorOptions::memory_format_, v);
  }
  // The fields set in `options` win.
  [[nodiscard]] TensorOptions merge_in(TensorOptions options) const;

  Device device() const { return device_.value_or(Device(kCPU)); }
  TypeMeta dtype() const { return dtype_ ? TypeMeta(*dtype_) : get_default_dtype(); }
  Layout layout() const { return layout_.value_or(kStrided); }
  bool requires_grad() const { return requires_grad_.value_or(false); }
  bool pinned_memory() const { return pinned_memory_.value_or(false); }

  std::optional<Device> device_opt() const { return device_; }
  std::optional<ScalarType> dtype_opt() const { return dtype_; }
  std::optional<Layout> layout_opt() const { return layout_; }
  std::optional<bool> requires_grad_opt() const { return requires_grad_; }
  std::optional<bool> pinned_memory_opt() const { return pinned_memory_; }
  std::optional<MemoryFormat> memory_format_opt() const { return memory_format_; }
  bool has_device() const { return device_.has_value(); }
  bool has_dtype() const { return dtype_.has_value(); }
  bool has_layout() const { return layout_.has_value(); }
  bool has_requires_grad() const { return requires_grad_.has_value(); }
  bool has_pinned_memory() const { return pinned_memory_.has_value(); }
  bool has_memory_format() const { return memory_format_.has_value(); }

 private:
  template <class T>
  TensorOptions with(std::optional<T> TensorOptions::* field, std::optional<T> value) const {
    TensorOptions copy = *this;
    copy.*field = value;
    return copy;
  }
  std::optional<ScalarType> dtype_;
  std::optional<Device> device_;
  std::optional<Layout> layout_;
  std::optional<bool> requires_grad_, pinned_memory_;
  std::optional<MemoryFormat> memory_format_;
};

// Options with one field set, where code reads better so: gb::dtype(kDouble).device(kCUDA).
inline TensorOptions dtype(ScalarType v) { return TensorOptions(v); }
inline TensorOptions dtype(TypeMeta v) { return TensorOptions(v); }
inline TensorOptions device(Device v) { return TensorOptions(v); }
inline TensorOptions device_index(int16_t v) { return TensorOptions().device(Device(kCUDA, static_cast<DeviceIndex>(v))); }
inline TensorOptions layout(Layout v) { return TensorOptions(v); }
inline TensorOptions requires_grad(bool v = true) { return TensorOptions().requires_grad(v); }
inline TensorOptions memory_format(MemoryFormat v) { return TensorOptions(v); }

}  // namespace gb
