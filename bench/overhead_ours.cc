#include "autograd/autograd.h"
#include "bench/overhead_cases.h"
#include "dispatcher/library.h"
#include "ops/ops.h"

namespace gb::bench {
namespace {

Tensor noop_kernel(const Tensor& x) { return x; }

GB_LIBRARY(overhead, m) { m.def("noop(Tensor x) -> Tensor"); }
GB_LIBRARY_IMPL(overhead, CPU, m) { m.impl("noop", GB_FN(noop_kernel)); }
GB_LIBRARY_IMPL(overhead, Autograd, m) { m.impl("noop", CppFunction::makeFallthrough()); }

// `call` once per round, its result dropped at once.
template <class Call>
Runner repeat(Call call) {
  return [call = std::move(call)](int64_t calls) {
    for (int64_t i = 0; i < calls; ++i) {
      call();
      barrier();
    }
  };
}

Tensor one(bool requires_grad = false) { return ones({1}).requires_grad_(requires_grad); }

Runner chain_backward(int64_t length) {
  const Tensor leaf = one(true), factor = one();
  Tensor y = leaf;
  for (int64_t i = 0; i < length; ++i) y = y.mul(factor);
  const Tensor seed = one();
  return repeat([=] {
    leaf.mutable_grad().reset();
    y.backward(seed, /*retain_graph=*/true);
  });
}

}  // namespace

std::vector<OverheadCase> our_cases() {
  return {
      {kEmptyLoop, [] { return repeat([] {}); }, 100000, 1000000},
      {kDispatch, [] {
         const auto op = Dispatcher::singleton().findSchemaOrThrow("overhead::noop", "").typed<Tensor(const Tensor&)>();
         return repeat([op, x = one()] { op.call(x); });
       }, 20000, 100000},
      {kAdd, [] { return repeat([a = one(), b = one()] { a.add(b); }); }, 40000, 10000},
      {kAddRecorded, [] { return repeat([a = one(true), b = one()] { a.add(b); }); }, 40000, 5000},
      {kView, [] { return repeat([a = one()] { a.view({1, 1}); }); }, 40000, 10000},
      {kViewRecorded, [] { return repeat([a = one(true)] { a.view({1, 1}); }); }, 40000, 5000},
      {kSoftmax, [] { return repeat([x = ones({2, 600})] { x.softmax(-1); }); }, 5000, 3000},
      {kLinear, [] {
         return repeat([x = ones({2, 64}), w = ones({600, 64}), b = ones({600})] { linear(x, w, b); });
       }, 1000, 1000},
      {kChainShort, [] { return chain_backward(101); }, 40, 20},
      {kChainLong, [] { return chain_backward(1001); }, 40, 2},
      {kOneBackward, [] { return chain_backward(1); }, 4000, 1000},
  };
}

}  // namespace gb::bench
