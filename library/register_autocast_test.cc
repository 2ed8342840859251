#include "library/register_autocast.h"

#include <doctest/doctest.h>

#include "autograd/autograd.h"
#include "library/custom_op.h"
#include "ops/autocast/autocast.h"
#include "ops/testing/testing.h"

namespace gb {
namespace {

using tests::noise;

std::string dtypes_seen(const Tensor& x, TensorList xs, const std::optional<Tensor>& w, const Tensor& index) {
  std::string seen = toString(x.scalar_type());
  for (const Tensor& t : xs) seen += std::string(" ") + toString(t.scalar_type());
  seen += std::string(" ") + (w ? toString(w->scalar_type()) : "none");
  return seen + " " + toString(index.scalar_type());
}

TEST_CASE("floating tensors are cast, in lists and optionals too; float64, integers and None stay") {
  const CustomOpDef op =
      custom_op("lynx_cortex::seen(Tensor x, Tensor[] xs, Tensor? w, Tensor index) -> str", dtypes_seen)
          .register_autocast(kCPU, kBFloat16);
  const Tensor f = noise({2}, 1, kFloat), d = noise({2}), i = noise({2}, 1, kLong);
  const auto seen = [&](const std::optional<Tensor>& w) {
    return op.call<std::string>(f, std::vector<Tensor>{f, d}, w, i);
  };
  CHECK(seen(f) == "Float Float Double Float Long");
  {
    const autocast::AutocastGuard on(kCPU);
    CHECK(seen(f) == "BFloat16 BFloat16 Double BFloat16 Long");
    CHECK(seen(std::nullopt) == "BFloat16 BFloat16 Double none Long");
  }
  CHECK(seen(f) == "Float Float Double Float Long");
}

TEST_CASE("elements of Tensor?[] are cast, and None keeps its place") {
  const CustomOpDef op =
      custom_op("lynx_cortex::opt(Tensor x, Tensor?[] xs) -> str", [](const Tensor&,
                                                                      const List<std::optional<Tensor>>& xs) {
        std::string seen;
        for (size_t i = 0; i < xs.size(); ++i) {
          const std::optional<Tensor> t = xs[i];
          seen += t ? toString(t->scalar_type()) : "none";
        }
        return seen;
      }).register_autocast(kCPU, kHalf);
  const Tensor f = noise({2}, 1, kFloat);
  const autocast::AutocastGuard on(kCPU);
  CHECK(op.call<std::string>(f, std::vector<std::optional<Tensor>>{std::nullopt, f}) == "noneHalf");
}

TEST_CASE("autocast stands above autograd: the kernel sees bfloat16, the gradient comes back in float32") {
  ScalarType forward_saw = kDouble, backward_saw = kDouble;
  const CustomOpDef op = custom_op("lynx_cortex::twice(Tensor x) -> Tensor",
                                   [&](const Tensor& x) {
                                     forward_saw = x.scalar_type();
                                     CHECK(impl::tls_is_dispatch_key_excluded(DispatchKey::AutocastFunctionality));
                                     return x.mul(2);
                                   })
                             .register_autograd([&](autograd::AutogradContext&, const Tensor& g) {
                               backward_saw = g.scalar_type();
                               return g.mul(2);
                             })
                             .register_autocast(kCPU, kBFloat16)
                             .register_autocast(kCUDA, kHalf);
  const Tensor x = noise({3}, 1, kFloat).requires_grad_();
  Tensor y;
  {
    const autocast::AutocastGuard on(kCPU);
    y = op.call<Tensor>(x);
  }
  CHECK((y.scalar_type() == kBFloat16));
  y.sum().backward();
  CHECK((forward_saw == kBFloat16));
  CHECK((backward_saw == kBFloat16));
  CHECK((x.grad().scalar_type() == kFloat));
  CHECK(tests::values(x.grad()) == std::vector<double>{2, 2, 2});
}

}  // namespace
}  // namespace gb
