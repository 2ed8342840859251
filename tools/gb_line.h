// The command line of //tools:gb, taken apart, and the words in it that several commands understand.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/inference_mode.h"
#include "dispatcher/dispatch_mode.h"
#include "dispatcher/explain.h"

namespace gb::tools {

// Words, and flags with their values ("" for a flag that takes none), each in the order given.
struct Line {
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> flags;

  bool has(const std::string& flag) const;
  std::vector<std::string> values(const std::string& flag) const;
};

// OP: a name such as aten::mm; without a namespace it is looked for in aten.
OperatorHandle find_operator(const std::string& text);

// KEYS, one word or several: the tensor arguments of a call, named as `op` names them where there is more than one.
// "cpu" is a plain tensor there; "CPU,AutogradCPU" is one tensor with these keys; "none" is no tensor at all.
std::vector<ArgumentKeys> parse_arguments(const OperatorHandle& op, const std::vector<std::string>& words);
DispatchKeySet parse_keys(const std::string& text);  // "CPU,AutogradCPU"

// The thread as the flags say it, for a scope: --inference, --mode, --autocast, --below-autograd, --include, --exclude.
class ThreadState {
 public:
  explicit ThreadState(const Line& line);

 private:
  struct NoMode : DispatchMode {
    void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override { op.redispatchBoxed(ks, stack); }
  };
  NoMode mode_;
  std::optional<InferenceMode> inference_;
  std::optional<AutoDispatchBelowAutograd> below_autograd_;
  std::optional<DispatchModeGuard> mode_guard_;
  std::optional<impl::ForceDispatchKeyGuard> keys_;
};

}  // namespace gb::tools
