#include "tests/libtorch/random_tape_known.h"

#include <array>

#include "tests/libtorch/random_tape_errors.h"

namespace gb::tests::tape {
namespace {

struct Row {
  KnownDifference known;
  bool ends_program;
  bool (*explains)(const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step);
};

bool takes_inputs(const Statement& statement) { return !statement.inputs.empty(); }

// `ours` and `theirs` are the classes of the refusals, empty where the statement was done.
const Row kRows[] = {
    {{"refused before writing",
      "LibTorch writes to an inference tensor before it refuses to; glassbox refuses first (the player puts the values "
      "back, and the program goes on)"},
     false,
     [](const Statement&, const std::string& ours, const std::string& theirs, const Step& step) {
       return ours == theirs && step.theirs.wrote_first && !step.ours.wrote_first;
     }},
    {{"gradient made in inference mode",
      "the grad() that a backward in inference mode made is an inference tensor: a later pass outside may not add to it. "
      "LibTorch adds to it before it refuses to, glassbox refuses first"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return !statement.writes() && ours == "inference tensor written" && ours == theirs;
     }},
    {{"order of checks",
      "of two reasons to refuse a write, glassbox names an inference tensor first, then the shape, then the overlap of "
      "memory; LibTorch the other way round"},
     false,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return statement.writes() && ((ours == "shape" && theirs == "overlap") ||
                                     (ours == "inference tensor written" && (theirs == "shape" || theirs == "overlap")));
     }},
    {{"version before history",
      "a saved tensor was written, and was detached too or is a view that may not be written: glassbox looks at its version "
      "first, LibTorch at its grad_fn"},
     true,
     [](const Statement&, const std::string& ours, const std::string& theirs, const Step&) {
       return ours == "version" && (theirs == "detached" || theirs.ends_with("base written"));
     }},
    {{"LibTorch fails itself", "an INTERNAL ASSERT of LibTorch: a tensor that retains its gradient, detach_(), a write"},
     true,
     [](const Statement&, const std::string&, const std::string& theirs, const Step&) {
       return theirs.find("INTERNAL ASSERT FAILED") != std::string::npos;
     }},
    {{"saved tensors unpacked on demand",
      "with inputs= a node may run though no gradient of it is asked for. LibTorch unpacks all that it saved even then, and "
      "complains of what was written or released; glassbox unpacks what it needs"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return takes_inputs(statement) && ours.empty() && (theirs == "version" || theirs == "second time");
     }},
    {{"refused before the pass",
      "LibTorch finds out at the end of the pass that no gradient came to an input of grad(); hooks have run and saved "
      "tensors are released by then. glassbox finds out before it starts"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return takes_inputs(statement) && ours == "unused" && !theirs.empty();
     }},
    {{"input that does not require grad",
      "glassbox refuses inputs= that do not require grad, as PyTorch's Python does; LibTorch's C++ counts one of grad() as "
      "not used, and refuses one of backward() with the words of retain_grad()"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return takes_inputs(statement) && ours == "does not require grad" && ours != theirs;
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

std::optional<Explanation> explained(const Step& step) {
  const std::string ours = kind_of_error(step.ours.error), theirs = kind_of_error(step.theirs.error);
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].explains(step.statement, ours, theirs, step)) return Explanation{i, kRows[i].ends_program};
  return std::nullopt;
}

}  // namespace gb::tests::tape
