// A ladder: the kernels that compute one thing, from the plainest to the fastest, each a complete small file
// whose first line says what changed from the rung below. Every rung can be selected, is checked by the same
// cases and is timed in the same table.
//
// A rung is any struct with the members `name` ("01_naive") and `file` (where to read it). Rungs are numbered
// from 1. Which one runs is a RungChoice: the user's (backends.h, or an environment variable), else the
// ladder's own best for the shape:
//
//   const size_t number = softmax_choice().number();
//   const SoftmaxRung& rung = ladder[(number ? number : best(args)) - 1];
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>

namespace gb::cuda {

template <class Rung>
using Ladder = std::span<const Rung>;

// A rung's name and file, for messages.
struct RungName {
  const char* name;
  const char* file;
};

class RungChoice {
 public:
  constexpr RungChoice(const char* op, const char* variable) : op_(op), variable_(variable) {}

  // The ladder says what its rungs are, lowest first, at program start.
  template <class Rung>
  bool attach(Ladder<Rung> ladder) {
    for (const Rung& rung : ladder) add(RungName{rung.name, rung.file});
    return true;
  }

  // 0: none was chosen. A load and a branch; the environment is read at the first call, and a name there that
  // is not a rung throws ValueError at each call, until it is set otherwise.
  size_t number() {
    const int number = number_.load(std::memory_order_relaxed);
    return number >= 0 ? static_cast<size_t>(number) : from_environment();
  }
  // 0: the best for the shape. Throws ValueError that lists the rungs; NotImplementedError where the ladder
  // is not linked into the program.
  void set(size_t number);
  void set(std::string_view name);  // also its number as text

 private:
  static constexpr size_t kMostRungs = 32;
  static constexpr int kUnread = -1;  // the environment has not been looked at

  void add(RungName rung);
  size_t from_environment();
  size_t parse(std::string_view name, std::string_view given_as) const;
  [[noreturn]] void throw_no_such_rung(std::string_view given_as) const;

  const char* const op_;        // "softmax"
  const char* const variable_;  // "GB_SOFTMAX_RUNG"
  RungName rungs_[kMostRungs] = {};
  size_t count_ = 0;
  std::atomic<int> number_ = kUnread;
};

// One per ladder, for the whole program.
RungChoice& softmax_choice();  // GB_SOFTMAX_RUNG
RungChoice& linear_choice();   // GB_LINEAR_RUNG
RungChoice& lm_head_choice();  // GB_LM_HEAD_RUNG

}  // namespace gb::cuda
