// gradgradcheck: the backward pass is itself a function of (inputs, grad_outputs); gradcheck checks that one.
#include <fmt/format.h>

#include <random>

#include "autograd/autograd.h"
#include "core/autograd_state.h"
#include "core/error.h"
#include "library/jacobian.h"

namespace gb {
namespace {

// Uniform in [-1, 1); the same numbers on every machine.
std::vector<Tensor> random_like(const std::vector<Tensor>& outputs, uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<Tensor> grads;
  for (const Tensor& o : outputs) {
    grads.push_back(detail::zeros_of(o));
    double* data = grads.back().data_ptr<double>();
    for (int64_t i = 0; i < o.numel(); ++i) data[i] = 2 * (static_cast<double>(engine() >> 11) * 0x1p-53) - 1;
    grads.back().requires_grad_();
  }
  return grads;
}

}  // namespace

bool gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs,
                   const std::vector<Tensor>& grad_outputs, const GradcheckOptions& options) {
  std::vector<Tensor> given = grad_outputs;
  {
    const AutoGradMode grad_on(true);
    const std::vector<Tensor> outputs = detail::that_require_grad(f(inputs));
    if (given.empty()) given = random_like(outputs, options.seed);
    GB_CHECK_OR_THROW(given.size() == outputs.size(), ValueError,
                      .what = "gradgradcheck: one grad_output is needed per output that requires grad",
                      .cause = fmt::format("{} given, {} outputs require grad", given.size(), outputs.size()),
                      .repair = "pass as many, or none to have them drawn", .chapter = chapters::kAutograd);
  }
  std::vector<Tensor> both = inputs;
  both.insert(both.end(), given.begin(), given.end());
  const size_t n = inputs.size();
  const auto backward_of_f = [&f, n](const std::vector<Tensor>& all) {
    const std::vector<Tensor> xs(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n));
    const std::vector<Tensor> gs(all.begin() + static_cast<std::ptrdiff_t>(n), all.end());
    std::vector<Tensor> defined;  // inputs that the outputs do not depend on have none
    for (Tensor& g : autograd::grad(detail::that_require_grad(f(xs)), detail::that_require_grad(xs), gs,
                                    /*retain_graph=*/true,
                                    /*create_graph=*/true, /*allow_unused=*/true)) {
      if (g.defined()) defined.push_back(std::move(g));
    }
    return defined;
  };
  try {
    return gradcheck(backward_of_f, both, options);
  } catch (Error& e) {
    if (grad_outputs.empty())
      e.add_context(fmt::format("while gradgradcheck ran with grad_outputs drawn by seed {}", options.seed));
    throw;
  }
}

}  // namespace gb
