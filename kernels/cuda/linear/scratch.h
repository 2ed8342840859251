// Memory of the current device for the length of a call, from the caching allocator; in the host build plain memory.
// It is used on `stream` alone, which need not be the current one: it comes from what that stream has given back, and
// goes back to it, so no other stream's work can be at it.
#pragma once

#include <cstddef>
#include <memory>

#include "kernels/cuda/stream_handle.h"

namespace gb::cuda {

std::shared_ptr<void> scratch(size_t bytes, StreamHandle stream);

}  // namespace gb::cuda
