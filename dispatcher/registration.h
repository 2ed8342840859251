// What a registration gives back, and who is told of it.
// Names follow ATen/core/dispatch/{RegistrationHandleRAII,Dispatcher}.h.
#pragma once

#include <functional>
#include <utility>

#include "dispatcher/operator_handle.h"

namespace gb {

// Undoes one registration when it goes. Move-only; may go in any order and after everything else.
class RegistrationHandleRAII final {
 public:
  explicit RegistrationHandleRAII(std::function<void()> undo) : undo_(std::move(undo)) {}
  RegistrationHandleRAII(RegistrationHandleRAII&& o) noexcept : undo_(std::exchange(o.undo_, nullptr)) {}
  RegistrationHandleRAII& operator=(RegistrationHandleRAII&& o) noexcept {
    std::swap(undo_, o.undo_);
    return *this;
  }
  ~RegistrationHandleRAII() {
    if (undo_) undo_();
  }

 private:
  std::function<void()> undo_;
};

// Told of every operator whose def arrives, and of those that are there already when the listener is added; told again when
// the def goes. Kernels without a def are not reported. Called with the registry's lock held: it may look operators up.
// What onOperatorRegistered throws refuses the def.
class OpRegistrationListener {
 public:
  virtual ~OpRegistrationListener() = default;
  virtual void onOperatorRegistered(const OperatorHandle& op) = 0;
  virtual void onOperatorDeregistered(const OperatorHandle& op) = 0;
};

}  // namespace gb
