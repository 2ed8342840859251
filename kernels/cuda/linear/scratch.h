// Memory of the current device for the length of a call, from the caching allocator; in the host build plain memory.
#pragma once

#include <cstddef>
#include <memory>

namespace gb::cuda {

std::shared_ptr<void> scratch(size_t bytes);

}  // namespace gb::cuda
