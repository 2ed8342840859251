// Sequential: modules one behind the other: the output of each is the input of the next.
//
//   Sequential model(Linear(3, 4), Functional(relu), Linear(4, 2));        // "0.weight", "2.weight", ...
//   Sequential named({{"fc1", Linear(3, 4)}, {"fc2", Linear(4, 2)}});     // "fc1.weight", ...
//   Tensor y = model->forward(x);
//
// What may be put in: any_module.h. Source: torch/nn/modules/container/sequential.h.
#pragma once

#include <initializer_list>

#include "nn/cloneable.h"
#include "nn/containers/any_module.h"

namespace gb::nn {

namespace detail {
[[noreturn]] void throw_empty_sequential();
void check_module_index(size_t index, size_t size, const char* container);  // throws IndexError
}  // namespace detail

class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  SequentialImpl() = default;
  template <class... Modules>
    requires(sizeof...(Modules) > 0 && (std::is_constructible_v<AnyModule, const Modules&> && ...))
  explicit SequentialImpl(const Modules&... modules) {
    (push_back(AnyModule(modules)), ...);
  }
  SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
    for (const NamedAnyModule& module : modules) push_back(module.name(), module.module());
  }

  // Under its number, or under a name.
  void push_back(const AnyModule& module) { push_back(std::to_string(size()), module); }
  void push_back(std::string name, const AnyModule& module) {
    register_module(std::move(name), module.ptr());
    modules_.push_back(module);
  }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  // Throws Error for an empty one, TypeError where a module gets or gives another type than it should.
  template <class Return = Tensor, class... Inputs>
  Return forward(Inputs&&... inputs) const {
    if (is_empty()) detail::throw_empty_sequential();
    std::any value = modules_.front().any_forward(std::forward<Inputs>(inputs)...);
    for (size_t i = 1; i < size(); ++i) value = modules_[i].any_forward(std::move(value));
    return AnyModule::result_as<Return>(std::move(value));
  }

  template <class M>
  M& at(size_t index) const {
    return checked(index).get<M>();
  }
  std::shared_ptr<Module> ptr(size_t index) const { return checked(index).ptr(); }
  template <class M>
  std::shared_ptr<M> ptr(size_t index) const {
    return checked(index).template ptr<M>();
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }
  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }
  auto begin() const { return modules_.begin(); }
  auto end() const { return modules_.end(); }

  void reset() override {}
  ModulePtr clone(const std::optional<Device>& device = std::nullopt) const override;
  void pretty_print(std::ostream& stream) const override;

 private:
  const AnyModule& checked(size_t index) const {
    detail::check_module_index(index, size(), "Sequential");
    return modules_[index];
  }

  std::vector<AnyModule> modules_;
};

class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  Sequential(std::initializer_list<NamedAnyModule> modules) : ModuleHolder(std::make_shared<SequentialImpl>(modules)) {}
};

}  // namespace gb::nn
