// MemoryOwner: who asked for memory, so that the error that there is no more can name the largest holders. It
// is the innermost DeviceGuard of the thread that says so: a kernel's function and file. Two stores per
// scope.
#pragma once

namespace gb::cuda {

struct MemoryOwner {
  const char* function = "outside of an operator";
  const char* file = "";
};

inline constinit thread_local MemoryOwner current_memory_owner;

class MemoryOwnerScope {
 public:
  explicit MemoryOwnerScope(MemoryOwner owner) : before_(current_memory_owner) {
    current_memory_owner = owner;
  }
  ~MemoryOwnerScope() { current_memory_owner = before_; }
  MemoryOwnerScope(const MemoryOwnerScope&) = delete;
  MemoryOwnerScope& operator=(const MemoryOwnerScope&) = delete;

 private:
  const MemoryOwner before_;
};

}  // namespace gb::cuda
