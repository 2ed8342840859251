// Autocast of LibTorch, for autocast_test.cc: what a region sets, and which operators have a kernel there. No
// LibTorch type appears here (see bridge.h).
#pragma once

#include <optional>
#include <string>

#include "core/device.h"
#include "core/scalar_type.h"

namespace gb::tests::libtorch {

// A region on LibTorch's side, on this thread; kHalf or kBFloat16.
class AutocastRegion {
 public:
  AutocastRegion(DeviceType device, ScalarType dtype);
  ~AutocastRegion();

 private:
  DeviceType device_;
};

// Has the operator ("aten::sum.dim_IntList") a kernel of its own at AutocastCPU (AutocastCUDA)? REQUIRES that
// it exists.
bool has_autocast_kernel(const std::string& op, DeviceType device);

}  // namespace gb::tests::libtorch
