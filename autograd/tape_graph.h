// TapeGraph: the tape as plain values. What is reachable from a tensor is read once; tape.h, tape_dot.h,
// tape_json.h and tape_svg.h print what was read, and see no node.
//
// Invariants: the nodes stand in the order of a backward pass, so every edge leads to a later one. Reading
// changes nothing, with one exception: a view that was written has its new grad_fn made, as for anybody who
// asks (view.h).
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "autograd/node.h"

namespace gb::autograd {

// Names for leaves, and for other tensors that nodes saved: {{x, "x"}, {W, "W"}}.
using LeafNames = std::vector<std::pair<Tensor, std::string>>;

// One thing that a node keeps.
struct TapeSaved {
  enum class Kind : uint8_t {
    kLeaf,      // the leaf of an AccumulateGrad
    kInput,     // a tensor as it was given
    kOutput,    // the node's own result
    kValue,     // no tensor: `text` has it
    kNothing,   // an undefined tensor
    kReleased,  // a backward pass is over it
    kPacked,    // saved-tensor hooks have it
  };
  std::string name;  // "self"
  Kind kind;
  std::string text{};         // kValue: "-1"
  std::string tensor_name{};  // of LeafNames; empty where it has none
  std::string dtype{};        // "Float"
  std::vector<int64_t> sizes{};
  uint32_t version = 0, current = 0;  // when it was saved, and now
  std::string writer{};               // who wrote last, where the two differ and it is known

  bool is_written() const { return version != current; }
};

struct TapeEdge {
  static constexpr size_t kNowhere = static_cast<size_t>(-1);
  size_t to = kNowhere;  // number of a node; kNowhere: nobody wants this gradient
  uint32_t input_nr = 0;
};

// How many hooks of each kind.
struct TapeHooks {
  size_t tensor = 0, retains_grad = 0, pre = 0, post = 0, post_accumulate_grad = 0;
};

struct TapeNode {
  std::string name;  // "MulBackward0"
  bool is_leaf = false;
  uint64_t sequence_nr = 0;     // of a leaf: the largest there is
  uint64_t topological_nr = 0;  // length of the longest path to a leaf
  std::vector<TapeSaved> saved{};
  std::vector<TapeEdge> edges{};
  TapeHooks hooks{};
  std::vector<TapeNode> inner{};  // CopySlices: the node of the write, unless it was released. Without edges

  bool is_refused() const {  // holds what was written since: backward will throw here
    return std::any_of(saved.begin(), saved.end(), [](const TapeSaved& s) { return s.is_written(); }) ||
           std::any_of(inner.begin(), inner.end(), [](const TapeNode& n) { return n.is_refused(); });
  }
};

struct TapeGraph {
  std::vector<TapeNode> nodes;  // the root first; none where there is no tape
};

TapeGraph read_tape(const Tensor& root, const LeafNames& names = {});
TapeGraph read_tape(const std::shared_ptr<Node>& root, const LeafNames& names = {});

// With sequence numbers from 0 on, whatever the thread has recorded before: for texts that are compared.
TapeGraph renumbered(TapeGraph tape);

// The nodes reachable from `root`, each after all that point to it; where there is a choice, the larger
// sequence number.
std::vector<Node*> nodes_in_order(Node* root);

}  // namespace gb::autograd
