#include "library/gradcheck.h"

#include <fmt/format.h>

#include <algorithm>

#include "autograd/autograd.h"
#include "autograd/basic_nodes.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "library/compare_jacobians.h"
#include "library/fast_gradcheck.h"

namespace gb {
namespace detail {

void check_input_count(size_t wanted, size_t given) {
  GB_CHECK_OR_THROW(wanted == given, ValueError,
                    .what = "gradcheck: the function and the list of inputs do not fit",
                    .cause = fmt::format("the function takes {} tensors, the list has {}", wanted, given),
                    .repair = "pass one input per parameter", .chapter = chapters::kAutograd);
}

}  // namespace detail

namespace {

using detail::Jacobian;
using detail::Jacobians;

void check_inputs(const std::vector<Tensor>& inputs) {
  bool any = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i];
    if (!x.defined() || !x.requires_grad()) continue;
    any = true;
    GB_CHECK_OR_THROW(
        x.scalar_type() == kDouble, TypeError,
        .what = "gradcheck: inputs that require grad must be float64 (double precision)",
        .cause =
            fmt::format("input {} is {} of sizes {}; with eps 1e-6 its rounding alone exceeds the tolerance",
                        i, toString(x.scalar_type()), to_string(x.sizes())),
        .repair = "make the inputs with dtype kDouble (x.to(kDouble))", .chapter = chapters::kAutograd);
    GB_CHECK_OR_THROW(x.is_cpu(), ValueError,
                      .what = "gradcheck: inputs that require grad must be on the CPU",
                      .cause = fmt::format("input {} is on {}", i, x.device().str()),
                      .repair = "move the input to the CPU; let the function move it to the device",
                      .chapter = chapters::kAutograd);
    GB_CHECK_OR_THROW(
        !detail::has_internal_overlap(x), ValueError,
        .what = fmt::format("gradcheck: the elements of input {} overlap in memory", i),
        .cause = fmt::format("sizes {}, strides {} (a stride of 0 comes from expand): perturbing one element "
                             "would move others too",
                             to_string(x.sizes()), to_string(x.strides())),
        .repair = "pass x.contiguous(), or expand inside the function", .chapter = chapters::kAutograd);
  }
  GB_CHECK_OR_THROW(
      any, ValueError,
      .what =
          "gradcheck: expects at least one input tensor to require gradient, but none has requires_grad=True",
      .cause = fmt::format("{} inputs", inputs.size()),
      .repair = "call requires_grad_() on the inputs to check", .chapter = chapters::kAutograd);
}

// Numbers of the outputs with requires_grad == `wanted` and elements that can be compared.
std::vector<size_t> outputs_where(const std::vector<Tensor>& outputs, bool wanted) {
  std::vector<size_t> numbers;
  for (size_t o = 0; o < outputs.size(); ++o) {
    if (!outputs[o].defined() || outputs[o].requires_grad() != wanted) continue;
    const bool comparable = outputs[o].scalar_type() == kDouble && outputs[o].is_cpu();
    GB_CHECK_OR_THROW(
        comparable || !wanted, TypeError,
        .what = fmt::format("gradcheck: output {} is not float64 on the CPU", o),
        .cause = fmt::format("it is {} on {}", toString(outputs[o].scalar_type()), outputs[o].device().str()),
        .repair = "convert the result inside the function", .chapter = chapters::kAutograd);
    if (comparable) numbers.push_back(o);
  }
  return numbers;
}

// Throws at the first pair that differs, with its worst entry.
void check_slow(const TensorFunction& f, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs,
                const std::vector<size_t>& which, const GradcheckOptions& options, GradcheckReport& report) {
  const Jacobians numerical = detail::numerical_jacobians(f, inputs, which, options.eps);
  const Jacobians analytical = detail::analytical_jacobians(outputs, inputs);
  detail::check_same_twice(analytical, detail::analytical_jacobians(outputs, inputs), which, options.nondet_tol);
  for (size_t k = 0; k < which.size(); ++k) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      const auto text = detail::mismatch(numerical[k][i], analytical[k][i], which[k], i, options, report);
      if (text) detail::throw_mismatch(which[k], i, *text);
    }
  }
}

bool undefined_or_zero(const std::vector<Tensor>& grads) {
  for (const Tensor& g : grads) {
    if (!g.defined()) continue;
    for (double v : detail::elements(g)) {
      if (v != 0) return false;
    }
  }
  return true;
}

