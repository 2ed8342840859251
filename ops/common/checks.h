// Checks that operators share. Each throws before anything is changed.
#pragma once

#include "core/tensor.h"

namespace gb {

// "add: expected a tensor but got an undefined Tensor for argument 'other'".
void throw_undefined(const char* op, const char* argument);
inline void check_defined(const Tensor& t, const char* op, const char* argument) {
  if (!t.defined()) [[unlikely]]
    throw_undefined(op, argument);
}

// The device two operands compute on. A 0-dim CPU tensor goes with any device. Throws "Expected all tensors
// to be on the same device, but found at least two devices, cuda:0 and cpu!".
Device common_device(const Tensor& a, const Tensor& b, const char* op);

// Without the exception for 0-dim CPU tensors: what is written must be there already.
void check_same_device_as(const Tensor& t, Device device, const char* op);

// A tensor that is written may not hold one element twice, as an expanded one does. (Tensors whose strides
// overlap in a less obvious way are not found, as in PyTorch: MemoryOverlap.cpp.)
void check_no_internal_overlap(const Tensor& written, const char* op);
// What is read may be exactly the written elements, or none of them: nothing between.
void check_no_partial_overlap(const Tensor& written, const Tensor& read, const char* op);
// For operators that read while they write elsewhere: not even exactly the written ones.
void check_no_overlap(const Tensor& written, const Tensor& read, const char* op);

// Throws unless a value of `from` may be stored in place into a tensor of `to`: "result type Float can't be
// cast to the desired output type Long".
void check_can_cast(ScalarType from, ScalarType to, const char* op);

}  // namespace gb
