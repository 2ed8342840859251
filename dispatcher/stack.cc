#include "dispatcher/stack.h"

#include <fmt/format.h>

#include "core/error.h"

namespace gb::jit::detail {

void throw_stack_too_short(const char* function, size_t wanted, size_t size) {
  GB_THROW(IndexError,
           .what = fmt::format("stack: {} needs {} values but there are {}", function, wanted, size),
           .cause =
               "a boxed kernel takes as many values as its schema has arguments, and leaves as many as it "
               "has returns",
           .repair = "compare the kernel with its schema", .chapter = chapters::kDispatch);
}

}  // namespace gb::jit::detail
