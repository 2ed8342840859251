// Built with -DNDEBUG, as the wheel is.
#include "tests/libtorch/autocast_bridge.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>

namespace gb::tests::libtorch {
namespace {

at::DeviceType to_torch(DeviceType device) { return device == kCUDA ? at::kCUDA : at::kCPU; }

}  // namespace

AutocastRegion::AutocastRegion(DeviceType device, ScalarType dtype) : device_(device) {
  at::autocast::set_autocast_enabled(to_torch(device), true);
  at::autocast::set_autocast_dtype(to_torch(device), dtype == kHalf ? at::kHalf : at::kBFloat16);
  at::autocast::increment_nesting();
}

AutocastRegion::~AutocastRegion() {
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(to_torch(device_), false);
}

bool has_autocast_kernel(const std::string& op, DeviceType device) {
  const size_t dot = op.find('.');
  const auto handle = c10::Dispatcher::singleton().findSchema(
      {op.substr(0, dot), dot == std::string::npos ? "" : op.substr(dot + 1)});
  return handle.value().hasKernelForDispatchKey(device == kCUDA ? c10::DispatchKey::AutocastCUDA
                                                                : c10::DispatchKey::AutocastCPU);
}

}  // namespace gb::tests::libtorch
