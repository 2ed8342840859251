// What the kernels of layer norm, of the loss and of the optimizers must do: as kernels/cpu does it in double.
#pragma once

#include "core/error.h"
#include "kernels/cpu/nll_loss.h"
#include "kernels/cuda/cases/machine.h"
#include "kernels/cuda/layer_norm/layer_norm.h"
#include "kernels/cuda/loss/nll_loss.h"
#include "kernels/cuda/optim/optim.h"

namespace gb::cuda::cases {

// The arrays of one run: of `dtype` on the machine under test, or of double on the host.
struct LayerNormRun {
  LayerNormRun(Machine& machine, ScalarType dtype, size_t rows, size_t n, const Values& vx, const Values& vg,
               const Values& vw, const Values& vb, const Values& vm, const Values& vr)
      : x(machine, dtype, vx), grad(machine, dtype, vg), weight(machine, dtype, vw), bias(machine, dtype, vb),
        saved_mean(machine, dtype, vm), saved_rstd(machine, dtype, vr), y(machine, dtype, Values(rows * n)),
        mean(machine, dtype, Values(rows)), rstd(machine, dtype, Values(rows)), dx(machine, dtype, Values(rows * n)),
        dw(machine, dtype, Values(n, 5)), db(machine, dtype, Values(n, 5)) {}
  LayerNormGradients gradients() const { return {dx.data(), dw.data(), db.data()}; }
  LayerNormInputs inputs(bool affine) const {
    return {grad.data(), x.data(), saved_mean.data(), saved_rstd.data(), affine ? weight.data() : nullptr};
  }
  Array x, grad, weight, bias, saved_mean, saved_rstd, y, mean, rstd, dx, dw, db;
};

inline void layer_norm_matches(Machine& machine, ScalarType dtype, int64_t rows, int64_t n, bool affine) {
  INFO("layer_norm on " << toString(dtype) << " [" << rows << ", " << n << "]");
  const size_t r = static_cast<size_t>(rows), c = static_cast<size_t>(n);
  const auto values = [&](size_t count, unsigned seed, double low, double high) {
    return rounded(dtype, random_values(count, seed, low, high));
  };
  const Values vx = values(r * c, 1, -2, 3), vg = values(r * c, 2, -1, 1), vw = values(c, 3, 0.5, 2),
               vb = values(c, 4, -1, 1), vm = values(r, 5, 0.4, 0.6), vr = values(r, 6, 0.6, 0.8);
  HostMemory host;
  const LayerNormRun got(machine, dtype, r, c, vx, vg, vw, vb, vm, vr), want(host, kDouble, r, c, vx, vg, vw, vb, vm, vr);
  layer_norm(dtype, got.y.data(), got.mean.data(), got.rstd.data(), got.x.data(), affine ? got.weight.data() : nullptr,
             affine ? got.bias.data() : nullptr, 1e-5, rows, n, nullptr);
  cpu::layer_norm(kDouble, want.y.data(), want.mean.data(), want.rstd.data(), want.x.data(),
                  affine ? want.weight.data() : nullptr, affine ? want.bias.data() : nullptr, 1e-5, rows, n);
  layer_norm_backward(dtype, got.gradients(), got.inputs(affine), rows, n, nullptr);
  cpu::layer_norm_backward(kDouble, want.gradients(), want.inputs(affine), rows, n);
  for (auto part : {&LayerNormRun::y, &LayerNormRun::mean, &LayerNormRun::rstd, &LayerNormRun::dx})
    check_close((got.*part).values(), (want.*part).values(), 2 * tolerance(dtype));
  for (auto part : {&LayerNormRun::dw, &LayerNormRun::db})
    check_close((got.*part).values(), (want.*part).values(), 2 * tolerance(dtype), 8);
}

inline void layer_norm_cases(Machine& machine) {
  for (ScalarType dtype : kFloating)
    for (auto [rows, n] : {std::pair<int64_t, int64_t>{1, 1}, {9, 64}, {40, 33}, {2, 2100}, {530, 3}, {0, 8}})
      for (bool affine : {true, false}) layer_norm_matches(machine, dtype, rows, n, affine);
  CHECK_THROWS_AS(layer_norm(kLong, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, 0, 0, nullptr),
                  NotImplementedError);
}

inline void nll_matches(Machine& machine, ScalarType dtype, int64_t rows, int64_t classes, bool weighted) {
  INFO("nll_loss on " << toString(dtype) << " [" << rows << ", " << classes << "]");
  const size_t r = static_cast<size_t>(rows), all = static_cast<size_t>(rows * classes);
  const Values vx = rounded(dtype, random_values(all, 1)), vg = random_values(r, 2),
               vw = rounded(dtype, random_values(static_cast<size_t>(classes), 3, 0.5, 2));
  Values vt(r);
  for (size_t i = 0; i < r; ++i) vt[i] = i % 5 == 3 ? -100 : static_cast<double>(i % static_cast<size_t>(classes));
  const auto run = [&](Machine& on, ScalarType as, bool on_cpu) {
    Array x(on, as, vx), t(on, kLong, vt), w(on, as, vw), g(on, kDouble, vg), value(on, kDouble, Values(r, 9)),
        used(on, kDouble, Values(r, 9)), dx(on, as, Values(all, 9));
    const void* weight = weighted ? w.data() : nullptr;
    double *values = static_cast<double*>(value.data()), *shares = static_cast<double*>(used.data());
    const double* grad = static_cast<const double*>(g.data());
    if (on_cpu) {
      cpu::nll_loss(as, values, shares, x.data(), t.as_index(), weight, rows, classes, -100);
      cpu::nll_loss_backward(as, dx.data(), grad, t.as_index(), weight, rows, classes, -100);
    } else {
      nll_loss(as, values, shares, x.data(), t.as_index(), weight, rows, classes, -100, nullptr);
      nll_loss_backward(as, dx.data(), grad, t.as_index(), weight, rows, classes, -100, nullptr);
    }
    Values result = value.values();
    for (const Values& more : {used.values(), dx.values()}) result.insert(result.end(), more.begin(), more.end());
    return result;
  };
  HostMemory host;
  check_close(run(machine, dtype, false), run(host, kDouble, true), tolerance(dtype));
}

inline void nll_cases(Machine& machine) {
  for (ScalarType dtype : kFloating)
    for (bool weighted : {true, false})
      for (auto [rows, classes] : {std::pair<int64_t, int64_t>{1, 1}, {300, 7}, {0, 3}})
        nll_matches(machine, dtype, rows, classes, weighted);
}

inline void optimizer_cases(Machine& machine) {
  const AdamWStep adam{.decay = 0.99, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .step_size = 0.02, .sqrt_bias_correction2 = 0.3};
  SgdStep sgd_step{.lr = 0.1, .momentum = 0.9, .dampening = 0, .weight_decay = 0.01, .nesterov = true, .first = true};
  for (ScalarType dtype : kFloating) {
    INFO("optimizers on " << toString(dtype));
    const auto values = [&](unsigned seed, double low) { return rounded(dtype, random_values(600, seed, low, 1)); };
    for (bool optional : {true, false}) {  // amsgrad, momentum
      const auto run = [&](Machine& on, ScalarType as, bool on_cpu) {
        Array p(on, as, values(1, -1)), g(on, as, values(2, -1)), m(on, as, values(3, -1)), v(on, as, values(4, 0)),
            most(on, as, values(5, 0)), buffer(on, as, values(6, -1));
        const AdamWArrays arrays{p.data(), g.data(), m.data(), v.data(), optional ? most.data() : nullptr};
        const SgdArrays sgd_arrays{p.data(), g.data(), optional ? buffer.data() : nullptr};
        SgdStep second = sgd_step;
        second.first = second.nesterov = false;
        if (on_cpu) {
          cpu::adamw(as, arrays, 600, adam);
          cpu::sgd(as, sgd_arrays, 600, sgd_step);
          cpu::sgd(as, sgd_arrays, 600, second);
        } else {
          adamw(as, arrays, 600, adam, nullptr);
          sgd(as, sgd_arrays, 600, sgd_step, nullptr);
          sgd(as, sgd_arrays, 600, second, nullptr);
        }
        Values result = p.values();
        for (const Array* more : {&m, &v, &most, &buffer}) {
          const Values found = more->values();
          result.insert(result.end(), found.begin(), found.end());
        }
        return result;
      };
      HostMemory host;
      check_close(run(machine, dtype, false), run(host, kDouble, true), 3 * tolerance(dtype));  // p is rounded 3 times
    }
  }
}

}  // namespace gb::cuda::cases
