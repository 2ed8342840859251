#include "tests/libtorch/random_tape_compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tests/libtorch/random_tape_errors.h"

namespace gb::tests::tape {
namespace {

// Equal but for rounding, which is measured by the largest element.
bool near(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  double largest = 1;
  for (const std::vector<double>* list : {&a, &b})
    for (const double x : *list)
      if (std::isfinite(x)) largest = std::max(largest, std::abs(x));
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    if (!(std::abs(a[i] - b[i]) <= 1e-11 * largest)) return false;
  }
  return true;
}

template <class T>
std::string text_of(const std::vector<T>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

template <class T>
std::string both(const std::string& what, const T& ours, const T& theirs) {
  return fmt::format("{}\n  glassbox: {}\n  LibTorch: {}", what, ours, theirs);
}

std::optional<std::string> difference(const Outcome& ours, const Outcome& theirs) {
  if (ours.skipped != theirs.skipped) return both("skipped", ours.skipped, theirs.skipped);
  if (kind_of_error(ours.error) != kind_of_error(theirs.error))
    return both("done or refused", ours.error.empty() ? "done" : ours.error,
                theirs.error.empty() ? "done" : theirs.error);
  if (ours.wrote_first != theirs.wrote_first) return both("wrote before it refused", ours.wrote_first, theirs.wrote_first);
  for (size_t i = 0; i < std::max(ours.log.size(), theirs.log.size()); ++i) {
    const auto entry = [i](const Outcome& outcome) { return i < outcome.log.size() ? outcome.log[i] : Entry{"nothing", {}}; };
    const Entry here = entry(ours), there = entry(theirs);
    if (here.text != there.text || !near(here.values, there.values))
      return both(fmt::format("what was seen, number {}", i), here.text + " " + text_of(here.values),
                  there.text + " " + text_of(there.values));
  }
  return std::nullopt;
}

std::string grad_fn_of(const Facts& facts) {
  static const std::string kRefused = "refused: ";
  return facts.grad_fn.starts_with(kRefused) ? kRefused + kind_of_error(facts.grad_fn.substr(kRefused.size()))
                                             : facts.grad_fn;
}

std::optional<std::string> difference(const Facts& ours, const Facts& theirs) {
  if (grad_fn_of(ours) != grad_fn_of(theirs)) return both("grad_fn", ours.grad_fn, theirs.grad_fn);
  const std::pair<const char*, bool Facts::*> flags[] = {
      {"is_leaf", &Facts::is_leaf},           {"is_view", &Facts::is_view},
      {"is_inference", &Facts::is_inference}, {"requires_grad", &Facts::requires_grad},
      {"retains_grad", &Facts::retains_grad}, {"grad is defined", &Facts::has_grad},
      {"grad().requires_grad", &Facts::grad_requires_grad}};
  for (const auto& [what, flag] : flags)
    if (ours.*flag != theirs.*flag) return both(what, ours.*flag, theirs.*flag);
  if (ours.version != theirs.version) return both("_version", ours.version, theirs.version);
  if (ours.output_nr != theirs.output_nr) return both("output_nr", ours.output_nr, theirs.output_nr);
  if (ours.sizes != theirs.sizes) return both("sizes", text_of(ours.sizes), text_of(theirs.sizes));
  for (size_t d = 0; d < ours.sizes.size(); ++d)
    if (ours.sizes[d] > 1 && ours.strides[d] != theirs.strides[d])
      return both("strides", text_of(ours.strides), text_of(theirs.strides));
  if (!near(ours.values, theirs.values)) return both("values", text_of(ours.values), text_of(theirs.values));
  if (!near(ours.grad, theirs.grad)) return both("grad", text_of(ours.grad), text_of(theirs.grad));
  return std::nullopt;
}

std::optional<std::string> difference(const std::vector<Facts>& ours, const std::vector<Facts>& theirs) {
  for (size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    if (ours[i].value != theirs[i].value) break;
    if (auto text = difference(ours[i], theirs[i]))
      return fmt::format("v{}: {}", ours[i].value, *text);
  }
  if (ours.size() == theirs.size()) return std::nullopt;
  return both("number of values", ours.size(), theirs.size());
}

}  // namespace

bool Verdict::met_known() const {
  return std::any_of(known.begin(), known.end(), [](size_t n) { return n > 0; });
}

TapeArena::TapeArena() : glassbox_(make_glassbox_tape_player()), libtorch_(make_libtorch_tape_player()) {}

Verdict TapeArena::play(const Program& program) {
  Verdict verdict;
  verdict.known.resize(known_differences().size());
  glassbox_->start(), libtorch_->start();
  for (const Statement& statement : program.statements) {
    const Outcome ours = glassbox_->play(statement), theirs = libtorch_->play(statement);
    const Step step{statement, ours, theirs};
    if (!theirs.error.empty()) ++refusals_[kind_of_error(theirs.error)];
    std::optional<std::string> text;
    if (const auto known = explained(step)) {
      ++verdict.known[known->row];
      if (known->ends_program) break;
    } else {
      text = difference(ours, theirs);
    }
    if (!text) text = difference(glassbox_->facts(statement.look), libtorch_->facts(statement.look));
    if (!text) continue;
    verdict.unexplained = fmt::format("[{}] {}: {}\n", statement.number, to_text(statement), *text);
    break;
  }
  glassbox_->start(), libtorch_->start();
  return verdict;
}

Totals play_programs(TapeArena& arena, uint64_t first_seed, size_t programs, const Size& size) {
  return play_seeds(
      first_seed, programs, known_differences().size(), [&](uint64_t seed) { return random_program(seed, size); },
      [&](const Program& program) { return arena.play(program); });
}

}  // namespace gb::tests::tape
