#include "tests/libtorch/random_tape_saved.h"

#include <map>
#include <set>

#include "autograd/saved_variable.h"
#include "autograd/view.h"
#include "tests/libtorch/tape_api_glassbox.h"

namespace gb::tests::tape {
namespace {

using autograd::Node;
using autograd::SavedVariable;

class Nodes {
 public:
  Nodes(const std::vector<Tensor>& inputs, bool accumulate) : accumulate_(accumulate) {
    for (const Tensor& input : inputs) targets_.insert(autograd::impl::gradient_edge(input).function.get());
  }

  bool runs(Node* node) {
    if (targets_.empty() || (accumulate_ && targets_.count(node))) return true;
    const auto [at, is_new] = runs_.try_emplace(node, false);
    if (!is_new) return at->second;
    bool any = false;
    for (const auto& edge : node->next_edges()) any |= asked(edge);
    return runs_[node] = any;
  }
  // Is the gradient along this edge?
  bool asked(const autograd::Edge& edge) {
    return edge.is_valid() && (targets_.count(edge.function.get()) || runs(edge.function.get()));
  }

 private:
  std::set<const Node*> targets_;  // of inputs=; empty: everything runs
  std::map<const Node*, bool> runs_;
  const bool accumulate_;
};

template <class F>
void note_refusal(std::vector<std::string>& messages, F&& f) {
  try {
    f();
  } catch (const Error& e) {
    messages.push_back(GlassboxApi::message(e));
  }
}

// Would a question for its grad_fn be refused? Not asked, as that may make a new one.
void refuse_stale_view(const Tensor& t) {
  const auto* meta = t.defined() ? autograd::impl::get_view_autograd_meta(t) : nullptr;
  if (!meta || !meta->requires_grad()) return;
  if (meta->get_attr_version() != autograd::impl::version_counter(t).current_version())
    autograd::handle_view_on_rebase(*meta, /*indirect=*/true);
}

}  // namespace

void look_at_saved(const std::vector<Tensor>& roots, const std::vector<Tensor>& inputs, bool accumulate,
                   Outcome& outcome) {
  std::set<const Node*> seen;
  std::vector<Node*> todo;
  std::vector<std::string> of_pass;  // where a root or an input is refused, the pass itself says so
  note_refusal(of_pass, [&] {
    Nodes nodes(inputs, accumulate);
    for (const Tensor& root : roots) todo.push_back(root.grad_fn().get());
    while (!todo.empty()) {
      Node* node = todo.back();
      todo.pop_back();
      if (!node || !seen.insert(node).second) continue;
      bool all_asked = true;
      for (const auto& edge : node->next_edges()) {
        all_asked &= nodes.asked(edge);
        todo.push_back(edge.function.get());
      }
      if (!nodes.runs(node)) continue;
      for (const autograd::SavedField& field : node->saved()) {
        const SavedVariable* saved = field.variable;
        if (!saved) continue;
        if (!saved->is_output()) note_refusal(outcome.stale_views, [&] { refuse_stale_view(saved->peek()); });
        std::vector<std::string> messages;
        note_refusal(messages, [&] { saved->unpack(saved->is_output() ? node->getptr() : nullptr); });
        outcome.refusals.insert(outcome.refusals.end(), messages.begin(), messages.end());
        if (!all_asked) outcome.unasked.insert(outcome.unasked.end(), messages.begin(), messages.end());
      }
    }
  });
}

}  // namespace gb::tests::tape
