// Arena: both players on one program, and the verdict. The first difference without a known reason ends a
// program.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "tests/libtorch/random_dispatch_player.h"
#include "tests/libtorch/random_run.h"

namespace gb::tests::dispatch {

// Where the two differ on purpose. known_differences() has the reasons; the README lists them.
enum KnownId : int {
  kKeptSignature,
  kTypedHandle,
  kAutocastPerBackend,
  kLibraryFallback,
  kUnboxedFallback,
  kKeyWithoutBackend,
  kStaleSlot,
  kUndefinedTensor,
  kNumKnown
};
const std::array<KnownDifference, kNumKnown>& known_differences();

struct Verdict {
  size_t known[kNumKnown] = {};  // how often each was met
  bool met_known() const;
  std::string unexplained;  // empty, or the action and what each side did
  size_t at = 0;            // the action of it
};

class Arena {
 public:
  Arena();  // gives each library the fallbacks that the other has from the start
  const Vocabulary& keys() const { return *keys_; }
  Verdict play(const Program& program);

 private:
  void even_out_fallbacks();
  void perform(const Step& step, Verdict& verdict);
  void call(const Call& call, Verdict& verdict);
  bool explained_call(const Call& call, const Outcome& ours, const Outcome& theirs, Verdict& verdict);
  void compare_tables(Verdict& verdict);

  std::unique_ptr<Player> glassbox_, libtorch_;
  std::unique_ptr<Vocabulary> keys_;
  KeyNames fallbacks_;  // keys that have one before and after every program
  int programs_ = 0;
  bool refused_ = false;  // a registration of this program was
};

// The smallest part of a program that fails too.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

Totals play_programs(Arena& arena, uint64_t first_seed, size_t programs, const Size& size);

}  // namespace gb::tests::dispatch
