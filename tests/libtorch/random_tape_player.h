// TapePlayer: what plays the statements of a program on one library, and what can be seen of it afterwards.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/libtorch/random_tape_program.h"

namespace gb::tests::tape {

// Numbers with a name: what a hook saw, what grad returned.
struct Entry {
  std::string text;
  std::vector<double> values;
};

struct Outcome {
  bool skipped = false;
  std::string error;        // the message, where the statement was refused
  bool wrote_first = false;  // it was refused with its target written already; the player has put the values back
  std::vector<Entry> log;   // in the order in which it happened
  // For the table of known differences; not compared.
  bool hooked = false;     // the first operand has hooks, or retains its gradient
  // Of the nodes that a pass will run, in glassbox alone (random_tape_saved.h):
  std::vector<std::string> refusals;     // how saved tensors would refuse to be unpacked,
  std::vector<std::string> unasked;      // those of nodes not all of whose gradients are asked for,
  std::vector<std::string> stale_views;  // and how saved views would refuse to tell their grad_fn
  bool writes_gradient = false;  // a node of the pass has a formula that writes in place, in LibTorch
  bool inference = false;  // the first operand is an inference tensor,
  bool versioned = false;  // and has a version
  int retaining = 0;       // of the inputs of a refused pass, how many retain their gradient
};

// What can be seen of one value.
struct Facts {
  int value = 0;
  bool is_leaf = false, is_view = false, is_inference = false, requires_grad = false, retains_grad = false;
  int64_t output_nr = 0;
  int64_t version = -1;  // -1: an inference tensor has none
  std::vector<int64_t> sizes, strides;
  std::vector<double> values;
  std::string grad_fn;  // its name, "none", or "refused: " and the message; empty where it was not asked for
  bool has_grad = false, grad_requires_grad = false;
  std::vector<double> grad;
};

class TapePlayer {
 public:
  virtual ~TapePlayer() = default;
  virtual void start() = 0;  // forgets the last program: values go, scopes are left
  virtual Outcome play(const Statement& statement) = 0;
  virtual std::vector<Facts> facts(bool with_grad_fn) = 0;  // of every value, by number
};

std::unique_ptr<TapePlayer> make_glassbox_tape_player();
std::unique_ptr<TapePlayer> make_libtorch_tape_player();

}  // namespace gb::tests::tape
