#include "autograd/turn.h"

#include "autograd/engine_threads.h"

namespace gb::autograd {

Turn::Scope::Scope(Turn& turn)
    : taken_([&]() -> Turn* {
        const SharedQueue* me = own_queue().get();
        for (const SharedQueue* owner = nullptr; !turn.owner_.compare_exchange_strong(owner, me); owner = nullptr) {
          if (owner == me) break;
          if (is_device_worker()) return nullptr;
          turn.owner_.wait(owner);
        }
        ++turn.depth_;
        return &turn;
      }()) {}

Turn::Scope::~Scope() {
  if (!taken_ || --taken_->depth_ > 0) return;
  taken_->owner_.store(nullptr);
  taken_->owner_.notify_one();
}

}  // namespace gb::autograd
