// What //bench:overhead measures, once for each library. Both lists have the same names in the same order, so that row by
// row the two do the same work: overhead_ours.cc and overhead_libtorch.cc are meant to be read side by side. At the end of
// ours stands one case that LibTorch's release build has no counterpart of (kUntraced).
//
// One-element float tensors, one thread, no output of earlier calls kept. The counts of a chain of K multiplications are
// taken with the graph retained, the leaf's gradient dropped each time; those of its forward with the graph freed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gb::bench {

using Runner = std::function<void(int64_t calls)>;

struct OverheadCase {
  std::string name;
  std::function<Runner()> prepare;  // makes the tensors; what it returns is measured
  int64_t counted_calls;            // under callgrind; many where memory is taken, so that malloc's rare work averages out
  int64_t timed_calls;              // for one timing of a few milliseconds
};

inline constexpr const char* kEmptyLoop = "empty loop";
inline constexpr const char* kDirect = "direct function pointer, no-op kernel";
inline constexpr const char* kDispatch = "typed dispatch of a no-op kernel";
inline constexpr const char* kNoAutograd = "the same, operator with no Autograd entry";
inline constexpr const char* kRedispatch = "the same, Autograd kernel that redispatches";
inline constexpr const char* kBoxedNew = "callBoxed, new stack";
inline constexpr const char* kBoxedReused = "callBoxed, reused stack";
inline constexpr const char* kFind = "findSchemaOrThrow by name";
inline constexpr const char* kEmpty = "empty({1})";
inline constexpr const char* kAdd = "add of two one-element tensors";
inline constexpr const char* kAddRecorded = "add, recorded";
inline constexpr const char* kView = "view";
inline constexpr const char* kViewRecorded = "view, recorded";
inline constexpr const char* kSoftmax = "softmax 2x600";
inline constexpr const char* kLinear = "linear 2x64 by 600x64, bias";
inline constexpr const char* kChainShort = "chain of 101 mul";
inline constexpr const char* kChainLong = "chain of 1001 mul";
inline constexpr const char* kOneBackward = "backward of one mul";
inline constexpr const char* kForwardShort = "forward of 101 mul";
inline constexpr const char* kForwardLong = "forward of 1001 mul";
inline constexpr const char* kFunction = "Function<T> apply with one mul inside";
inline constexpr const char* kOwnOutput = "a node's own output, saved and unpacked";
inline constexpr const char* kUntraced = "typed dispatch, without the test of the trace flag";
// Derived from the ones above.
inline constexpr const char* kTraceOff = "trace compiled in, off: its part of a typed dispatch";
inline constexpr const char* kForwardNode = "forward per operator, chain of 1000 mul";
inline constexpr const char* kBackwardNode = "backward per node, chain of 1000 mul";
inline constexpr const char* kBackwardFixed = "backward, fixed part";

// Keeps the compiler from moving or dropping the work around it.
inline void barrier() { asm volatile("" ::: "memory"); }

std::vector<OverheadCase> our_cases();
std::vector<OverheadCase> libtorch_cases();
std::string libtorch_version();
std::string libtorch_capability();

}  // namespace gb::bench
