#include "tests/libtorch/random_tape_known.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/libtorch/random_tape_errors.h"

namespace gb::tests::tape {
namespace {

struct Row {
  KnownDifference known;
  bool ends_program;
  bool (*explains)(const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step);
};

bool takes_inputs(const Statement& statement) { return !statement.inputs.empty(); }

bool is_entry(const Entry& entry, const char* text) { return entry.text == text; }

bool far_apart(const std::vector<double>& a, const std::vector<double>& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (std::abs(a[i] - b[i]) > 1e-6) return true;
  return false;
}

// Of two logs, is the second the first but for its last entry, which is `ours` there and `theirs` here?
bool differ_in_the_last(const std::vector<Entry>& a, const std::vector<Entry>& b, const char* ours, const char* theirs) {
  if (a.empty() || a.size() != b.size() || !is_entry(a.back(), ours) || !is_entry(b.back(), theirs)) return false;
  for (size_t i = 0; i + 1 < a.size(); ++i)
    if (a[i].text != b[i].text) return false;
  return true;
}

bool refused_by_kernel(const std::string& ours) { return ours == "shape" || ours == "view does not fit"; }

// Is one of these messages a refusal of that class?
bool any_is(const std::vector<std::string>& messages, const std::string& kind) {
  return std::any_of(messages.begin(), messages.end(), [&](const std::string& m) { return kind_of_error(m) == kind; });
}

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
      "LibTorch adds to it before it refuses to (or refuses because of its shape), glassbox refuses first"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return !statement.writes() && ours == "inference tensor written" && (ours == theirs || theirs == "shape");
     }},
    {{"order of checks",
      "of two reasons to refuse a write, glassbox names an inference tensor first, then the shape, then the overlap of "
      "memory; LibTorch the other way round. A view whose base was written, and that may not be, or an inference tensor that "
      "would be saved: LibTorch names that first of all, since it takes the edges and saves before the kernel; glassbox does "
      "so after it"},
     false,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       if (statement.kind != Kind::kCall) return false;
       if (theirs.ends_with("base written"))
         return statement.writes() ? ours == "inference tensor written" : refused_by_kernel(ours);
       if (theirs == "inference tensor saved") return !statement.writes() && refused_by_kernel(ours);
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
      "a node may run of which not all gradients are asked for: with inputs=, or where an edge leads nowhere. LibTorch "
      "unpacks all that it saved even then, and complains of what was written, released or detached; glassbox unpacks what "
      "it needs. Holds where a saved tensor of such a node would complain in glassbox too"},
     true,
     [](const Statement&, const std::string& ours, const std::string& theirs, const Step& step) {
       return ours.empty() && !theirs.empty() && any_is(step.ours.unasked, theirs);
     }},
    {{"saved view asked for its history",
      "LibTorch asks a saved view for its grad_fn whenever it is unpacked, if only for the text of an error, and refuses "
      "where its base was written and the view may not be; glassbox looks at its version alone. Holds where a saved tensor "
      "of a node that runs is such a view"},
     true,
     [](const Statement&, const std::string& ours, const std::string& theirs, const Step& step) {
       return ours.empty() && theirs.ends_with("base written") && any_is(step.ours.stale_views, theirs);
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
    {{"formula that writes",
      "LibTorch's formulas of maximum and as_strided write into the gradient that they have made (masked_fill_, "
      "index_add_), which counts in its version; glassbox's formulas write nothing"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.kind == Kind::kGrad && statement.create_graph && ours.empty() && theirs.empty() &&
              step.theirs.writes_gradient &&
              differ_in_the_last(step.ours.log, step.theirs.log, "version 0", "version 1");
     }},
    {{"maximum after rounding",
      "two numbers that differ by rounding: the larger one is another one here than there, and so the gradient goes elsewhere"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.kind == Kind::kCall && statement.name == "maximum" && ours.empty() && theirs.empty() &&
              step.ours.log.size() == 1 && step.theirs.log.size() == 1 && step.ours.log[0].text != step.theirs.log[0].text;
     }},
    {{"write to what is read",
      "an elementwise write whose target shares memory with another operand in part: what comes out depends on the order of "
      "the elements, which is each library's own affair"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       if (!statement.writes() || !ours.empty() || !theirs.empty()) return false;
       const std::vector<Entry>&a = step.ours.log, &b = step.theirs.log;
       return a.size() == 1 && b.size() == 1 && is_entry(a[0], "written and read") && is_entry(b[0], "written and read") &&
              far_apart(a[0].values, b[0].values);
     }},
    {{"stack of inference tensors",
      "outside of inference mode, where nothing is recorded: LibTorch makes the result by cat and a view of that, and says "
      "that the result is a view"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.kind == Kind::kCall && statement.name == "stack" && ours.empty() && theirs.empty() &&
              step.ours.log.empty() && step.theirs.log.size() == 1 &&
              is_entry(step.theirs.log[0], "a view of what the call made itself");
     }},
    {{"inference tensor with a version",
      "detach() and data() of an inference tensor, outside of inference mode: in LibTorch an inference tensor that has a "
      "version all the same, and so may be written; here an inference tensor like others"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.writes() && ours == "inference tensor written" && theirs.empty() && step.theirs.inference && step.theirs.versioned;
     }},
    {{"out= within a call",
      "a call on an inference tensor that requires grad, outside of inference mode: it passes by Autograd. In LibTorch an "
      "operator with out= inside of the call refuses then; here there is none"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.kind == Kind::kCall && ours.empty() && theirs == "out= and requires grad" && step.theirs.inference;
     }},
    {{"retain_grad before the refusal",
      "backward(inputs=) of which an input is a view that may not be used: LibTorch has called retain_grad() on the inputs "
      "before it; here a refused call leaves nothing behind"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.kind == Kind::kBackward && ours == theirs && ours.ends_with("base written") &&
              step.theirs.retaining > step.ours.retaining;
     }},
    {{"hooks of a changed geometry",
      "t_, squeeze_ and their like leave a tensor's hooks, those of retain_grad() too, on the node of the old geometry in "
      "LibTorch; here they are moved or left as at any other write"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step& step) {
       return statement.changes_geometry() && ours.empty() && theirs.empty() && step.theirs.hooked;
     }},
    {{"leaf of other sizes",
      "t_, squeeze_ and their like gave a leaf other sizes with grad mode off, and a graph from before reaches it: glassbox "
      "refuses the gradient; LibTorch keeps it as it is, or fails where it copies or adds it"},
     true,
     [](const Statement&, const std::string& ours, const std::string& theirs, const Step&) {
       return ours == "leaf of other sizes" && (theirs.empty() || theirs == "shape" || theirs == "gradient of another shape");
     }},
    {{"who refuses first",
      "two saved tensors would refuse, for two reasons: LibTorch unpacks those of a node by name, and all of them; glassbox "
      "in the order of the formula, and what is asked for. Holds where saved tensors of the pass would refuse in both ways"},
     true,
     [](const Statement&, const std::string& ours, const std::string& theirs, const Step& step) {
       return ours != theirs && !ours.empty() && any_is(step.ours.refusals, ours) && any_is(step.ours.refusals, theirs);
     }},
    {{"set_data of an inference tensor",
      "LibTorch lets a tensor with a version and a history become an inference tensor; glassbox refuses"},
     true,
     [](const Statement& statement, const std::string& ours, const std::string& theirs, const Step&) {
       return statement.kind == Kind::kSetData && ours == "set_data of another type" && theirs.empty();
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
