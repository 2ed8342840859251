// The LM head on the device "own", against the CPU.
#include <fmt/format.h>

#include <map>

#include "glassbox.h"
#include "labs/private_use1.h"
#include "nn/grammar/model.h"

namespace gb::labs {
namespace {

// Notes the operators that arrive below autograd with a tensor of PrivateUse1, or with its device.
struct Arrivals final : DispatchMode {
  void dispatch(const OperatorHandle& op, DispatchKeySet ks, Stack* stack) override {
    const std::string name = toString(op.operator_name());
    const bool seen = calls.count(name) != 0;
    if (ks.has_backend(BackendComponent::PrivateUse1Bit) && !seen) order.push_back(op);
    if (ks.has_backend(BackendComponent::PrivateUse1Bit)) ++calls[name];
    op.redispatchBoxed(ks, stack);
  }
  std::string table() const {
    std::string text;
    for (const OperatorHandle& op : order) {
      const std::string name = toString(op.operator_name());
      text += fmt::format("  {:<30} {:>2}  {}\n", name, calls.at(name),
                          toString(op.entry().reason(DispatchKey::PrivateUse1)));
    }
    return text;
  }
  std::vector<OperatorHandle> order;
  std::map<std::string, int> calls;
};

struct Run {
  Tensor p, dx, dw, db;
};
Run run(const Tensor& x, const Tensor& w, const Tensor& b, const Tensor& dp) {
  const Tensor p = softmax(linear(x, w, b), -1);
  const std::vector<Tensor> grads = autograd::grad({p}, {x, w, b}, {dp});
  return {p.detach(), grads[0], grads[1], grads[2]};
}

// The number of elements that differ.
int64_t compare(const Tensor& own, const Tensor& cpu) {
  GB_CHECK_OR_THROW(own.device().type() == kPrivateUse1, Error,
                    .what = "own backend: a result is on another device", .cause = own.device().str(),
                    .repair = "this is a bug in the lab", .chapter = chapters::kDispatch);
  return own.cpu().ne(cpu).to(kLong).sum().item().toLong();
}

}  // namespace

std::string show_own_backend(uint64_t seed) {
  const Device own = use_own_backend();
  const auto head = nn::grammar::make_lm_head(seed);
  const Tensor x = nn::grammar::make_example("i eat", head).x;
  Generator generator(seed);
  const Tensor dp = randn({2, 600}, generator);
  const Run expected = run(x, head.weight, head.bias, dp);

  const auto move = [&](const Tensor& t) { return t.detach().to(own, t.scalar_type()).requires_grad_(); };
  const Tensor x_own = move(x), w_own = move(head.weight), b_own = move(head.bias),
               dp_own = dp.to(own, kFloat);
  Arrivals arrivals;
  const Run result = [&] {
    const DispatchModeGuard guard(&arrivals);
    return run(x_own, w_own, b_own, dp_own);
  }();

  std::string text =
      fmt::format("p = softmax(linear(x, W, b)) and its gradients on {}\n\n", x_own.device().str());
  text +=
      fmt::format("  {:<30} {:>2}  {}\n{}\n", "operator", "n", "served at PrivateUse1 by", arrivals.table());
  int64_t wrong = 0;
  for (const auto& [name, mine, theirs] :
       {std::tuple{"p", result.p, expected.p}, std::tuple{"dx", result.dx, expected.dx},
        std::tuple{"dW", result.dw, expected.dw}, std::tuple{"db", result.db, expected.db}}) {
    const int64_t differ = compare(mine, theirs);
    text += fmt::format("  {:<3}{:<10} elements that differ from the CPU: {}\n", name,
                        to_string(mine.sizes()), differ);
    wrong += differ;
  }
  GB_CHECK_OR_THROW(wrong == 0, Error, .what = "own backend: results differ from the CPU's", .cause = text,
                    .repair = "compare the kernels of private_use1.cc with those in ops/",
                    .chapter = chapters::kDispatch);
  return text;
}

}  // namespace gb::labs
