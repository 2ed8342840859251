#include "kernels/cuda/ladder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "kernels/cuda/backends.h"

namespace gb::cuda {
namespace {

// constinit: a ladder attaches itself in another file's initialisation, which may come first.
constinit RungChoice g_softmax("softmax", "GB_SOFTMAX_RUNG");
constinit RungChoice g_linear("linear", "GB_LINEAR_RUNG");
constinit RungChoice g_lm_head("lm_head", "GB_LM_HEAD_RUNG");

}  // namespace

RungChoice& softmax_choice() { return g_softmax; }
RungChoice& linear_choice() { return g_linear; }
RungChoice& lm_head_choice() { return g_lm_head; }

void RungChoice::add(RungName rung) {
  GB_INTERNAL_ASSERT(count_ < kMostRungs, "a ladder has more rungs than RungChoice has room for");
  rungs_[count_++] = rung;
}

void RungChoice::throw_no_such_rung(std::string_view given_as) const {
  GB_CHECK_OR_THROW(
      count_ > 0, NotImplementedError,
      .what = fmt::format("no {} kernels for CUDA in this program: {}", op_, given_as),
      .cause =
          "the ladder's kernels are not linked in: it was built without the CUDA toolkit, or without "
          "//kernels/cuda",
      .repair = "run ./setup.sh (it installs the toolkit) and build again, or use the CPU",
      .chapter = chapters::kKernels);
  std::string list;
  for (size_t i = 0; i < count_; ++i)
    list += fmt::format("{}{} {} ({})", i ? ", " : "", i + 1, rungs_[i].name, rungs_[i].file);
  GB_THROW(ValueError, .what = fmt::format("no such rung of {}: {}", op_, given_as),
           .cause = fmt::format("the rungs are {}", list),
           .repair = fmt::format(
               "give a number or a name of these; 0, or {} unset, is the best for the shape", variable_),
           .chapter = chapters::kKernels);
}

size_t RungChoice::parse(std::string_view name, std::string_view given_as) const {
  for (size_t i = 0; i < count_; ++i)
    if (name == rungs_[i].name) return i + 1;
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number > count_)
    throw_no_such_rung(given_as);
  return number;
}

void RungChoice::set(size_t number) {
  if (number > count_) throw_no_such_rung(fmt::format("{}", number));
  number_ = static_cast<int>(number);
}

void RungChoice::set(std::string_view name) {
  number_ = static_cast<int>(parse(name, fmt::format("\"{}\"", name)));
}

size_t RungChoice::from_environment() {
  const char* wanted = std::getenv(variable_);
  const size_t number = wanted && *wanted ? parse(wanted, fmt::format("{}={}", variable_, wanted)) : 0;
  int unread = kUnread;  // a set() on another thread in between stands
  number_.compare_exchange_strong(unread, static_cast<int>(number));
  return unread == kUnread ? number : static_cast<size_t>(unread);
}

}  // namespace gb::cuda

namespace gb::backends::cuda {

using gb::cuda::linear_choice;
using gb::cuda::lm_head_choice;
using gb::cuda::softmax_choice;

void set_softmax_rung(size_t number) { softmax_choice().set(number); }
void set_softmax_rung(std::string_view name) { softmax_choice().set(name); }
size_t softmax_rung() { return softmax_choice().number(); }
void set_linear_rung(size_t number) { linear_choice().set(number); }
void set_linear_rung(std::string_view name) { linear_choice().set(name); }
size_t linear_rung() { return linear_choice().number(); }
void set_lm_head_rung(size_t number) { lm_head_choice().set(number); }
void set_lm_head_rung(std::string_view name) { lm_head_choice().set(name); }
size_t lm_head_rung() { return lm_head_choice().number(); }

}  // namespace gb::backends::cuda
