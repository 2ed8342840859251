// Memory for the length of a call: from the current device's allocator. It is given back when the DataPtr goes, at
// the end of the function that launched the work: the next to get it is work of the same stream, which comes later.
#pragma once

#include "core/allocator.h"

namespace gb::cuda {

DataPtr scratch(size_t nbytes);

}  // namespace gb::cuda
