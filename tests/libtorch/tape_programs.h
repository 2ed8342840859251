// Small autograd programs that both libraries play: views, in-place writes, hooks, modes. Each line of the answer is one
// fact: of a tensor after a statement, or why a statement was refused. The programs are in tape_programs_of.h.
#pragma once

#include <string>
#include <vector>

namespace gb::tests::tape {

using Lines = std::vector<std::string>;

Lines glassbox_programs();
Lines libtorch_programs();

}  // namespace gb::tests::tape
