// Turn: threads that need what one function of the user says (an unpack hook, a checkpointed function) call it one after
// the other.
//
//   const Turn::Scope scope(turn);   // waits while another thread has the turn
//
// The function may run a backward of its own, and that may come back here. So the thread that has the turn takes it
// again, and so does the fresh thread that goes on in its place where passes are nested deep (Engine::kMaxStackDepth).
// A device's worker does not wait: what the other call is waiting for may lie in this worker's queue. It calls at the same
// time, without a turn.
#pragma once

#include <atomic>
#include <cstdint>

namespace gb::autograd {

class SharedQueue;

class Turn {
 public:
  class Scope {
   public:
    explicit Scope(Turn& turn);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Turn* const taken_;  // null: a worker that found it taken
  };

 private:
  std::atomic<const SharedQueue*> owner_ = nullptr;  // by its queue: a thread that goes on for another has that one's
  uint32_t depth_ = 0;                               // how often its owner has it
};

}  // namespace gb::autograd
