#include "tests/libtorch/random_tape_views.h"

namespace gb::tests::tape {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, const Size& size) : dice_(seed), models_(dice_), size_(size) { program_.seed = seed; }

  Program run() {
    leaf(true);
    leaf(dice_.chance(2));
    while (static_cast<int>(program_.statements.size()) < size_.statements) statement();
    while (scopes_.size() > 1) end();
    backward();
    return std::move(program_);
  }

 private:
  struct Scope {
    bool grad, inference;
  };

  void statement() {
    struct Choice {
      int64_t weight;
      void (Generator::*write)();
    };
    static constexpr Choice kChoices[] = {
        {6, &Generator::leaf},         {26, &Generator::call},          {18, &Generator::view},
        {18, &Generator::in_place},    {5, &Generator::plain},          {3, &Generator::set_requires_grad},
        {5, &Generator::begin},        {6, &Generator::end_if_open},    {5, &Generator::hook},
        {2, &Generator::remove_hook},  {4, &Generator::retain_grad},    {8, &Generator::backward},
        {6, &Generator::grad},         {2, &Generator::clear_grad},     {3, &Generator::drop}};
    if (size_.geometry && dice_.percent(10)) return geometry();
    int64_t at = dice_.below(117);
    for (const Choice& choice : kChoices) {
      at -= choice.weight;
      if (at < 0) return (this->*choice.write)();
    }
  }

  Statement& add(Kind kind, std::vector<int> operands = {}) {
    Statement& s = program_.statements.emplace_back();
    s.kind = kind, s.operands = std::move(operands);
    s.number = ++last_number_;
    s.look = dice_.percent(55);
    return s;
  }
  bool recording() const { return scopes_.back().grad; }
  bool infers() const { return scopes_.back().inference; }

  void leaf() { leaf(dice_.percent(55)); }
  void leaf(bool requires_grad) {
    static const std::vector<Sizes> kSizes{{}, {3}, {1}, {2, 3}, {2, 3}, {3, 3}, {1, 3}, {2, 1, 3}, {2, 2}, {4}};
    Statement& s = add(Kind::kLeaf);
    s.ints = dice_.pick(kSizes), s.flag = requires_grad && !(infers() && dice_.percent(80));
    s.seed = static_cast<uint64_t>(dice_.below(1 << 20));
    models_.add({.number = s.number, .sizes = s.ints, .requires_grad = s.flag, .leaf = s.flag, .inference = infers()});
  }

  Statement& call(const char* name, std::vector<int> operands) {
    Statement& s = add(Kind::kCall, std::move(operands));
    s.name = name;
    return s;
  }
  void made(const Statement& s, Sizes sizes, bool requires_grad) {
    models_.add({.number = s.number, .sizes = std::move(sizes), .requires_grad = requires_grad && recording(),
                 .inference = infers()});
  }

  void call() {
    const Model& a = models_.any();
    const int64_t kind = dice_.below(100), rank = static_cast<int64_t>(a.sizes.size());
    if (kind < 42) return binary(a);
    if (kind < 72) {
      static const std::vector<const char*> kUnary{"neg",   "tanh",     "sigmoid",    "relu",    "square", "sin",
                                                   "clone", "add_number", "mul_number", "contiguous"};
      Statement& s = call(dice_.pick(kUnary), {a.number});
      if (s.name.ends_with("number")) s.scalar = dice_.chance(2) ? 2 : -0.5;
      return made(s, a.sizes, a.requires_grad);
    }
    if (kind < 82 || rank == 0) {
      Statement& s = call(dice_.chance(2) ? "sum" : "mean", {a.number});
      return made(s, {}, a.requires_grad);
    }
    const int64_t dim = dice_.below(rank);
    if (kind < 88) {
      Statement& s = call(dice_.chance(2) ? "sum_dim" : "mean_dim", {a.number});
      Sizes sizes = a.sizes;
      const bool keep = dice_.chance(2);
      keep ? void(sizes[static_cast<size_t>(dim)] = 1) : void(sizes.erase(sizes.begin() + dim));
      s.ints = {dim, keep};
      return made(s, std::move(sizes), a.requires_grad);
    }
    if (kind < 92) {
      Statement& s = call(dice_.chance(2) ? "softmax" : "log_softmax", {a.number});
      s.ints = {dim};
      return made(s, a.sizes, a.requires_grad);
    }
    if (kind < 96) return joined(a, dim);
    matrices();
  }
  void binary(const Model& a) {
    static const std::vector<const char*> kNames{"add", "sub", "mul", "mul", "maximum", "where_positive"};
    Sizes sizes;
    const Model* b = models_.one([&](const Model& m) {
      return (dice_.percent(3) || broadcasts(a.sizes, m.sizes, sizes)) && count(sizes) <= 24;
    });
    if (!b) return;
    broadcasts(a.sizes, b->sizes, sizes);
    const Statement& s = call(dice_.pick(kNames), {a.number, b->number});
    made(s, sizes, a.requires_grad || b->requires_grad);
  }
  void joined(const Model& a, int64_t dim) {
    const Model* b = models_.one([&](const Model& m) { return m.sizes == a.sizes && 2 * count(m.sizes) <= 24; });
    if (!b) return;
    const bool stack = dice_.chance(2);
    Statement& s = call(stack ? "stack" : "cat", {a.number, b->number});
    s.ints = {dim};
    Sizes sizes = a.sizes;
    stack ? void(sizes.insert(sizes.begin() + dim, 2)) : void(sizes[static_cast<size_t>(dim)] *= 2);
    made(s, std::move(sizes), a.requires_grad || b->requires_grad);
  }
  void matrices() {
    const Model* a = models_.one([](const Model& m) { return m.sizes.size() == 2; });
    const Model* b = models_.one([&](const Model& m) { return a && m.sizes.size() == 2 && m.sizes[0] == a->sizes[1]; });
    if (!b) return;
    const Statement& s = call("mm", {a->number, b->number});
    made(s, {a->sizes[0], b->sizes[1]}, a->requires_grad || b->requires_grad);
  }

  void view() {
    const Model of = models_.any();
    const ViewChoice choice = random_view(dice_, of.sizes, of.base == 0);
    if (count(choice.sizes) > 24) return;
    Statement& s = call(choice.name, {of.number});
    s.ints = choice.arguments;
    models_.add({.number = s.number,
                 .sizes = choice.sizes,
                 .base = of.memory(),
                 .requires_grad = of.requires_grad,
                 .leaf = of.leaf,
                 .locked = of.locked || choice.several || !recording(),
                 .inference = of.inference,
                 .overlaps = of.overlaps || choice.overlaps});
  }

  void in_place() {
    const bool careless = dice_.percent(12);
    Model* target = models_.one([&](const Model& m) {
      return careless || !(m.overlaps || (m.inference && !infers()) ||
                           (recording() && ((m.leaf && m.requires_grad) || m.locked)));
    });
    if (!target) return;
    static const std::vector<const char*> kBinary{"add_", "sub_", "mul_", "mul_", "copy_"};
    static const std::vector<const char*> kUnary{"neg_",      "tanh_", "sigmoid_", "relu_",      "sin_",
                                                 "fill_", "zero_", "mul_number_", "add_number_"};
    if (dice_.percent(60)) {
      Sizes sizes;
      const Model* b = models_.one([&](const Model& m) {
        // A write to what is read, too: neither library sees all of these, and what comes out depends on the order.
        const bool aliases = m.number != target->number && m.memory() == target->memory();
        return !aliases && broadcasts(target->sizes, m.sizes, sizes) && (sizes == target->sizes || careless);
      });
      if (!b) return;
      const bool recorded = recording() && (b->requires_grad || target->requires_grad);
      call(dice_.pick(kBinary), {target->number, b->number});
      return models_.written(*target, recorded);
    }
    Statement& s = call(dice_.pick(kUnary), {target->number});
    if (s.name.ends_with("number_") || s.name == "fill_") s.scalar = dice_.chance(2) ? 0.5 : -2;
    models_.written(*target, recording() && target->requires_grad);
  }

  void geometry() {
    const bool careless = dice_.percent(12);
    Model* target = models_.one([&](const Model& m) {
      return careless || !((m.inference && !infers()) || (recording() && ((m.leaf && m.requires_grad) || m.locked)));
    });
    if (!target) return;
    Sizes untouched = target->sizes;  // of one that will be refused, the model keeps its sizes
    const bool refused = (target->inference && !infers()) ||
                         (recording() && ((target->leaf && target->requires_grad) || target->locked));
    Sizes& sizes = refused ? untouched : target->sizes;
    const auto rank = static_cast<int64_t>(sizes.size());
    const int64_t which = dice_.below(4);
    if (which == 0 && rank > 1) {
      const int64_t dim = dice_.below(rank);
      call("transpose_", {target->number}).ints = {dim, 0};
      std::swap(sizes[static_cast<size_t>(dim)], sizes[0]);
    } else if (which == 1 && rank > 0) {
      const int64_t dim = dice_.below(rank);
      call("squeeze_dim_", {target->number}).ints = {dim};
      if (sizes[static_cast<size_t>(dim)] == 1) sizes.erase(sizes.begin() + dim);
    } else if (which == 2 && rank < 4) {
      const int64_t dim = dice_.below(rank + 1);
      call("unsqueeze_", {target->number}).ints = {dim};
      sizes.insert(sizes.begin() + dim, 1);
    } else if (rank == 2) {
      call("t_", {target->number});
      std::swap(sizes[0], sizes[1]);
    } else {
      call("squeeze_", {target->number});
      std::erase(sizes, 1);
    }
    if (recording() && target->requires_grad && !refused) target->leaf = false;
  }

  // detach, detach_, data, set_data
  void plain() {
    const Model& of = models_.any();
    switch (dice_.below(5)) {
      case 0:
      case 1: {
        const Statement& s = add(Kind::kDetach, {of.number});
        models_.add({.number = s.number, .sizes = of.sizes, .base = of.memory(), .locked = of.locked,
                     .inference = of.inference, .overlaps = of.overlaps});
        return;
      }
      case 2: add(Kind::kDetachInPlace, {of.number}); return;
      case 3: {
        const Statement& s = add(Kind::kData, {of.number});
        models_.add({.number = s.number, .sizes = of.sizes, .base = of.memory(), .inference = of.inference,
                     .overlaps = of.overlaps});
        return;
      }
      default: {
        Model* to = models_.one([](const Model& m) { return m.leaf && m.base == 0 && !m.inference; });
        const Model* from = to ? models_.one([&](const Model& m) { return m.sizes == to->sizes && !m.inference; }) : nullptr;
        if (!from) return;
        add(Kind::kSetData, {to->number, from->number});
        to->base = from->memory();
      }
    }
  }
  void set_requires_grad() {
    Model& of = models_.any();
    Statement& s = add(Kind::kRequiresGrad, {of.number});
    s.flag = dice_.percent(80);
    if (s.flag && !of.inference) of.leaf |= !of.requires_grad, of.requires_grad = true;
  }

  void begin() {
    if (scopes_.size() > 3) return;
    const int64_t which = dice_.below(100);
    const Kind kind = which < 50 ? Kind::kNoGrad : which < 60 ? Kind::kEnableGrad : which < 90 ? Kind::kInference
                                                                                            : Kind::kNormal;
    add(kind);
    Scope scope = scopes_.back();
    if (kind == Kind::kNoGrad || kind == Kind::kEnableGrad)
      scope.grad = kind == Kind::kEnableGrad;
    else
      scope = {kind == Kind::kNormal, kind == Kind::kInference};
    scopes_.push_back(scope);
  }
  void end() {
    add(Kind::kEnd);
    scopes_.pop_back();
  }
  // Twice the weight of a beginning, so that scopes stay short.
  void end_if_open() {
    if (scopes_.size() > 1) end();
  }

  Model* with_gradient(int64_t otherwise_percent) {
    Model* chosen = models_.one([](const Model& m) { return m.requires_grad; });
    return !chosen || dice_.percent(otherwise_percent) ? &models_.any() : chosen;
  }
  void hook() {
    Statement& s = add(Kind::kHook, {with_gradient(5)->number});
    const int64_t which = dice_.below(100);
    s.hook = which < 45   ? Hook::kObserve
             : which < 75 ? Hook::kTwice
             : which < 90 ? Hook::kReplace
             : which < 95 ? Hook::kWrongSize
                          : Hook::kThrow;
    hooks_.push_back(s);
  }
  void remove_hook() {
    if (hooks_.empty()) return;
    const Statement chosen = dice_.pick(hooks_);
    add(Kind::kRemoveHook, chosen.operands).target = chosen.number;
  }
  void retain_grad() { add(Kind::kRetainGrad, {with_gradient(8)->number}); }

  // Roots, inputs and flags of backward and grad.
  Statement& pass(Kind kind, bool needs_inputs) {
    const Model* root = with_gradient(4);
    std::vector<int> roots{root->number};
    bool one_element = count(root->sizes) == 1;
    if (dice_.percent(15)) {
      const Model* second = with_gradient(4);
      roots.push_back(second->number), one_element &= count(second->sizes) == 1;
    }
    Statement& s = add(kind, std::move(roots));
    s.gradient = dice_.percent(one_element ? 30 : 95);
    s.seed = static_cast<uint64_t>(dice_.below(1 << 20));
    s.retain_graph = dice_.percent(50), s.create_graph = dice_.percent(25);
    const int64_t inputs = needs_inputs ? 1 + dice_.below(2) : dice_.percent(15) ? 1 + dice_.below(2) : 0;
    for (int64_t i = 0; i < inputs; ++i) program_.statements.back().inputs.push_back(with_gradient(3)->number);
    return program_.statements.back();
  }
  void backward() { pass(Kind::kBackward, false); }
  void grad() {
    Statement& s = pass(Kind::kGrad, true);
    s.allow_unused = dice_.percent(92);
    const int first = s.inputs[0], number = s.number;
    const bool create = s.create_graph;
    const Model* of = models_.one([&](const Model& m) { return m.number == first; });
    models_.add({.number = number, .sizes = of->sizes, .requires_grad = create, .inference = infers()});
  }
  void clear_grad() { add(Kind::kClearGrad, {with_gradient(50)->number}); }
  void drop() {
    if (models_.size() < 4) return;
    const int number = models_.any().number;
    add(Kind::kDrop, {number});
    models_.drop(number);
  }

  Dice dice_;
  Models models_;
  const Size size_;
  Program program_;
  int last_number_ = 0;
  std::vector<Scope> scopes_{{true, false}};
  std::vector<Statement> hooks_;
};

}  // namespace

Program random_program(uint64_t seed, const Size& size) { return Generator(seed, size).run(); }

std::vector<double> random_elements(uint64_t seed, size_t count) {
  Dice dice(seed);
  std::vector<double> elements;
  for (size_t i = 0; i < count; ++i) elements.push_back(static_cast<double>(dice.below(25) - 12) / 8);
  return elements;
}

}  // namespace gb::tests::tape
