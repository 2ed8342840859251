// C++ text of one loop nest.
#pragma once

#include <string>

#include "compile/scheduler.h"

namespace gb::compiler {

std::string nest_text(const LoopProgram& program, const Schedule& schedule, const Nest& nest);

}  // namespace gb::compiler
