#include "library/modes/profiler_mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace gb {

void ProfilerMode::dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) {
  struct Timer {  // also when the call throws
    Timer(ProfilerMode& mode, const OperatorHandle& op)
        : mode(mode),
          op(op),
          callers(std::exchange(mode.in_callees_, Nanoseconds(0))),
          start(mode.clock_()) {}
    ~Timer() {
      const Nanoseconds total = mode.clock_() - start;
      Profile& profile = mode.profiles_[toString(op.operator_name())];
      ++profile.calls;
      profile.total += total;
      profile.self += total - mode.in_callees_;
      mode.in_callees_ = callers + total;
    }
    ProfilerMode& mode;
    const OperatorHandle& op;
    Nanoseconds callers, start;
  };
  // Active again inside, to see what the kernel calls; with a mode further out, `ks` would come straight back
  // here.
  std::optional<DispatchModeGuard> watch;
  if (!active_dispatch_mode()) watch.emplace(this);
  const Timer timer(*this, op);
  op.redispatchBoxed(ks, stack);
}

std::string ProfilerMode::table() const {
  std::vector<std::pair<std::string, Profile>> rows(profiles_.begin(), profiles_.end());
  std::stable_sort(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.second.self > b.second.self; });
  const auto micro = [](Nanoseconds t) { return static_cast<double>(t.count()) / 1000; };
  std::string text = fmt::format("{:<28} {:>7} {:>12} {:>12}\n", "operator", "calls", "self us", "total us");
  for (const auto& [name, p] : rows)
    text += fmt::format("{:<28} {:>7} {:>12.1f} {:>12.1f}\n", name, p.calls, micro(p.self), micro(p.total));
  return text;
}

}  // namespace gb
