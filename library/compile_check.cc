#include "library/compile_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "autograd/autograd.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "library/boxed_tensors.h"
#include "library/registration.h"
#include "ops/common/empty.h"

namespace gb {
namespace {

std::atomic<OpcheckCompiler> g_compiler = nullptr;

std::string reason_to_skip(const FunctionSchema& schema) {
  if (!g_compiler.load()) return "compile/ is not linked in";
  if (schema.is_mutable()) return "compile/ refuses operators that write an argument: it does not functionalize";
  for (const Argument& r : schema.returns()) {
    if (!detail::holds_tensors(*r.type())) return "compile/ cannot capture results that are not tensors";
  }
  return "";
}

// The operator as a function of its tensors alone: what the compiler takes.
CompiledCallable function_of_tensors(const OperatorHandle& op, const Stack& arguments) {
  return [op, arguments](const std::vector<Tensor>& inputs) {
    size_t next = 0;
    Stack stack;
    for (const IValue& v : arguments) stack.push_back(map_tensors(v, [&](const Tensor&) { return inputs.at(next++); }));
    op.callBoxed(stack);
    return tensors_in(stack);
  };
}

struct Run {
  std::vector<Tensor> outputs, gradients;  // undefined where an input has no gradient
};

// Weights that no symmetry of an operator cancels, as the sum of softmax would.
Tensor weights_like(const Tensor& t) {
  const Tensor w = empty_cpu(t.sizes(), kDouble);
  for (int64_t i = 0; i < w.numel(); ++i) w.data_ptr<double>()[i] = std::cos(static_cast<double>(i) + 1);
  return w.to(t.options());
}

Run run(const CompiledCallable& f, const Stack& arguments) {
  const std::vector<Tensor> inputs = tensors_in(arguments);
  Run result;
  result.outputs = f(inputs);
  std::vector<Tensor> recorded, weights, wanted;
  for (const Tensor& t : result.outputs) {
    if (t.requires_grad()) recorded.push_back(t), weights.push_back(weights_like(t));
  }
  for (const Tensor& t : inputs) {
    if (t.requires_grad()) wanted.push_back(t);
  }
  if (recorded.empty() || wanted.empty()) return result;
  result.gradients = autograd::grad(recorded, wanted, weights, /*retain_graph=*/false, /*create_graph=*/false,
                                    /*allow_unused=*/true);
  return result;
}

Tolerance defaults(ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return {1e-7, 1e-7};
    case kFloat:
      return {1e-5, 1.3e-6};
    case kHalf:
      return {1e-5, 1e-3};
    case kBFloat16:
      return {1e-5, 1.6e-2};
    default:
      return {0, 0};
  }
}

std::vector<double> numbers(const Tensor& t) {
  const Tensor wide = t.detach().to(kCPU).to(kDouble).contiguous();
  const double* data = wide.const_data_ptr<double>();
  return {data, data + wide.numel()};
}

class Comparison {
 public:
  Comparison(const OperatorHandle& op, const Tolerance& tolerance) : op_(op), tolerance_(tolerance) {}

  void lists(const char* what, const std::vector<Tensor>& eager, const std::vector<Tensor>& compiled) const {
    if (eager.size() != compiled.size()) {
      disagree(fmt::format("number of {}s", what), fmt::format("eager {}, compiled {}", eager.size(), compiled.size()));
    }
    for (size_t i = 0; i < eager.size(); ++i) tensors(fmt::format("{} {}", what, i), eager[i], compiled[i]);
  }

 private:
  [[noreturn]] void disagree(const std::string& what, const std::string& evidence) const {
    GB_THROW(
        CompileCheckError,
        .what = fmt::format("{}: compiled code disagrees with eager: {}", toString(op_.operator_name()), what),
        .cause = fmt::format("contract: the same arguments give the same results and gradients, captured or not: {}\n"
                             "           evidence: {}",
                             to_string(op_.schema()), evidence),
        .repair = "make the kernels pure functions of their arguments, and the fake agree with them",
        .chapter = chapters::kCustomOps);
  }

  void tensors(const std::string& which, const Tensor& eager, const Tensor& compiled) const {
    const auto same = [&](const char* what, const std::string& e, const std::string& c) {
      if (e != c) disagree(fmt::format("{} of {}", what, which), fmt::format("eager {}, compiled {}", e, c));
    };
    same("presence", eager.defined() ? "a tensor" : "undefined", compiled.defined() ? "a tensor" : "undefined");
    if (!eager.defined()) return;
    same("dtype", toString(eager.scalar_type()), toString(compiled.scalar_type()));
    same("sizes", to_string(eager.sizes()), to_string(compiled.sizes()));
    same("strides", to_string(eager.strides()), to_string(compiled.strides()));
    same("requires_grad", eager.requires_grad() ? "yes" : "no", compiled.requires_grad() ? "yes" : "no");
    values(which, numbers(eager), numbers(compiled), defaults(eager.scalar_type()));
  }

  void values(const std::string& which, const std::vector<double>& e, const std::vector<double>& c,
              const Tolerance& by_dtype) const {
    const double atol = tolerance_.atol.value_or(*by_dtype.atol), rtol = tolerance_.rtol.value_or(*by_dtype.rtol);
    size_t worst = 0, differ = 0;
    double largest = -1;
    for (size_t i = 0; i < e.size(); ++i) {
      const double difference = std::abs(e[i] - c[i]);
      const bool equal = e[i] == c[i] || (std::isnan(e[i]) && std::isnan(c[i]));
      if (equal || difference <= atol + rtol * std::abs(e[i])) continue;  // a NaN on one side only is never within
      ++differ;
      if (std::isnan(difference) || difference > largest) {
        worst = i;
        largest = std::isnan(difference) ? INFINITY : difference;
      }
    }
    if (differ == 0) return;
    disagree("values of " + which,
             fmt::format(
                 "element {}: eager {}, compiled {}; {} of {} elements differ by more than atol {} + rtol {} * |eager|",
                 worst, e[worst], c[worst], differ, e.size(), atol, rtol));
  }

  OperatorHandle op_;
  Tolerance tolerance_;
};

}  // namespace

void set_opcheck_compiler(OpcheckCompiler compiler) { g_compiler = compiler; }

std::string check_compiled(const OperatorHandle& op, ArrayRef<IValue> arguments, const Tolerance& tolerance) {
  const std::string reason = reason_to_skip(op.schema());
  if (!reason.empty()) return reason;
  const AutoGradMode grad_on(true);
  const Stack for_eager = copies_of(arguments), for_compiled = copies_of(arguments);
  const Run eager = run(function_of_tensors(op, for_eager), for_eager);
  const Run compiled = run(g_compiler.load()(function_of_tensors(op, for_compiled)), for_compiled);
  const Comparison comparison(op, tolerance);
  comparison.lists("output", eager.outputs, compiled.outputs);
  comparison.lists("gradient", eager.gradients, compiled.gradients);
  return "";
}

}  // namespace gb
