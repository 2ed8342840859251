// Where the instructions of a call go: callgrind's functions sorted into parts that both libraries have, so that the parts
// can be compared where the functions cannot.
//
// A function's own instructions count, not those of what it calls; what the compiler inlined counts where it was inlined.
// So a part is right to a few instructions, and small differences say nothing.
#pragma once

#include <map>
#include <string>

#include "bench/callgrind.h"

namespace gb::bench {

// The part that a function belongs to, by its demangled name: "malloc and free", "TensorIterator", ..., "other".
std::string part_of(const std::string& function);

// A Markdown table: one line per part with the instructions per call of both sides, the largest of the peer first.
std::string parts_table(const Count& ours, const Count& peer, double calls, const std::string& peer_name);

}  // namespace gb::bench
