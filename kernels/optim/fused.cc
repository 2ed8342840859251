#include "kernels/optim/fused.h"

#include <fmt/format.h>

#include <map>

#include "core/error.h"

namespace gb::optim {
namespace {

void adamw_cpu(Device, ScalarType dtype, const cpu::AdamWArrays& arrays, int64_t n, const cpu::AdamWStep& step) {
  cpu::adamw(dtype, arrays, n, step);
}
void sgd_cpu(Device, ScalarType dtype, const cpu::SgdArrays& arrays, int64_t n, const cpu::SgdStep& step) {
  cpu::sgd(dtype, arrays, n, step);
}
constexpr FusedKernels kCpuKernels{&adamw_cpu, &sgd_cpu};

std::map<DeviceType, const FusedKernels*>& by_device() {
  static std::map<DeviceType, const FusedKernels*> kernels{{kCPU, &kCpuKernels}};
  return kernels;
}

}  // namespace

RegisterFusedKernels::RegisterFusedKernels(DeviceType type, const FusedKernels* kernels) { by_device()[type] = kernels; }

const FusedKernels& fused_kernels(Device device, const char* optimizer) {
  const auto found = by_device().find(device.type());
  GB_CHECK_OR_THROW(found != by_device().end(), NotImplementedError,
                    .what = fmt::format("{}: no kernel for parameters on {}", optimizer, device.str()),
                    .cause = "an optimizer's step is a kernel of the device, and none is linked for this one",
                    .repair = "keep the parameters on the CPU, or link //ops, which has those for a GPU",
                    .chapter = chapters::kGrammar);
  return *found->second;
}

}  // namespace gb::optim
