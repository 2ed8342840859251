// gradcheck and gradgradcheck once more, as plainly as they can be written, on the tape of the library given by its Api:
// LibTorch has none of its own in C++. The steps and their order are those of torch/autograd/gradcheck.py.
#pragma once

#include <cmath>
#include <functional>

#include "library/mistakes_of.h"
#include "tests/libtorch/verdicts.h"

namespace gb::tests::libtorch {

template <class Api>
class VerdictsOf {
  using Tensor = typename Api::Tensor;
  using Tensors = std::vector<Tensor>;
  using F = std::function<Tensors(const Tensors&)>;
  using Numbers = std::vector<double>;

 public:
  static std::vector<Verdicts> all() {
    std::vector<Verdicts> verdicts;
    for (const MistakeOf<Api>& mistake : MistakesOf<Api>::all()) {
      Tensors inputs;
      for (const std::vector<int64_t>& sizes : mistake.inputs) inputs.push_back(leaf(sizes, inputs.size()));
      verdicts.push_back({mistake.name, verdict(mistake.right, inputs), verdict(mistake.wrong, inputs)});
    }
    return verdicts;
  }

 private:
  static Tensor leaf(const std::vector<int64_t>& sizes, size_t n) {
    Numbers numbers;
    int64_t count = 1;
    for (const int64_t size : sizes) count *= size;
    for (int64_t i = 0; i < count; ++i) numbers.push_back(verdict_number(n, i));
    return Api::tensor(numbers, sizes).requires_grad_();
  }
  static Tensor with(const Tensor& like, int64_t element, double value) {
    Numbers numbers(static_cast<size_t>(like.numel()));
    numbers[static_cast<size_t>(element)] = value;
    return Api::tensor(numbers, sizes_of(like));
  }
  static std::vector<int64_t> sizes_of(const Tensor& t) { return {t.sizes().begin(), t.sizes().end()}; }

  static Verdict verdict(const F& f, const Tensors& inputs) {
    Verdict found;
    found.first = gradcheck(f, inputs, &found.jacobian);
    Tensors both = inputs;  // and the gradients of the outputs
    for (const Tensor& y : f(inputs)) both.push_back(leaf(sizes_of(y), 100 + both.size()));
    found.second = gradcheck([&](const Tensors& all) { return backward_of(f, all, inputs.size()); }, both, nullptr);
    return found;
  }

  static Tensors backward_of(const F& f, const Tensors& all, size_t inputs) {
    const Tensors xs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(inputs));
    const Tensors gs(all.begin() + static_cast<std::ptrdiff_t>(inputs), all.end());
    Tensors defined;
    for (const Tensor& g : Api::grad(f(xs), xs, gs, /*create_graph=*/true))
      if (g.defined()) defined.push_back(g);
    return defined;
  }

  // "" where f is accepted.
  static std::string gradcheck(const F& f, const Tensors& inputs, Numbers* jacobian) {
    Tensors outputs;
    for (const Tensor& y : f(inputs))
      if (y.requires_grad()) outputs.push_back(y);
    const Numbers numerical = by_differences(f, inputs), analytical = by_backward(outputs, inputs);
    if (by_backward(outputs, inputs) != analytical) return "Backward is not reentrant";
    if (jacobian) *jacobian = analytical;
    for (size_t i = 0; i < numerical.size(); ++i)
      if (!(std::abs(analytical[i] - numerical[i]) <= 1e-5 + 1e-3 * std::abs(numerical[i]))) return "Jacobian mismatch";
    Tensors zeros, nothing;
    for (const Tensor& y : outputs) zeros.push_back(with(y, 0, 0)), nothing.push_back(Api::without_gradient(y));
    if (!vanish(Api::grad(outputs, inputs, zeros))) return "backward not multiplied by grad_output";
    try {
      if (!vanish(Api::grad(nothing, inputs, zeros))) return "Expected all input grads to be undefined or zero";
    } catch (const std::exception&) {
      return "Expected backward function to handle undefined output grads";
    }
    return "";
  }

  // For each output element, for each input, for each of its elements; outputs that depend on nothing are left out.
  static Numbers by_differences(const F& f, const Tensors& inputs) {
    constexpr double kStep = 1e-6;
    std::vector<Numbers> columns;
    for (size_t n = 0; n < inputs.size(); ++n) {
      const Numbers at = Api::values(inputs[n]);
      for (size_t i = 0; i < at.size(); ++i) {
        const auto moved = [&](double by) {
          Numbers numbers = at;
          numbers[i] += by;
          Tensors xs = inputs;
          xs[n] = Api::tensor(numbers, sizes_of(inputs[n])).requires_grad_();
          Numbers values;
          for (const Tensor& y : f(xs))
            if (y.requires_grad())
              for (const double v : Api::values(y)) values.push_back(v);
          return values;
        };
        Numbers column = moved(kStep);
        const Numbers below = moved(-kStep);
        for (size_t r = 0; r < column.size(); ++r) column[r] = (column[r] - below[r]) / (2 * kStep);
        columns.push_back(column);
      }
    }
    Numbers jacobian;
    for (size_t r = 0; r < columns[0].size(); ++r)
      for (const Numbers& column : columns) jacobian.push_back(column[r]);
    return jacobian;
  }
  static Numbers by_backward(const Tensors& outputs, const Tensors& inputs) {
    Numbers jacobian;
    for (const Tensor& y : outputs)
      for (int64_t r = 0; r < y.numel(); ++r) {
        const Tensors row = Api::grad({y}, inputs, {with(y, r, 1)});
        for (size_t n = 0; n < inputs.size(); ++n)
          for (const double v : row[n].defined() ? Api::values(row[n]) : Numbers(static_cast<size_t>(inputs[n].numel())))
            jacobian.push_back(v);
      }
    return jacobian;
  }

  static bool vanish(const Tensors& grads) {
    for (const Tensor& g : grads)
      if (g.defined())
        for (const double v : Api::values(g))
          if (v != 0) return false;
    return true;
  }
};

}  // namespace gb::tests::libtorch
