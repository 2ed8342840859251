// TapeArena: both players on one program, statement by statement, and the verdict.
#pragma once

#include <map>

#include "tests/libtorch/random_tape_known.h"

namespace gb::tests::tape {

struct Verdict {
  std::vector<size_t> known;  // how often each known difference was met
  std::string unexplained;    // empty, or the statement and what each side did
  bool met_known() const;
};

class TapeArena {
 public:
  TapeArena();
  // The first unexplained difference ends a program; so does a known one after which the two are in different states.
  Verdict play(const Program& program);
  const std::map<std::string, size_t>& refusals() const { return refusals_; }  // class -> how many statements

 private:
  const std::unique_ptr<TapePlayer> glassbox_, libtorch_;
  std::map<std::string, size_t> refusals_;
};

Totals play_programs(TapeArena& arena, uint64_t first_seed, size_t programs, const Size& size);

}  // namespace gb::tests::tape
