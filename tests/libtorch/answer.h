// Answer: everything that can be seen of one operator call, in glassbox's own types, whichever library made it. Both
// sides fill one in, and compare.h says how they differ. Tensors are copies with the geometry of the original.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor.h"
#include "dispatcher/stack.h"

namespace gb::tests {

struct Question {
  std::string op;   // "aten::add.Tensor"
  Stack arguments;  // one per argument of the schema, on the CPU, without history
  std::vector<size_t> requires_grad;  // positions; with any, both sides also run backward
  bool twice = false;  // and differentiate what backward gives, by the leaves and by the output's gradient
};

struct Answer {
  std::string error;                     // the message, if the call (or its backward) threw
  Stack outputs;                         // tensors as copies of values and geometry
  std::vector<int64_t> output_alias_of;  // per output: the argument whose memory it shares, or -1
  std::vector<bool> output_requires_grad;
  std::vector<int64_t> versions;   // per argument: _version() after the call, 0 where it is no tensor
  std::string graph;               // the tape below the outputs, by breadth: "MulBackward0(1:0, -) AccumulateGrad()"
  std::vector<Tensor> gradients;   // per position in requires_grad; undefined where none arrived
  std::vector<Tensor> second_gradients;  // by the leaves, then by the gradients of the outputs; of twice alone
};

// What both sides feed into backward for an output of this shape: seeded random numbers.
Tensor grad_output(IntArrayRef sizes, ScalarType dtype, uint64_t seed = 4711);

// The same question put to glassbox.
Answer ask_glassbox(const Question& question);

}  // namespace gb::tests
