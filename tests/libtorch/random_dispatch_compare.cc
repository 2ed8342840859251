#include "tests/libtorch/random_dispatch_compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/libtorch/dispatch_bridge.h"

namespace gb::tests::dispatch {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Everything that a call may be dispatched by.
KeyNames mentioned(const Call& call) {
  KeyNames all = call.redispatch;
  for (const auto& tensor : call.tensors)
    if (tensor) all.insert(all.end(), tensor->begin(), tensor->end());
  all.insert(all.end(), call.include.begin(), call.include.end());
  if (!call.key.empty()) all.push_back(call.key);
  return all;
}
bool mentions(const KeyNames& keys, const char* key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

const std::array<KnownDifference, kNumKnown>& known_differences() {
  static const std::array<KnownDifference, kNumKnown> all{{
      {"kept signature",
       "LibTorch keeps the C++ signature of a kernel that was refused or taken off, and refuses the next one "
       "of another signature; glassbox compares with the kernels that are there"},
      {"typed handle",
       "glassbox holds an operator to the C++ signature of the typed handles that were given out, so that an "
       "old one "
       "never calls a kernel of another type; LibTorch does call it so"},
      {"autocast per backend",
       "LibTorch has one bit for each Autocast key, glassbox one for all and the backend bit; they "
       "differ where the arguments have several backends"},
      {"library fallback",
       "Functionalize, Tracer: LibTorch's own fallback calls the operator anew, with keys computed from "
       "the arguments; glassbox's falls through to the next key of the set it was given"},
      {"unboxed fallback",
       "glassbox refuses a fallback with a C++ signature; LibTorch takes it and casts it to the signature "
       "of whatever operator is called"},
      {"key without backend",
       "glassbox refuses a kernel for Dense, AutogradFunctionality and the like, which name no slot; "
       "LibTorch takes it"},
      {"stale slot",
       "LibTorch does not compute all autograd slots anew that a registration changes (a "
       "CompositeExplicitAutograd "
       "kernel takes them from CompositeImplicitAutograd; a Sparse or Quantized one makes AutogradOther "
       "ambiguous): the order of registrations decides, and its own checkInvariants() fails. glassbox "
       "computes "
       "every slot (the test repairs LibTorch's and goes on)"},
      {"undefined tensor",
       "LibTorch's undefined tensor carries ADInplaceOrView and AutogradOther, by the way it is constructed; "
       "glassbox's carries nothing"},
  }};
  return all;
}

bool Verdict::met_known() const {
  return std::any_of(std::begin(known), std::end(known), [](size_t n) { return n > 0; });
}

Arena::Arena() : glassbox_(make_glassbox_player()), libtorch_(make_libtorch_player()) {
  const KeyNames theirs = libtorch_->key_names();
  KeyNames common;
  for (const std::string& key : glassbox_->key_names())
    if (mentions(theirs, key.c_str())) common.push_back(key);
  keys_ = std::make_unique<Vocabulary>(common);
  even_out_fallbacks();
}

void Arena::even_out_fallbacks() {
  for (const std::string& key : keys_->slots) {
    if (key == "Undefined") continue;
    const bool here = glassbox_->has_fallback(key), there = libtorch_->has_fallback(key);
    if (here && !there) libtorch_->add_fallthrough(key);  // AutocastXLA, AutocastPrivateUse1
    if (there && !here)
      key == "Meta" ? glassbox_->add_refusal(key)  // LibTorch's says that Meta has no kernel
                    : glassbox_->add_fallthrough(key);
    if (here || there) fallbacks_.push_back(key);
  }
}

Verdict Arena::play(const Program& program) {
  Verdict verdict;
  const std::string ns = "random" + std::to_string(++programs_);
  glassbox_->start(ns);
  libtorch_->start(ns);
  refused_ = false;
  for (verdict.at = 0; verdict.at < program.actions.size(); ++verdict.at) {
    const Action& action = program.actions[verdict.at];
    if (const Step* step = std::get_if<Step>(&action))
      perform(*step, verdict);
    else
      call(std::get<Call>(action), verdict);
    if (!verdict.unexplained.empty()) break;
  }
  glassbox_->start(ns);
  libtorch_->start(ns);
  const std::string left = glassbox_->presence();
  if (verdict.unexplained.empty() && left != "nothing nothing nothing ")
    verdict.unexplained = "after everything was deregistered glassbox still has: " + left;
  for (const std::string& key : keys_->slots) {
    const bool before = std::count(fallbacks_.begin(), fallbacks_.end(), key) > 0;
    const bool here = glassbox_->has_fallback(key), there = libtorch_->has_fallback(key);
    if (verdict.unexplained.empty() && (here != before || there != before))
      verdict.unexplained =
          fmt::format("after the program, has {} a fallback?\n  before {}, glassbox: {}, LibTorch: {}\n", key,
                      before, here, there);
  }
  return verdict;
}

void Arena::perform(const Step& step, Verdict& verdict) {
  const std::string ours = glassbox_->perform(step), theirs = libtorch_->perform(step);
  refused_ |= !theirs.empty();
  if (ours.empty() != theirs.empty()) {
    const bool unboxed = step.kernel.form == Kernel::kUnboxed || step.kernel.form == Kernel::kUnboxedWithKeys;
    if (ours.empty() && contains(theirs, "ismatch in kernel C++ signatures"))
      ++verdict.known[kKeptSignature];
    else if (theirs.empty() && contains(ours, "mismatch in kernel C++ signatures"))
      ++verdict.known[kTypedHandle];
    else if (theirs.empty() && step.kind == Step::kFallback && unboxed)
      ++verdict.known[kUnboxedFallback];
    else if (theirs.empty() && mentions(keys_->without_backend, step.key.c_str()))
      ++verdict.known[kKeyWithoutBackend];
    else
      verdict.unexplained =
          fmt::format("{}\n  glassbox: {}\n  LibTorch: {}\n", to_text(step), ours.empty() ? "accepted" : ours,
                      theirs.empty() ? "accepted" : theirs);
    glassbox_->undo(step.number);
    libtorch_->undo(step.number);
    return;
  }
  const std::string here = glassbox_->presence(), there = libtorch_->presence();
  // A refused registration leaves an empty operator behind in LibTorch.
  if (here != there && !refused_) {
    verdict.unexplained = fmt::format("{}: what is there afterwards\n  glassbox: {}\n  LibTorch: {}\n",
                                      to_text(step), here, there);
    return;
  }
  compare_tables(verdict);
}

void Arena::compare_tables(Verdict& verdict) {
  for (int op = 0; op < kNumOperators; ++op) {
    if (libtorch_->repair_stale_slots(op)) ++verdict.known[kStaleSlot];
    auto ours = glassbox_->table(op), theirs = libtorch_->table(op);
    for (const std::string& slot : keys_->slots) {
      const std::string here = ours[slot], there = theirs[slot];
      // Where both have a fallback, it is the calls that compare them.
      if (here == there || (here.starts_with("fallback") && there.starts_with("fallback"))) continue;
      verdict.unexplained =
          fmt::format("the table of {} at {}\n  glassbox: {}\n  LibTorch: {}\n", kOperators[op], slot,
                      here.empty() ? "missing" : here, there.empty() ? "missing" : there);
      return;
    }
  }
}

void Arena::call(const Call& call, Verdict& verdict) {
  const Outcome ours = glassbox_->call(call), theirs = libtorch_->call(call);
  if (ours.text == theirs.text || explained_call(call, ours, theirs, verdict)) return;
  verdict.unexplained = fmt::format("{}\n  glassbox: {} {}\n  LibTorch: {} {}\n", to_text(call), ours.text,
                                    ours.message, theirs.text, theirs.message);
}

bool Arena::explained_call(const Call& call, const Outcome& ours, const Outcome& theirs, Verdict& verdict) {
  const KeyNames keys = mentioned(call);
  if (contains(ours.message, "with a wrong signature")) {
    ++verdict.known[kTypedHandle];
    return true;
  }
  if (contains(theirs.message, "wrong signature") || contains(theirs.message, "different signature")) {
    ++verdict.known[kKeptSignature];
    return true;
  }
  const bool undefined =
      call.tensors.empty() || std::count(call.tensors.begin(), call.tensors.end(), std::nullopt) > 0;
  if (undefined) {
    ++verdict.known[kUndefinedTensor];
    return true;
  }
  const auto reaches_fallback = [&](const char* key) {
    return mentions(keys, key) && libtorch_->table(call.op)[key] == "fallback";
  };
  if (reaches_fallback("Functionalize") || reaches_fallback("Tracer")) {
    ++verdict.known[kLibraryFallback];
    return true;
  }
  size_t backends = 0;
  for (const std::string& backend : keys_->backends)
    backends +=
        std::any_of(keys.begin(), keys.end(), [&](const std::string& key) { return key.ends_with(backend); });
  const bool autocast = std::any_of(keys.begin(), keys.end(),
                                    [](const std::string& key) { return key.starts_with("Autocast"); });
  if (autocast && backends > 1) {
    ++verdict.known[kAutocastPerBackend];
    return true;
  }
  return false;
}

Totals play_programs(Arena& arena, uint64_t first_seed, size_t programs, const Size& size) {
  return play_seeds(
      first_seed, programs, kNumKnown, [&](uint64_t seed) { return random_program(seed, arena.keys(), size); },
      [&](const Program& program) { return arena.play(program); });
}

}  // namespace gb::tests::dispatch
