// Player: what plays the steps and calls of a program on one dispatcher; both libraries have one, and
// compare.h (of the same name) holds their answers side by side. Answers are text: two answers are equal
// where the texts are.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "tests/libtorch/random_dispatch_program.h"

namespace gb::tests::dispatch {

struct Outcome {
  std::string
      text;  // "3{Dense CPU} 7 = 3", one hop per kernel that ran; "error" at its end where the call threw
  std::string message;  // of the error
};

class Player {
 public:
  virtual ~Player() = default;
  // Starts a program: operators in a namespace that no other program had.
  virtual void start(const std::string& ns) = 0;
  virtual std::string perform(const Step& step) = 0;  // the error's text; empty where it was accepted
  virtual void undo(int number) = 0;                  // ends the registration of a step, if it is there
  virtual Outcome call(const Call& call) = 0;
  // What the table of an operator holds: slot -> "kernel 3", "fallback", "ambiguous", ... Empty without a
  // schema.
  virtual std::map<std::string, std::string> table(int op) = 0;
  // Whether what calls read was something else than what follows from the registrations; it is not any more.
  virtual bool repair_stale_slots(int op) = 0;
  // "schema", "kernels only" or "nothing", for each operator.
  virtual std::string presence() = 0;

  virtual KeyNames key_names() = 0;
  virtual bool has_fallback(const std::string& key) = 0;
  // For the life of the program, a fallback where the other library has one and this one has none.
  virtual void add_fallthrough(const std::string& key) = 0;
  virtual void add_refusal(const std::string& key) = 0;
};

std::unique_ptr<Player> make_glassbox_player();

}  // namespace gb::tests::dispatch
