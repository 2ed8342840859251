// Device: where a tensor's memory is: a type and an index ("cuda:1"; index -1 means the current one).
// Names follow c10/core/Device.h. PrivateUse1 is the slot for a reader's own backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace gb {

// XLA and Lazy are names only: no kernel here serves them.
enum class DeviceType : int8_t { CPU, CUDA, Meta, PrivateUse1, XLA, Lazy };
inline constexpr DeviceType kCPU = DeviceType::CPU, kCUDA = DeviceType::CUDA, kMeta = DeviceType::Meta,
                            kPrivateUse1 = DeviceType::PrivateUse1, kXLA = DeviceType::XLA, kLazy = DeviceType::Lazy;
using DeviceIndex = int8_t;

// "cpu", "cuda", "meta", "xla", "lazy"; for PrivateUse1 its registered name, else "privateuseone".
const char* toString(DeviceType type);

// Gives the reader's own backend a name, once per program: then Device("name:0") is PrivateUse1. Throws for a second,
// different name, and for one that is taken or is not made of letters, digits and '_'. (c10/core/DeviceType.h)
void register_privateuse1_backend(const std::string& name);
bool is_privateuse1_backend_registered();
std::string get_privateuse1_backend(bool lower_case = true);  // "privateuseone" before

// Aligned so that an optional<Device> takes four bytes, which travel in one register.
class alignas(2) Device {
 public:
  using Type = DeviceType;
  constexpr Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
  Device(const std::string& text);  // "cpu", "cuda", "cuda:1", "meta"; anything else throws ValueError

  constexpr DeviceType type() const { return type_; }
  constexpr DeviceIndex index() const { return index_; }
  constexpr bool has_index() const { return index_ != -1; }
  void set_index(DeviceIndex index) { index_ = index; }
  constexpr bool is_cpu() const { return type_ == kCPU; }
  constexpr bool is_cuda() const { return type_ == kCUDA; }
  constexpr bool is_meta() const { return type_ == kMeta; }
  std::string str() const;

  friend constexpr bool operator==(Device a, Device b) { return a.type_ == b.type_ && a.index_ == b.index_; }

 private:
  DeviceType type_;
  DeviceIndex index_;
};

}  // namespace gb

template <>
struct std::hash<gb::Device> {
  size_t operator()(gb::Device d) const noexcept {
    return (static_cast<size_t>(d.type()) << 8) | static_cast<uint8_t>(d.index());
  }
};
