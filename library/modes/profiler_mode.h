// ProfilerMode: how often each operator of its thread runs below autograd, and how long.
//
// total: from the call's arrival to its return; self: total without the operators that its kernel calls in
// turn, which have lines of their own. Wall-clock time of the host: work that a GPU does later is not in it.
// Invariants: the self times of all operators add up to the total of the outermost calls; a call that throws
// counts. Below another mode only the calls that mode makes are seen, not those of the kernels: self is then
// total.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>

#include "dispatcher/dispatch_mode.h"

namespace gb {

class ProfilerMode final : public DispatchMode {
 public:
  using Nanoseconds = std::chrono::nanoseconds;
  using Clock = std::function<Nanoseconds()>;
  struct Profile {
    int64_t calls = 0;
    Nanoseconds total{0}, self{0};
  };
  static Nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }
  explicit ProfilerMode(Clock clock = &now) : clock_(std::move(clock)) {}

  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override;
  const std::map<std::string, Profile>& profiles() const { return profiles_; }
  std::string table() const;  // most self time first

 private:
  Clock clock_;
  Nanoseconds in_callees_{0};  // of the call that is running: time in the operators it called
  std::map<std::string, Profile> profiles_;
};

}  // namespace gb
