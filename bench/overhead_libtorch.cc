// Built with -DNDEBUG, as the wheel is: otherwise LibTorch's assertions and trace are inlined here and counted.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/saved_variable.h>
#include <torch/headeronly/version.h>
#include <torch/library.h>

#include "bench/overhead_cases.h"

namespace gb::bench {
namespace {

using NoopOp = c10::TypedOperatorHandle<at::Tensor(const at::Tensor&)>;

at::Tensor noop_kernel(const at::Tensor& x) { return x; }

NoopOp noop_op(const char* name) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, "").typed<at::Tensor(const at::Tensor&)>();
}

// A function of its own, as every operator's entry point is: inlined into the measuring loop a call would cost less than
// any program pays for it (LibTorch's 192 instead of 219).
[[gnu::noinline]] at::Tensor call(const NoopOp& op, const at::Tensor& x) { return op.call(x); }

at::Tensor redispatching_kernel(c10::DispatchKeySet ks, const at::Tensor& x) {
  static const NoopOp op = noop_op("overhead::redispatched");
  return op.redispatch(ks & c10::after_autograd_keyset, x);
}

TORCH_LIBRARY(overhead, m) {
  m.def("noop(Tensor x) -> Tensor");
  m.def("no_autograd(Tensor x) -> Tensor");
  m.def("redispatched(Tensor x) -> Tensor");
}
TORCH_LIBRARY_IMPL(overhead, CPU, m) {
  m.impl("noop", TORCH_FN(noop_kernel));
  m.impl("no_autograd", TORCH_FN(noop_kernel));
  m.impl("redispatched", TORCH_FN(noop_kernel));
}
TORCH_LIBRARY_IMPL(overhead, Autograd, m) {
  m.impl("noop", torch::CppFunction::makeFallthrough());
  m.impl("redispatched", TORCH_FN(redispatching_kernel));
}

template <class Call>
Runner repeat(Call call) {
  return [call = std::move(call)](int64_t calls) mutable {
    for (int64_t i = 0; i < calls; ++i) {
      call();
      barrier();
    }
  };
}

at::Tensor one(bool requires_grad = false) { return at::ones({1}).requires_grad_(requires_grad); }

Runner chain_backward(int64_t length) {
  const at::Tensor leaf = one(true), factor = one();
  at::Tensor y = leaf;
  for (int64_t i = 0; i < length; ++i) y = y.mul(factor);
  const at::Tensor seed = one();
  return repeat([=] {
    leaf.mutable_grad().reset();
    y.backward(seed, /*retain_graph=*/true);
  });
}

Runner chain_forward(int64_t length) {
  return repeat([=, leaf = one(true), factor = one()] {
    at::Tensor y = leaf;
    for (int64_t i = 0; i < length; ++i) y = y.mul(factor);
  });
}

struct Scale : torch::autograd::Function<Scale> {
  static at::Tensor forward(torch::autograd::AutogradContext* ctx, const at::Tensor& x, const at::Tensor& factor) {
    ctx->save_for_backward({factor});
    return x.mul(factor);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* ctx, torch::autograd::variable_list grads) {
    return {grads[0].mul(ctx->get_saved_variables()[0]), at::Tensor()};
  }
};

Runner own_output() {
  return repeat([y = one(true).mul(one())] {
    torch::autograd::SavedVariable saved(y, /*is_output=*/true);
    saved.unpack(y.grad_fn());
  });
}

}  // namespace

std::vector<OverheadCase> libtorch_cases() {
  at::set_num_threads(1);
  return {
      {kEmptyLoop, [] { return repeat([] {}); }, 100000, 1000000},
      {kDirect, [] {
         at::Tensor (*volatile kernel)(const at::Tensor&) = noop_kernel;
         return repeat([kernel, x = one()] { kernel(x); });
       }, 20000, 100000},
      {kDispatch, [] { return repeat([op = noop_op("overhead::noop"), x = one()] { call(op, x); }); }, 20000, 100000},
      {kNoAutograd, [] { return repeat([op = noop_op("overhead::no_autograd"), x = one()] { call(op, x); }); }, 20000, 50000},
      {kRedispatch, [] { return repeat([op = noop_op("overhead::redispatched"), x = one()] { call(op, x); }); }, 20000, 50000},
      {kBoxedNew, [] {
         return repeat([op = noop_op("overhead::noop"), x = one()] {
           torch::jit::Stack stack;
           stack.emplace_back(x);
           op.callBoxed(&stack);
         });
       }, 40000, 50000},
      {kBoxedReused, [] {
         return repeat([op = noop_op("overhead::noop"), x = one(), stack = torch::jit::Stack()]() mutable {
           stack.clear();
           stack.emplace_back(x);
           op.callBoxed(&stack);
         });
       }, 20000, 50000},
      {kFind, [] { return repeat([] { c10::Dispatcher::singleton().findSchemaOrThrow("overhead::noop", ""); }); }, 20000, 50000},
      {kEmpty, [] { return repeat([] { at::empty({1}); }); }, 40000, 20000},
      {kAdd, [] { return repeat([a = one(), b = one()] { a.add(b); }); }, 40000, 10000},
      {kAddRecorded, [] { return repeat([a = one(true), b = one()] { a.add(b); }); }, 40000, 5000},
      {kView, [] { return repeat([a = one()] { a.view({1, 1}); }); }, 40000, 10000},
      {kViewRecorded, [] { return repeat([a = one(true)] { a.view({1, 1}); }); }, 40000, 5000},
      {kSoftmax, [] { return repeat([x = at::ones({2, 600})] { x.softmax(-1); }); }, 5000, 3000},
      {kLinear, [] {
         return repeat([x = at::ones({2, 64}), w = at::ones({600, 64}), b = at::ones({600})] { at::linear(x, w, b); });
       }, 1000, 1000},
      {kChainShort, [] { return chain_backward(101); }, 40, 20},
      {kChainLong, [] { return chain_backward(1001); }, 40, 2},
      {kOneBackward, [] { return chain_backward(1); }, 4000, 1000},
      {kForwardShort, [] { return chain_forward(101); }, 40, 20},
      {kForwardLong, [] { return chain_forward(1001); }, 40, 2},
      {kFunction, [] { return repeat([x = one(true), factor = one()] { Scale::apply(x, factor); }); }, 4000, 1000},
      {kOwnOutput, [] { return own_output(); }, 20000, 10000},
  };
}

std::string libtorch_version() { return TORCH_VERSION; }
std::string libtorch_capability() { return at::get_cpu_capability(); }

}  // namespace gb::bench
