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
    const std::vector<Tensor> moved = f(inputs);
    std::vector<std::vector<double>> values;
    for (size_t k = 0; k < which.size(); ++k) {
      check_same_geometry(moved.at(which[k]), outputs[k], which[k]);
      values.push_back(elements(moved[which[k]]));
    }
    return values;
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

Jacobians analytical_jacobians(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs) {
  Jacobians jacobians = empty_jacobians(outputs, inputs);
  std::vector<Tensor> wanted;
  std::vector<size_t> number;  // of each in inputs
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad()) continue;
    wanted.push_back(inputs[i]);
    number.push_back(i);
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    for (int64_t r = 0; r < outputs[k].numel(); ++r) {
      const Tensor one_hot = zeros_of(outputs[k]);
      one_hot.data_ptr<double>()[r] = 1;
      const std::vector<Tensor> grads = autograd::grad({outputs[k]}, wanted, {one_hot}, /*retain_graph=*/true,
                                                       /*create_graph=*/false, /*allow_unused=*/true);
      for (size_t w = 0; w < wanted.size(); ++w) {
        if (!grads[w].defined()) continue;  // no path: the row stays zero
        GB_CHECK_OR_THROW(
            grads[w].sizes() == wanted[w].sizes() && grads[w].scalar_type() == kDouble, GradcheckError,
            .what = "gradcheck: Analytical gradient has incorrect size",
            .cause = fmt::format("input {} is {} of {}, its gradient {} of {}", number[w],
                                 toString(wanted[w].scalar_type()), to_string(wanted[w].sizes()),
                                 toString(grads[w].scalar_type()), to_string(grads[w].sizes())),
            .repair = "return from backward a gradient of the input's own shape and dtype",
            .chapter = chapters::kAutograd);
        const std::vector<double> row = elements(grads[w]);
        for (size_t c = 0; c < row.size(); ++c)
          jacobians[k][number[w]].at(r, static_cast<int64_t>(c)) = row[c];
      }
    }
  }
  return jacobians;
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
