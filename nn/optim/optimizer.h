// Optimizer: parameters in groups, options for each group, state for each parameter, and a step that updates them all.
//
// A step reads grad() and writes the parameter in place, unrecorded; a parameter without a gradient is left alone. State
// is made at a parameter's first step and keyed by its TensorImpl, which set_data keeps. Invariants: every group has
// options; every parameter is a leaf, and stands in one group, once. Names follow torch/optim/optimizer.h.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/tensor.h"
#include "nn/ordered_dict.h"

namespace gb::optim {

// What an optimizer remembers about one parameter.
struct OptimizerParamState {
  virtual ~OptimizerParamState() = default;
  virtual std::unique_ptr<OptimizerParamState> clone() const = 0;
  virtual OrderedDict<std::string, Tensor> tensors() const = 0;  // by name, numbers as 0-dim tensors
};
template <class Derived>
struct OptimizerCloneableParamState : OptimizerParamState {
  std::unique_ptr<OptimizerParamState> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
};

struct OptimizerOptions {
  virtual ~OptimizerOptions() = default;
  virtual std::unique_ptr<OptimizerOptions> clone() const = 0;
  virtual double get_lr() const = 0;
  virtual void set_lr(double lr) = 0;
  virtual void check() const = 0;  // throws ValueError for a number outside of its domain
};
// Derived has the option `lr`.
template <class Derived>
struct OptimizerCloneableOptions : OptimizerOptions {
  std::unique_ptr<OptimizerOptions> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
  double get_lr() const override { return static_cast<const Derived&>(*this).lr(); }
  void set_lr(double lr) override { static_cast<Derived&>(*this).lr(lr); }
};
// Throws ValueError: "Invalid <name>: <value>".
void check_option(bool good, const char* name, double value, const char* domain);

class OptimizerParamGroup {
 public:
  OptimizerParamGroup(std::vector<Tensor> params, std::unique_ptr<OptimizerOptions> options = nullptr)
      : params_(std::move(params)), options_(std::move(options)) {}
  OptimizerParamGroup(const OptimizerParamGroup& other)
      : params_(other.params_), options_(other.options_ ? other.options_->clone() : nullptr) {}
  OptimizerParamGroup(OptimizerParamGroup&&) = default;
  OptimizerParamGroup& operator=(OptimizerParamGroup&&) noexcept = default;

  bool has_options() const { return options_ != nullptr; }
  OptimizerOptions& options() { return *options_; }  // REQUIRES has_options(): always, once in an optimizer
  const OptimizerOptions& options() const { return *options_; }
  void set_options(std::unique_ptr<OptimizerOptions> options) { options_ = std::move(options); }
  std::vector<Tensor>& params() { return params_; }
  const std::vector<Tensor>& params() const { return params_; }

 private:
  std::vector<Tensor> params_;
  std::unique_ptr<OptimizerOptions> options_;
};

class Optimizer {
 public:
  using LossClosure = std::function<Tensor()>;
  using State = std::unordered_map<void*, std::unique_ptr<OptimizerParamState>>;

  // Throws ValueError for bad options, no parameters, a parameter that is undefined, no leaf, or given twice.
  Optimizer(const std::vector<OptimizerParamGroup>& param_groups, std::unique_ptr<OptimizerOptions> defaults);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // Runs `closure`, if given, with gradients on (it clears them, computes the loss and calls backward), then updates
  // every parameter that has a gradient. Returns what the closure returned.
  Tensor step(const LossClosure& closure = nullptr);
  void zero_grad(bool set_to_none = true);
  void add_param_group(const OptimizerParamGroup& group);  // throws as the constructor; the defaults where it has no options

  std::vector<OptimizerParamGroup>& param_groups() { return param_groups_; }
  const std::vector<OptimizerParamGroup>& param_groups() const { return param_groups_; }
  OptimizerOptions& defaults() { return *defaults_; }
  const OptimizerOptions& defaults() const { return *defaults_; }
  State& state() { return state_; }
  const State& state() const { return state_; }

  // Learning rates and state, for a file: "group.0.lr", "0.exp_avg", ... with the parameters counted through the groups.
  OrderedDict<std::string, Tensor> state_dict() const;
  // Throws ValueError, with nothing changed, for names, shapes or dtypes that another optimizer wrote.
  void load_state_dict(const OrderedDict<std::string, Tensor>& state);

 protected:
  // One parameter, unrecorded. `grad` has the parameter's shape and dtype. `state` is null at the first step.
  virtual void update(const Tensor& parameter, const Tensor& grad, const OptimizerOptions& options,
                      std::unique_ptr<OptimizerParamState>& state) = 0;
  // The inverse of OptimizerParamState::tensors(). Throws ValueError for names, shapes or dtypes that do not fit.
  virtual std::unique_ptr<OptimizerParamState> make_state(const OrderedDict<std::string, Tensor>& tensors,
                                                          const Tensor& parameter) const = 0;

 private:
  std::vector<OptimizerParamGroup> param_groups_;
  std::unique_ptr<OptimizerOptions> defaults_;
  State state_;
};

}  // namespace gb::optim
