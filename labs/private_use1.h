// A backend of one's own in a page: the device "own", on the key PrivateUse1 that every program has free.
//
// Four things make a backend, in the order of private_use1.cc:
//   1. memory          an Allocator, and DeviceHooks that find it and copy bytes to and from the host
//   2. a name          register_privateuse1_backend: Device("own:0") is then this device
//   3. four kernels    empty (its twin empty_strided comes free), copy_, view, addmm
//   4. a fallback      every other operator runs on the CPU (ops/common/cpu_fallback.h)
// Nothing else: composites (linear, softmax, zeros, t) come from their own alias keys, and gradients from the
// alias key Autograd, which counts for AutogradPrivateUse1 as for every other backend.
//
// The memory is the host's, so that the page runs anywhere: what makes it a device is that nobody but the
// hooks and the kernels touches its bytes.
#pragma once

#include <cstdint>
#include <string>

#include "core/device.h"

namespace gb::labs {

// Does 1 and 2, once; 3 and 4 are registered when the program starts.
Device use_own_backend();
size_t own_backend_bytes_in_use();

// Runs softmax(linear(x, W, b)) of the LM head there, forward and backward, against the CPU, and tells which
// operators arrived and which kernel served them. Throws where a value differs by one bit.
std::string show_own_backend(uint64_t seed);

}  // namespace gb::labs
