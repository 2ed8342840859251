// Plays tape programs on the library given by its Api: the same source for both.
#pragma once

#include <set>
#include <stdexcept>

#include "tests/libtorch/random_tape_calls_of.h"
#include "tests/libtorch/random_tape_player.h"

namespace gb::tests::tape {

template <class Api>
class PlayerOf final : public TapePlayer {
 public:
  using Tensor = typename Api::Tensor;

  ~PlayerOf() override { start(); }

  void start() override {
    while (!scopes_.empty()) scopes_.pop_back();
    values_.clear(), hooks_.clear(), hooked_.clear();
  }

  Outcome play(const Statement& s) override {
    Outcome outcome;
    for (const std::vector<int>* list : {&s.operands, &s.inputs})
      for (const int number : *list) outcome.skipped |= values_.count(number) == 0;
    outcome.skipped |= s.kind == Kind::kRemoveHook && hooks_.count(s.target) == 0;
    if (outcome.skipped) return outcome;
    log_.clear();
    const typename Api::WarningHandlerGuard silence(&silent_);
    const std::vector<double> before = s.writes() ? elements(value(s.operands[0])) : std::vector<double>();
    const Tensor target = s.writes() ? value(s.operands[0]) : Tensor();
    const Geometry geometry = s.writes() ? Geometry(target) : Geometry();
    if (s.kind == Kind::kCall) {
      const Tensor& first = value(s.operands[0]);
      outcome.hooked = first.retains_grad() || hooked_.count(first.unsafeGetTensorImpl()) > 0;
      outcome.inference = value(s.operands[0]).is_inference();
      outcome.versioned = has_version(value(s.operands[0]));
    }
    const bool is_pass = s.kind == Kind::kBackward || s.kind == Kind::kGrad;
    if constexpr (requires { &Api::look_at_saved; }) {
      if (is_pass) Api::look_at_saved(tensors(s.operands), tensors(s.inputs), s.kind == Kind::kBackward, outcome);
    }
    try {
      perform(s);
    } catch (const std::exception& e) {
      outcome.error = Api::message(e);
      for (const int number : s.inputs) outcome.retaining += value(number).retains_grad();
      if (s.writes()) outcome.wrote_first = geometry.put_back(target) | restore(target, before);
    }
    outcome.log = std::move(log_);
    if (is_pass && outcome.error.empty()) walk(s, outcome);
    return outcome;
  }

  std::vector<Facts> facts(bool with_grad_fn) override {
    const typename Api::WarningHandlerGuard silence(&silent_);
    std::vector<Facts> all;
    for (const auto& [number, t] : values_) all.push_back(facts_of(number, t, with_grad_fn));
    return all;
  }

 private:
  struct Silent : Api::WarningHandler {
    void process(const typename Api::Warning&) override {}
  };

  struct Geometry {
    Geometry() = default;
    explicit Geometry(const Tensor& t) : sizes(t.sizes().vec()), strides(t.strides().vec()) {}
    // Whether there was anything to put back.
    bool put_back(const Tensor& t) const {
      if (Geometry(t).sizes == sizes && Geometry(t).strides == strides) return false;
      t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
      return true;
    }
    std::vector<int64_t> sizes, strides;
  };

  const Tensor& value(int number) const { return values_.at(number); }
  std::vector<Tensor> tensors(const std::vector<int>& numbers) const {
    std::vector<Tensor> list;
    for (const int number : numbers) list.push_back(value(number));
    return list;
  }

