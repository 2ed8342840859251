#include "library/jacobian.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "autograd/autograd.h"
#include "core/error.h"
#include "ops/common/empty.h"

namespace gb::detail {
namespace {

// Where element `index` (row-major) lies, in elements from the start of the data.
int64_t offset_of(const Tensor& t, int64_t index) {
  int64_t offset = 0;
  for (int64_t d = t.dim() - 1; d >= 0; --d) {
    const auto i = static_cast<size_t>(d);
    offset += index % t.sizes()[i] * t.strides()[i];
    index /= t.sizes()[i];
  }
  return offset;
}

// Moves a whole input by `step` times `direction` for a scope.
class Moved {
 public:
  Moved(const Tensor& t, const std::vector<double>& direction, double step) : t_(t), before_(elements(t)) {
    for (size_t i = 0; i < before_.size(); ++i) element(t, static_cast<int64_t>(i)) = before_[i] + step * direction[i];
  }
  ~Moved() {
    for (size_t i = 0; i < before_.size(); ++i) element(t_, static_cast<int64_t>(i)) = before_[i];
  }
  Moved(const Moved&) = delete;
  Moved& operator=(const Moved&) = delete;

 private:
  const Tensor& t_;
  const std::vector<double> before_;
};

// Changes one element for a scope.
class Perturbed {
 public:
  Perturbed(double& slot, double value) : slot_(slot), before_(slot) { slot_ = value; }
  ~Perturbed() { slot_ = before_; }
  Perturbed(const Perturbed&) = delete;
  Perturbed& operator=(const Perturbed&) = delete;

 private:
  double& slot_;
  double before_;
};

// Which size and dtype the outputs had; a perturbation must not change them.
void check_same_geometry(const Tensor& now, const Tensor& before, size_t which) {
  GB_CHECK_OR_THROW(
      now.sizes() == before.sizes() && now.scalar_type() == before.scalar_type(), GradcheckError,
      .what =
          fmt::format("gradcheck: output {} changes its shape or dtype with the values of the inputs", which),
      .cause = fmt::format("{} of {} became {} of {} when one element moved by eps",
                           toString(before.scalar_type()), to_string(before.sizes()),
                           toString(now.scalar_type()), to_string(now.sizes())),
      .repair = "check a function whose result has a fixed shape near the inputs",
      .chapter = chapters::kAutograd);
}

// The values of the outputs number `which` of f, which looked like `before`.
std::vector<std::vector<double>> values_of(const TensorFunction& f, const std::vector<Tensor>& inputs,
                                           const std::vector<size_t>& which, const std::vector<Tensor>& before) {
  const std::vector<Tensor> all = f(inputs);
  std::vector<std::vector<double>> values;
  for (size_t k = 0; k < which.size(); ++k) {
    check_same_geometry(all.at(which[k]), before[k], which[k]);
    values.push_back(elements(all[which[k]]));
  }
  return values;
}

Jacobians empty_jacobians(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs) {
  Jacobians all;
  for (const Tensor& output : outputs) {
    auto& row = all.emplace_back();
    for (const Tensor& input : inputs)
      row.emplace_back(output.numel(), input.requires_grad() ? input.numel() : 0);
  }
  return all;
}

}  // namespace

double& element(const Tensor& t, int64_t index) { return t.data_ptr<double>()[offset_of(t, index)]; }

std::vector<double> elements(const Tensor& t) {
  std::vector<double> values(static_cast<size_t>(t.numel()));
  for (int64_t i = 0; i < t.numel(); ++i) values[static_cast<size_t>(i)] = element(t, i);
  return values;
}

bool has_internal_overlap(const Tensor& t) {
  std::vector<int64_t> offsets;
  for (int64_t i = 0; i < t.numel(); ++i) offsets.push_back(offset_of(t, i));
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

Tensor zeros_of(const Tensor& like) {
  const Tensor zeros = empty_cpu(like.sizes(), kDouble);
  std::fill_n(zeros.data_ptr<double>(), zeros.numel(), 0.0);
  return zeros;
}

std::vector<Tensor> that_require_grad(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> chosen;
  for (const Tensor& t : tensors) {
    if (t.defined() && t.requires_grad()) chosen.push_back(t);
  }
  return chosen;
}

Jacobians numerical_jacobians(const TensorFunction& f, const std::vector<Tensor>& inputs,
                              const std::vector<size_t>& which, double eps) {
  const std::vector<Tensor> all = f(inputs);
  std::vector<Tensor> outputs;
  for (size_t o : which) outputs.push_back(all.at(o));
  Jacobians jacobians = empty_jacobians(outputs, inputs);

  // The values of the chosen outputs, with element c of input i at `value`.
  const auto run = [&](size_t i, int64_t c, double value) {
    const Perturbed perturbed(element(inputs[i], c), value);
    return values_of(f, inputs, which, outputs);
  };
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad()) continue;
    for (int64_t c = 0; c < inputs[i].numel(); ++c) {
      const double x = element(inputs[i], c);
      const auto below = run(i, c, x - eps), above = run(i, c, x + eps);
      for (size_t k = 0; k < which.size(); ++k) {
        for (int64_t r = 0; r < outputs[k].numel(); ++r) {
          const auto at = static_cast<size_t>(r);
          jacobians[k][i].at(r, c) = (above[k][at] - below[k][at]) / (2 * eps);
        }
      }
    }
  }
  return jacobians;
}

