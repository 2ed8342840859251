// C++ from a schedule: one function, meant to be read. The graph stands on top as a comment, every pointer
// has its shape beside it, every loop names the operators it came from. Sizes and strides are constants: the
// guards (guards.h) see to it that the code only meets the shapes it was made for. In PyTorch:
// torch/_inductor/codegen/cpp.py and wrapper.py.
#pragma once

#include <string>
#include <vector>

#include "compile/scheduler.h"

namespace gb::compiler {

struct GeneratedCode {
  std::string source;
  std::string entry;              // the name of the extern "C" function, an Entry (host_abi.h)
  std::vector<int> slots;         // buffers[k] is the memory of program buffer slots[k]
  std::vector<OpaqueStep> calls;  // host->call(k) runs calls[k]
  // Elements to allocate for slots[k]: a whole tensor, or one row of scratch.
  std::vector<int64_t> slot_elements;
  std::vector<bool> slot_is_row;
};

GeneratedCode generate_cpp(const Graph& graph, const LoopProgram& program, const Schedule& schedule);

// The declaration of Host that stands in every generated file.
extern const char* const kHostText;

}  // namespace gb::compiler