  // The place of element `index`, counted row by row.
  static double* place(const Tensor& t, int64_t index) {
    int64_t offset = 0;
    for (int64_t d = t.dim() - 1; d >= 0; --d) {
      offset += index % t.size(d) * t.stride(d);
      index /= t.size(d);
    }
    return static_cast<double*>(t.unsafeGetTensorImpl()->storage().mutable_data()) + t.storage_offset() + offset;
  }
  static std::vector<double> elements(const Tensor& t) {
    std::vector<double> list;
    for (int64_t i = 0; i < t.numel(); ++i) list.push_back(*place(t, i));
    return list;
  }
  static bool same(double a, double b) { return a == b || (a != a && b != b); }
  // Whether there was anything to put back.
  static bool restore(const Tensor& t, const std::vector<double>& before) {
    bool changed = false;
    for (int64_t i = 0; i < t.numel(); ++i) {
      double& now = *place(t, i);
      changed |= !same(now, before[static_cast<size_t>(i)]);
      now = before[static_cast<size_t>(i)];
    }
    return changed;
  }
  static Tensor filled(const std::vector<int64_t>& sizes, uint64_t seed) {
    const Tensor t = Api::empty(sizes);
    const std::vector<double> numbers = random_elements(seed, static_cast<size_t>(t.numel()));
    for (size_t i = 0; i < numbers.size(); ++i) *place(t, static_cast<int64_t>(i)) = numbers[i];
    return t;
  }

  static bool has_version(const Tensor& t) {
    try {
      return t._version() >= 0;
    } catch (const std::exception&) {
      return false;
    }
  }
  // The graph of a pass that was done: the edges are still there.
  void walk(const Statement& s, Outcome& outcome) const {
    std::set<const void*> seen;
    std::vector<typename Api::Node*> todo;
    for (const int number : s.operands) todo.push_back(value(number).grad_fn().get());
    while (!todo.empty()) {
      typename Api::Node* node = todo.back();
      todo.pop_back();
      if (!node || !seen.insert(node).second) continue;
      outcome.writes_gradient |= node->name() == "MaximumBackward0" || node->name() == "AsStridedBackward0";
      for (const auto& edge : node->next_edges()) todo.push_back(edge.function.get());
    }
  }

  void perform(const Statement& s) {
    const Tensor self = s.operands.empty() ? Tensor() : value(s.operands[0]);
    switch (s.kind) {
      case Kind::kLeaf: return leaf(s);
      case Kind::kCall: return call(s);
      case Kind::kDetach: return keep(s, self.detach());
      case Kind::kDetachInPlace: self.detach_(); return;
      case Kind::kData: return keep(s, self.data());
      case Kind::kSetData: return self.set_data(value(s.operands[1]));
      case Kind::kRequiresGrad: self.requires_grad_(s.flag); return;
      case Kind::kNoGrad: scopes_.push_back(std::make_shared<typename Api::NoGradGuard>()); return;
      case Kind::kEnableGrad: scopes_.push_back(std::make_shared<typename Api::AutoGradMode>(true)); return;
      case Kind::kInference: scopes_.push_back(std::make_shared<typename Api::InferenceMode>()); return;
      case Kind::kNormal: scopes_.push_back(std::make_shared<typename Api::InferenceMode>(false)); return;
      case Kind::kEnd:
        if (!scopes_.empty()) scopes_.pop_back();
        return;
      case Kind::kHook: return hook(s, self);
      case Kind::kRemoveHook: return self.remove_hook(hooks_.at(s.target));
      case Kind::kRetainGrad: return self.retain_grad();
      case Kind::kBackward:
        return Api::backward(tensors(s.operands), gradients(s), s.retain_graph, s.create_graph, tensors(s.inputs));
      case Kind::kGrad: return grad(s);
      case Kind::kClearGrad: self.mutable_grad().reset(); return;
      case Kind::kDrop: values_.erase(s.operands[0]); return;
    }
  }

  void keep(const Statement& s, Tensor t) { values_.insert_or_assign(s.number, std::move(t)); }

