// A tape program as data: what one seed plays on glassbox and on LibTorch. No type of either library appears here. A
// statement has a number, and so has the value that it makes; a statement one of whose operands is not there (it was
// left out, refused or dropped) is skipped, so a shrunk program keeps its meaning.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gb::tests::tape {

enum class Kind : uint8_t {
  kLeaf,           // v1 = leaf([2, 3], requires_grad)
  kCall,           // v2 = mul(v1, v1), v3 = select(v1; 0, 1), mul_(v2, v1): `name` is looked up in random_tape_calls_of.h
  kDetach,         // v4 = v1.detach()
  kDetachInPlace,  // v1.detach_()
  kData,           // v5 = v1.data()
  kSetData,        // v1.set_data(v2)
  kRequiresGrad,   // v1.requires_grad_(flag)
  kNoGrad,         // { a scope with NoGradGuard, up to its kEnd
  kEnableGrad,     // {
  kInference,      // { InferenceMode
  kNormal,         // { InferenceMode(false)
  kEnd,            // }
  kHook,           // v1.register_hook(what `hook` says)
  kRemoveHook,     // v1.remove_hook(the one of statement `target`)
  kRetainGrad,     // v1.retain_grad()
  kBackward,       // backward(roots = operands, inputs)
  kGrad,           // v6 = grad(outputs = operands, inputs)[0]
  kClearGrad,      // v1.mutable_grad().reset()
  kDrop,           // v1 goes out of scope
};

enum class Hook : uint8_t { kObserve, kTwice, kReplace, kWrongSize, kThrow };

struct Statement {
  Kind kind = Kind::kCall;
  int number = 0;
  std::string name;           // of the call; ends in _ where it writes its first operand
  std::vector<int> operands;  // values
  std::vector<int> inputs;    // of backward and grad
  std::vector<int64_t> ints;  // sizes, dimensions, positions
  double scalar = 0;
  uint64_t seed = 0;  // of the elements of a leaf
  int target = 0;     // of kRemoveHook
  Hook hook = Hook::kObserve;
  bool flag = false;  // requires_grad
  bool retain_graph = false, create_graph = false, allow_unused = false;
  bool gradient = false;  // backward and grad are given one for each root; else none
  bool look = true;       // afterwards the grad_fn of every value is asked for, which makes those of written views anew

  bool writes() const { return kind == Kind::kCall && name.back() == '_'; }
  bool changes_geometry() const;  // t_, squeeze_ and their like
};

struct Program {
  uint64_t seed = 0;
  std::vector<Statement> statements;
};

std::string to_text(const Statement& statement);
std::string to_text(const Program& program);

struct Size {
  int statements = 24;
  bool geometry = false;  // with t_, squeeze_ and their like
};
Program random_program(uint64_t seed, const Size& size);

// Elements of a leaf or a gradient: multiples of 1/8 between -1.5 and 1.5, so that sums and products of a few are exact
// and both libraries round alike.
std::vector<double> random_elements(uint64_t seed, size_t count);

// The smallest part of a program that fails too.
Program shrink(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace gb::tests::tape