void check_zero_grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> zeros;
  for (const Tensor& o : outputs) zeros.push_back(detail::zeros_of(o));
  const auto grads = autograd::grad(outputs, detail::that_require_grad(inputs), zeros, /*retain_graph=*/true,
                                    false, /*allow_unused=*/true);
  GB_CHECK_OR_THROW(
      undefined_or_zero(grads), GradcheckError, .what = "gradcheck: backward not multiplied by grad_output",
      .cause = "with a grad_output of zeros a gradient is not zero",
      .repair = "multiply what backward returns by its grad argument", .chapter = chapters::kAutograd);
}

// Runs backward with no gradient at all for the outputs in `undefined`, and with zeros for the others.
void check_undefined(const std::vector<Tensor>& outputs, const std::vector<bool>& undefined,
                     const std::vector<Tensor>& inputs) {
  std::vector<Tensor> roots, zeros;
  for (size_t o = 0; o < outputs.size(); ++o) {
    zeros.push_back(detail::zeros_of(outputs[o]));
    if (!undefined[o]) {
      roots.push_back(outputs[o]);
      continue;
    }
    roots.push_back(
        autograd::UndefinedGrad().apply({outputs[o]})[0]);  // the same value; its backward gives nothing
  }
  std::vector<Tensor> grads;
  try {
    grads = autograd::grad(roots, detail::that_require_grad(inputs), zeros, /*retain_graph=*/true, false,
                           /*allow_unused=*/true);
  } catch (const std::exception& e) {
    GB_THROW(
        GradcheckError, .what = "gradcheck: Expected backward function to handle undefined output grads",
        .cause = fmt::format("it threw: {}", e.what()),
        .repair = "return undefined gradients for an undefined grad (or keep materialized zeros switched on)",
        .chapter = chapters::kAutograd);
  }
  GB_CHECK_OR_THROW(undefined_or_zero(grads), GradcheckError,
                    .what =
                        "gradcheck: Expected all input grads to be undefined or zero when all output grads "
                        "are undefined or zero",
                    .cause = "with undefined grad_outputs a gradient is not zero",
                    .repair = "multiply what backward returns by its grad argument",
                    .chapter = chapters::kAutograd);
}

// [anchor: steps]
void run_checks(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options,
                GradcheckReport& report) {
  check_inputs(inputs);
  const AutoGradMode grad_on(true);
  const std::vector<Tensor> all_outputs = f(inputs);
  const std::vector<size_t> which = outputs_where(all_outputs, /*wanted=*/true);
  if (which.empty()) {  // nothing depends on the inputs, the tape says: then nothing may move
    const std::vector<size_t> constant = outputs_where(all_outputs, /*wanted=*/false);
    for (const auto& row : detail::numerical_jacobians(f, inputs, constant, options.eps)) {
      for (const Jacobian& j : row) {
        GB_CHECK_OR_THROW(
            std::all_of(j.values.begin(), j.values.end(), [](double v) { return v == 0; }), GradcheckError,
            .what = "gradcheck: Numerical gradient for function expected to be zero",
            .cause = "no output requires grad, yet the outputs move with the inputs",
            .repair = "register a gradient, and compute with grad mode on (no detach, no NoGradGuard)",
            .chapter = chapters::kAutograd);
        report.entries += static_cast<int64_t>(j.values.size());
      }
    }
    return;
  }
  const std::vector<Tensor> outputs = detail::that_require_grad(all_outputs);
  const auto check = options.fast_mode ? detail::check_fast : check_slow;
  check(f, inputs, outputs, which, options, report);
  check_zero_grad(outputs, inputs);
  if (!options.check_undefined_grad) return;
  check_undefined(outputs, std::vector<bool>(outputs.size(), true), inputs);
  for (size_t o = 0; outputs.size() > 1 && o < outputs.size(); ++o) {
    std::vector<bool> only(outputs.size(), false);
    only[o] = true;
    check_undefined(outputs, only, inputs);
  }
}

}  // namespace

GradcheckReport gradcheck_report(const TensorFunction& f, const std::vector<Tensor>& inputs,
                                 const GradcheckOptions& options) {
  GradcheckReport report;
  try {
    run_checks(f, inputs, options, report);
    report.passed = true;
  } catch (const GradcheckError& e) {
    report.message = e.msg();
  }
  return report;
}

bool gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options) {
  if (!options.raise_exception) return gradcheck_report(f, inputs, options).passed;
  GradcheckReport report;
  run_checks(f, inputs, options, report);
  return true;
}

std::string to_string(const GradcheckReport& report) {
  if (report.entries == 0)
    return report.passed ? "gradcheck passed: the function has no entries to compare" : "gradcheck failed";
  return fmt::format("gradcheck {}: {} entries compared, largest difference of output {} by input {} {}",
                     report.passed ? "passed" : "failed", report.entries, report.worst.output,
                     report.worst.input, detail::describe(report.worst));
}

}  // namespace gb
