// A copy between two devices. Only contiguous bytes of one dtype can cross, so what does not fit that is put
// in order first on the device where it is, by that device's own copy_:
//
//   src  --convert, make contiguous-->  staging on src's device  --bytes-->  self, or a staging tensor on
//   self's device  --broadcast, stride-->  self
#include "core/device_hooks.h"
#include "ops/common/empty.h"
#include "ops/copy/copy.h"

namespace gb {

// With non_blocking the bytes may still be on their way when it returns, but not where the host has to put them in
// order afterwards.
void copy_across_devices(const Tensor& self, const Tensor& src, bool non_blocking) {
  Tensor staged = src;
  if (src.scalar_type() != self.scalar_type() || !src.is_contiguous()) {
    staged = empty_on(src.device(), src.sizes(), self.scalar_type());
    staged.copy_(src);
  }
  const bool direct = self.is_contiguous() && self.sizes() == src.sizes();
  const Tensor target = direct ? self : empty_on(self.device(), src.sizes(), self.scalar_type());
  DeviceHooks* hooks = device_hooks(self.is_cpu() ? src.device().type() : self.device().type());
  const auto copy = non_blocking && (direct || !self.is_cpu()) ? &DeviceHooks::copy_async : &DeviceHooks::copy;
  (hooks->*copy)(target.mutable_data_ptr(), target.device(), staged.const_data_ptr(), staged.device(), target.nbytes());
  if (!direct) self.copy_(target);
}

}  // namespace gb
