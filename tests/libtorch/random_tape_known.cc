#include "tests/libtorch/random_tape_known.h"

#include <array>

#include "tests/libtorch/random_tape_errors.h"

namespace gb::tests::tape {
namespace {

struct Row {
  KnownDifference known;
  bool (*explains)(const Step& step, const Difference& difference);
};

bool ours_is(const Step& step, const char* kind) { return kind_of_error(step.ours.error) == kind; }
bool theirs_is(const Step& step, const char* kind) { return kind_of_error(step.theirs.error) == kind; }

const Row kRows[] = {
    {{"refused before writing",
      "LibTorch writes to an inference tensor, or adds to a gradient that is one, before it refuses to; glassbox refuses "
      "first"},
     [](const Step& step, const Difference& difference) {
       if (kind_of_error(step.ours.error) != kind_of_error(step.theirs.error)) return false;
       if (!difference.ours) return step.theirs.wrote_first && !step.ours.wrote_first;
       return ours_is(step, "inference tensor written") && !step.statement.writes();
     }},
    {{"unused inputs refused first",
      "an input that no output depends on is refused before the pass begins; LibTorch runs the pass and its hooks first, "
      "and refuses then, if nothing else was refused"},
     [](const Step& step, const Difference&) { return ours_is(step, "unused"); }},
    {{"saved tensors unpacked where needed",
      "a node that runs for no gradient of its own (backward with computed tensors as inputs) unpacks nothing in glassbox; "
      "LibTorch's unpacks all that it saved, and finds a tensor written or released"},
     [](const Step& step, const Difference& difference) {
       return !difference.ours && !step.statement.inputs.empty() && step.ours.error.empty() &&
              (theirs_is(step, "version") || theirs_is(step, "second time"));
     }},
    {{"input without gradient",
      "backward is given an input that requires no gradient: LibTorch calls retain_grad on it and says so, glassbox names "
      "the input"},
     [](const Step& step, const Difference& difference) {
       return !difference.ours && step.statement.kind == Kind::kBackward && ours_is(step, "does not require grad") &&
              theirs_is(step, "retain_grad without gradient");
     }},
    {{"shape before overlap",
      "of two reasons to refuse a write, glassbox names the shape and LibTorch the overlap of memory"},
     [](const Step& step, const Difference& difference) {
       return !difference.ours && step.statement.writes() && ours_is(step, "shape") && theirs_is(step, "overlap");
     }},
    {{"view of a base without gradient",
      "after a write to the base, LibTorch hangs an AsStridedBackward0 on a view that had a grad_fn, also where the base "
      "requires no gradient and the node leads nowhere; in glassbox such a view is a leaf like any other"},
     [](const Step&, const Difference& difference) {
       return difference.ours && difference.ours->is_view && difference.ours->is_leaf &&
              !difference.ours->requires_grad && !difference.theirs->is_leaf;
     }},
    {{"version of a computed inference tensor",
      "below InferenceMode LibTorch's own kernels count the writes to the result that they make; glassbox's results are new"},
     [](const Step& step, const Difference& difference) {
       return difference.ours && difference.ours->value == step.statement.number && !difference.ours->requires_grad &&
              difference.ours->version == 0 && difference.theirs->version > 0;
     }},
    {{"gradient of a broadcast number",
      "glassbox sums such a gradient with the dimensions kept and views the sum as []; LibTorch calls sum() without "
      "dimensions"},
     [](const Step& step, const Difference& difference) {
       return difference.ours && step.statement.kind == Kind::kGrad && difference.ours->value == step.statement.number &&
              difference.ours->sizes.empty() && difference.ours->is_view && !difference.theirs->is_view;
     }},
};

}  // namespace

std::span<const KnownDifference> known_differences() {
  static const auto table = [] {
    std::array<KnownDifference, std::size(kRows)> all{};
    for (size_t i = 0; i < all.size(); ++i) all[i] = kRows[i].known;
    return all;
  }();
  return table;
}

std::optional<size_t> explained(const Step& step, const Difference& difference) {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].explains(step, difference)) return i;
  return std::nullopt;
}

}  // namespace gb::tests::tape
