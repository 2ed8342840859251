// The scheduler: which loops share one nest.
//
// The steps stay in their order. A loop joins the nest right before it when it walks the same space, or one
// value per row of it; when what it reads of the nest is read at the position where it is written; and when
// the two share data. Every decision is logged (GB_LOGS=fusion) with its reason, also the decision not to
// fuse. A nest looks like this:
//
//   for each row (outer dimensions)           outer = dimensions that no reduction of the nest reduces
//     for each element of the row             one inner loop, as long as nothing waits for a reduction
//     a value per row                         results of reductions, and arithmetic on them
//     for each element of the row             what waited
//
// In PyTorch: torch/_inductor/scheduler.py (can_fuse, WhyNoFuse); codegen/cpp.py has the CPU's own rule.
#pragma once

#include <variant>
#include <vector>

#include "compile/lowering/loop_ir.h"

namespace gb::compiler {

// One loop step in a nest. var_of_dim[d] is the dimension of the nest's space that dimension d of the step's
// own space runs along; -1 where that dimension has size 1.
struct NestMember {
  LoopStep step;
  std::vector<int> var_of_dim;
  bool per_row = false;  // computed once per row, outside of the inner loops

  // Strides per dimension of the step -> strides per dimension of the nest.
  std::vector<int64_t> to_nest(const std::vector<int64_t>& strides, size_t nest_dims) const;
};

// What runs inside the outer loops, in order: an inner loop with its members, or (per_row) one member.
struct NestPart {
  bool per_row = false;
  std::vector<int> members;
};

struct Nest {
  std::vector<int64_t> space;
  std::vector<bool> inner;  // dimensions of the inner loops: the reduced ones; without a reduction the last
  bool has_reduction = false;
  std::vector<NestMember> members;
  std::vector<NestPart> parts;
  int64_t row_elements() const;
};

// Where a computed buffer lives.
enum class Place : uint8_t {
  kMemory,  // a tensor: somebody outside of its nest reads it
  kRow,     // scratch for one row: a later inner loop of the same row reads it
  kLocal,   // a variable: read where it is computed, or a value per row
};

struct Schedule {
  std::vector<std::variant<Nest, ViewStep, GemmStep, OpaqueStep>> items;
  std::vector<Place> places;  // per buffer of the program
};

inline constexpr size_t kMaxFusedSteps = 64;  // as Inductor's max_fusion_size

Schedule schedule(const LoopProgram& program);

}  // namespace gb::compiler
