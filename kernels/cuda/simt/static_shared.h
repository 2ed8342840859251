// Where the `__shared__` arrays of a kernel lie, so that the runner can fill them with NaN before each block.
//
// On the host such an array is a `static` variable: it begins with zeros and keeps what the last block, or
// the last launch with the same data, wrote. Both hide a missing barrier, as what a thread reads too early is
// right by accident. The program's own symbol table says where they are: the variable `tile` of
// _ZN1k6kernelEPf, whose address the launch knows, is _ZZN1k6kernelEPfE4tile. Nothing is found in a stripped
// program, and not the arrays of a function that the kernel calls.
#pragma once

#include <cstddef>
#include <vector>

namespace gb::simt {

struct SharedArray {
  void* data;
  size_t bytes;
};

// Of the kernel with this address. Reads the symbol table once.
const std::vector<SharedArray>& static_shared_of(const void* kernel);

}  // namespace gb::simt
