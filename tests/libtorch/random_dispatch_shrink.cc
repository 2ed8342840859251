// The shrinker: leaves out actions, then keys, for as long as the program still fails without a known reason.
#include "tests/libtorch/random_dispatch_compare.h"
#include "tests/libtorch/random_shrink.h"

namespace gb::tests::dispatch {
namespace {

class Shrinker {
 public:
  Shrinker(Program program, const std::function<bool(const Program&)>& fails)
      : fails_(fails), program_(std::move(program)) {}

  Program run() {
    for (bool smaller = true; smaller;) smaller = without_actions() | without_keys();
    return std::move(program_);
  }

 private:
  bool accept(Program candidate) {
    if (!fails_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool without_actions() {
    std::vector<Action> actions = program_.actions;
    return drop_elements(actions, [&](const std::vector<Action>& some) { return accept({program_.seed, some}); });
  }

  bool without_keys() {
    bool smaller = false;
    for (size_t at = 0; at < program_.actions.size(); ++at) {
      if (!std::holds_alternative<Call>(program_.actions[at])) continue;
      for (size_t which = 0; which < 4 + call(program_, at).tensors.size(); ++which)
        for (size_t key = 0; key < key_count(program_, at, which);) {
          Program candidate = program_;
          remove_key(candidate, at, which, key);
          if (accept(std::move(candidate)))
            smaller = true;
          else
            ++key;
        }
    }
    return smaller;
  }
  static Call& call(Program& program, size_t at) { return std::get<Call>(program.actions[at]); }
  // The sets of a call, numbered; the last number takes whole tensors away.
  static KeyNames* set(Call& call, size_t which) {
    if (which == 0) return &call.redispatch;
    if (which == 1) return &call.include;
    if (which == 2) return &call.exclude;
    if (which < 3 + call.tensors.size()) return call.tensors[which - 3] ? &*call.tensors[which - 3] : nullptr;
    return nullptr;
  }
  static size_t key_count(Program& program, size_t at, size_t which) {
    Call& c = call(program, at);
    if (which == 3 + c.tensors.size()) return c.tensors.size();
    const KeyNames* keys = set(c, which);
    return keys ? keys->size() : 0;
  }
  static void remove_key(Program& program, size_t at, size_t which, size_t key) {
    Call& c = call(program, at);
    if (which == 3 + c.tensors.size())
      c.tensors.erase(c.tensors.begin() + static_cast<ptrdiff_t>(key));
    else
      set(c, which)->erase(set(c, which)->begin() + static_cast<ptrdiff_t>(key));
  }

  const std::function<bool(const Program&)>& fails_;
  Program program_;
};

}  // namespace

Program shrink(Program program, const std::function<bool(const Program&)>& fails) {
  return Shrinker(std::move(program), fails).run();
}

}  // namespace gb::tests::dispatch
