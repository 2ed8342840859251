// WeakIValue: an IValue that does not keep what it points to. lock() gives the value back, or None once its last owner
// has gone; numbers, devices and None are held as they are. Names follow ATen/core/ivalue.h.
#pragma once

#include "dispatcher/ivalue.h"

namespace gb {

struct WeakIValue final {
  WeakIValue() = default;
  WeakIValue(const IValue& v) : tag_(v.tag()) {
    if (v.isTensor() && v.toTensor().defined())
      target_ = weak(v.unsafeToTensorImpl());
    else if (v.isIntrusivePtr())
      target_ = weak(static_cast<intrusive_ptr_target*>(v.internalToPointer()));
    else
      inside_ = v;
  }

  IValue lock() const {
    if (!target_._unsafe_get_target()) return inside_;
    intrusive_ptr<intrusive_ptr_target> owner = target_.lock();
    if (!owner) return IValue();
    if (tag_ != IValue::Tag::Tensor) return IValue(tag_, std::move(owner));
    auto* const impl = static_cast<TensorImpl*>(owner.release());
    return Tensor(intrusive_ptr<TensorImpl, UndefinedTensorImpl>::reclaim(impl));
  }
  size_t use_count() const { return target_._unsafe_get_target() ? target_.use_count() : 1; }
  size_t weak_use_count() const { return target_._unsafe_get_target() ? target_.weak_use_count() : 1; }
  bool isSameIdentity(const WeakIValue& other) const {
    return tag_ == other.tag_ && target_ == other.target_ && inside_.isSameIdentity(other.inside_);
  }

 private:
  using Weak = weak_intrusive_ptr<intrusive_ptr_target>;
  static Weak weak(intrusive_ptr_target* target) {
    return Weak(intrusive_ptr<intrusive_ptr_target>::reclaim_copy(target));
  }

  IValue::Tag tag_ = IValue::Tag::None;
  Weak target_;
  IValue inside_;  // what is held as it is
};

}  // namespace gb
