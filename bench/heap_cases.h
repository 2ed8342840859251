// What //bench:heap_test weighs, once for each library: what a recorded call keeps on the heap, and the objects behind it.
#pragma once

#include <cstdint>
#include <memory>

namespace gb::bench {

struct Sizes {  // of the classes, in bytes
  size_t tensor_impl, autograd_meta, node, saved_variable;
};

// A chain of recorded products, held by what is returned: per product a node, its edges and what it saves. Their results are
// gone.
std::shared_ptr<void> our_chain(int64_t length);
std::shared_ptr<void> libtorch_chain(int64_t length);
Sizes our_sizes();
Sizes libtorch_sizes();

}  // namespace gb::bench
