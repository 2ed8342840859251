// What generated code may ask of the program that loads it. The generated file carries the same struct as
// text (codegen_cpp.cc, kHostText), so it compiles alone; kHostAbiVersion is in the entry's name, so that a
// library built against another layout is not found rather than called.
#pragma once

#include <cstdint>

namespace gb::compiler {

inline constexpr int kHostAbiVersion = 1;

struct Host {
  void* context;
  // c = a b: a [m, k], b [k, n], c [m, n] contiguous; strides in elements. f64: 1 for double, 0 for float.
  void (*gemm)(void* context, int f64, int64_t m, int64_t n, int64_t k, const void* a, int64_t a_row,
               int64_t a_col, const void* b, int64_t b_row, int64_t b_col, void* c);
  // Runs opaque call number `call` through the dispatcher; results[i] is set to the data of its i-th result.
  void (*call)(void* context, int64_t call, const void** results);
};

// inputs: data of the graph's inputs; buffers: memory for what the code computes, as listed in
// GeneratedCode::slots.
using Entry = void (*)(const Host* host, const void* const* inputs, void* const* buffers);

}  // namespace gb::compiler