  void leaf(const Statement& s) {
    const Tensor t = filled(s.ints, s.seed);
    if (s.flag) t.requires_grad_();
    keep(s, t);
  }
  void call(const Statement& s) {
    const std::vector<Tensor> operands = tensors(s.operands);
    if (s.name == "maximum") note_order(operands[0].detach(), operands[1].detach());
    const Tensor result = CallsOf<Api>::find(s.name)({operands, s.ints, s.scalar});
    if (s.writes()) {
      if (s.operands.size() > 1 && operands[0].is_alias_of(operands[1]) && !operands[0].is_same(operands[1]))
        log_.push_back({"written and read", elements(operands[0])});
      return;
    }
    if (result.is_view() && !result.is_alias_of(operands[0])) log_.push_back({"a view of what the call made itself", {}});
    // Outside of inference mode, what LibTorch's kernels write to the result of a call on inference tensors alone counts
    // in its version.
    const bool has_inner_version = operands[0].is_inference() && !result.is_inference() && !result.requires_grad();
    keep(s, has_inner_version && !result.is_view() ? result.data() : result);
  }
  // Who is the larger decides where the gradient goes.
  void note_order(const Tensor& a, const Tensor& b) {
    const auto count = [](const Tensor& t) { return std::to_string(t.sum().template item<int64_t>()); };
    log_.push_back({"less " + count(a.lt(b)) + ", equal " + count(a.eq(b)), {}});
  }
  std::vector<Tensor> gradients(const Statement& s) const {
    std::vector<Tensor> list;
    for (size_t i = 0; s.gradient && i < s.operands.size(); ++i)
      list.push_back(filled(value(s.operands[i]).sizes().vec(), s.seed + i));
    return list;
  }
  void grad(const Statement& s) {
    const std::vector<Tensor> grads = Api::grad(tensors(s.operands), tensors(s.inputs), gradients(s), s.retain_graph,
                                                s.create_graph, s.allow_unused);
    for (const Tensor& g : grads) note("grad", g);
    if (!grads[0].defined()) return;
    if (s.create_graph && !grads[0].is_inference())
      log_.push_back({"version " + std::to_string(grads[0]._version()), {}});
    // Without a graph the version says how it was added up, which is each library's own affair.
    keep(s, s.create_graph ? grads[0] : grads[0].data());
  }

  void note(const std::string& text, const Tensor& t) {
    Entry& entry = log_.emplace_back(Entry{text, {}});
    if (!t.defined()) {
      entry.text += " undefined";
      return;
    }
    entry.text += t.requires_grad() ? " requires_grad" : "";
    entry.values = elements(t);
  }
  void hook(const Statement& s, const Tensor& t) {
    const auto run = [this, number = s.number, kind = s.hook](const Tensor& g) -> Tensor {
      note("hook " + std::to_string(number), g);
      switch (kind) {
        case Hook::kObserve: return Tensor();
        case Hook::kTwice: return g.mul(2);
        case Hook::kReplace: return Api::full(g.sizes().vec(), 1);
        case Hook::kWrongSize: return Api::full({5}, 1);
        case Hook::kThrow: throw std::runtime_error("thrown by a hook");
      }
      return Tensor();
    };
    hooks_[s.number] = t.register_hook(run);
    hooked_.insert(t.unsafeGetTensorImpl());
  }

  static Facts facts_of(int number, const Tensor& t, bool with_grad_fn) {
    Facts facts;
    facts.value = number;
    if (with_grad_fn) facts.grad_fn = name_of_grad_fn(t);  // first: asking for it may change the rest
    facts.is_leaf = t.is_leaf(), facts.is_view = t.is_view(), facts.is_inference = t.is_inference();
    facts.requires_grad = t.requires_grad(), facts.retains_grad = t.retains_grad();
    facts.output_nr = t.output_nr();
    if (!facts.is_inference) facts.version = static_cast<int64_t>(t._version());
    facts.sizes = t.sizes().vec(), facts.strides = t.strides().vec();
    facts.values = elements(t);
    if (const Tensor& grad = t.unsafeGetTensorImpl()->grad(); grad.defined())
      facts.has_grad = true, facts.grad_requires_grad = grad.requires_grad(), facts.grad = elements(grad);
    return facts;
  }
  static std::string name_of_grad_fn(const Tensor& t) {
    try {
      const auto& node = t.grad_fn();
      if (!node) return "none";
      const std::string name = node->name();
      const size_t space = name.rfind("::");  // "torch::autograd::AccumulateGrad"
      return space == std::string::npos ? name : name.substr(space + 2);
    } catch (const std::exception& e) {
      return "refused: " + Api::message(e);
    }
  }

  std::map<int, Tensor> values_;
  std::map<int, unsigned> hooks_;              // statement -> position on its tensor
  std::set<const void*> hooked_;               // tensors
  std::vector<std::shared_ptr<void>> scopes_;  // left in the opposite order
  std::vector<Entry> log_;
  Silent silent_;
};

}  // namespace gb::tests::tape