std::vector<double> numerical_products(const TensorFunction& f, const std::vector<Tensor>& inputs, size_t input,
                                       const std::vector<double>& u, const std::vector<Tensor>& outputs,
                                       const std::vector<size_t>& which, const std::vector<std::vector<double>>& vs,
                                       double eps) {
  const auto run = [&](double step) {
    const Moved moved(inputs[input], u, step);
    return values_of(f, inputs, which, outputs);
  };
  const auto below = run(-eps), above = run(eps);
  std::vector<double> products;
  for (size_t k = 0; k < which.size(); ++k) {
    double product = 0;
    for (size_t r = 0; r < vs[k].size(); ++r) product += vs[k][r] * (above[k][r] - below[k][r]) / (2 * eps);
    products.push_back(product);
  }
  return products;
}

namespace {

// v^T d output / d input for each input; empty for those that do not require grad, zeros where no path leads to one.
std::vector<std::vector<double>> pulled_back(const Tensor& output, const Tensor& v, const std::vector<Tensor>& inputs) {
  const std::vector<Tensor> wanted = that_require_grad(inputs);
  const std::vector<Tensor> grads = autograd::grad({output}, wanted, {v}, /*retain_graph=*/true, /*create_graph=*/false,
                                                   /*allow_unused=*/true);
  std::vector<std::vector<double>> rows(inputs.size());
  for (size_t i = 0, w = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad()) continue;
    const Tensor& grad = grads[w++];
    if (!grad.defined()) {
      rows[i].resize(static_cast<size_t>(inputs[i].numel()));
      continue;
    }
    GB_CHECK_OR_THROW(grad.sizes() == inputs[i].sizes() && grad.scalar_type() == kDouble, GradcheckError,
                      .what = "gradcheck: Analytical gradient has incorrect size",
                      .cause = fmt::format("input {} is {} of {}, its gradient {} of {}", i,
                                           toString(inputs[i].scalar_type()), to_string(inputs[i].sizes()),
                                           toString(grad.scalar_type()), to_string(grad.sizes())),
                      .repair = "return from backward a gradient of the input's own shape and dtype",
                      .chapter = chapters::kAutograd);
    rows[i] = elements(grad);
  }
  return rows;
}

}  // namespace

Jacobians analytical_jacobians(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs) {
  Jacobians jacobians = empty_jacobians(outputs, inputs);
  for (size_t k = 0; k < outputs.size(); ++k) {
    for (int64_t r = 0; r < outputs[k].numel(); ++r) {
      const Tensor one_hot = zeros_of(outputs[k]);
      one_hot.data_ptr<double>()[r] = 1;
      const auto rows = pulled_back(outputs[k], one_hot, inputs);
      for (size_t i = 0; i < inputs.size(); ++i)
        for (size_t c = 0; c < rows[i].size(); ++c) jacobians[k][i].at(r, static_cast<int64_t>(c)) = rows[i][c];
    }
  }
  return jacobians;
}

Jacobians vector_jacobians(const std::vector<std::vector<double>>& vs, const std::vector<Tensor>& outputs,
                           const std::vector<Tensor>& inputs) {
  Jacobians products;
  for (size_t k = 0; k < outputs.size(); ++k) {
    const Tensor v = zeros_of(outputs[k]);
    std::copy(vs[k].begin(), vs[k].end(), v.data_ptr<double>());
    auto& row = products.emplace_back();
    for (std::vector<double>& values : pulled_back(outputs[k], v, inputs)) {
      row.emplace_back(1, static_cast<int64_t>(values.size()));
      row.back().values = std::move(values);
    }
  }
  return products;
}

std::string print_around(const Jacobian& numerical, const Jacobian& analytical, const JacobianEntry& entry) {
  constexpr int64_t window = 6;
  const auto first = [](int64_t centre, int64_t count) {
    return std::max<int64_t>(0, std::min(centre - window / 2, count - window));
  };
  const int64_t r0 = first(entry.row, numerical.rows), c0 = first(entry.column, numerical.columns);
  const int64_t r1 = std::min(r0 + window, numerical.rows), c1 = std::min(c0 + window, numerical.columns);
  const auto print = [&](const char* title, const Jacobian& j) {
    std::string text = fmt::format("{} ({} x {}; rows {} to {}, columns {} to {}):\n", title, j.rows,
                                   j.columns, r0, r1 - 1, c0, c1 - 1);
    for (int64_t r = r0; r < r1; ++r) {
      text += "   ";
      for (int64_t c = c0; c < c1; ++c) text += fmt::format(" {:>12.5g}", j.at(r, c));
      text += "\n";
    }
    return text;
  };
  return print("numerical", numerical) + print("analytical", analytical);
}

}  // namespace gb::detail
