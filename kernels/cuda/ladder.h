// A ladder: the kernels that compute one thing, from the plainest to the fastest, each a complete small file
// whose first line says what changed from the rung below. Every rung can be selected by name, is checked by
// the same cases and is timed in the same table.
//
// A rung is any struct with the members `name` (what the environment variable says) and `file` (where to read
// it).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace gb::cuda {

template <class Rung>
using Ladder = std::span<const Rung>;

// A rung's name and file, for messages.
struct RungName {
  const char* name;
  const char* file;
};

// The index of the rung that environment variable `variable` names; `fallback` where it is unset or empty.
// Throws gb::ValueError that lists the rungs when the name is unknown.
size_t chosen_rung(const char* variable, std::span<const RungName> rungs, size_t fallback);

template <class Rung>
const Rung& choose(Ladder<Rung> ladder, const char* variable, size_t fallback) {
  RungName names[16];
  for (size_t i = 0; i < ladder.size(); ++i) names[i] = {ladder[i].name, ladder[i].file};
  return ladder[chosen_rung(variable, {names, ladder.size()}, fallback)];
}

}  // namespace gb::cuda
