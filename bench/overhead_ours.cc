#include "autograd/autograd.h"
#include "autograd/function.h"
#include "autograd/saved_variable.h"
#include "bench/overhead_cases.h"
#include "dispatcher/library.h"
#include "ops/ops.h"

namespace gb::bench {
namespace {

using NoopOp = TypedOperatorHandle<Tensor(const Tensor&)>;

// A kernel that costs what a returned Tensor costs: its result is a copy of its argument.
Tensor noop_kernel(const Tensor& x) { return x; }

NoopOp noop_op(const char* name) { return Dispatcher::singleton().findSchemaOrThrow(name, "").typed<Tensor(const Tensor&)>(); }

// A function of its own, as every operator's entry point is: inlined into the measuring loop a call would cost less than
// any program pays for it (LibTorch's 192 instead of 219).
[[gnu::noinline]] Tensor call(const NoopOp& op, const Tensor& x) { return op.call(x); }

Tensor redispatching_kernel(DispatchKeySet ks, const Tensor& x) {
  static const NoopOp op = noop_op("overhead::redispatched");
  return op.redispatch(ks & after_autograd_keyset, x);
}

GB_LIBRARY(overhead, m) {
  m.def("noop(Tensor x) -> Tensor");
  m.def("no_autograd(Tensor x) -> Tensor");
  m.def("redispatched(Tensor x) -> Tensor");
}
GB_LIBRARY_IMPL(overhead, CPU, m) {
  m.impl("noop", GB_FN(noop_kernel));
  m.impl("no_autograd", GB_FN(noop_kernel));
  m.impl("redispatched", GB_FN(noop_kernel));
}
GB_LIBRARY_IMPL(overhead, Autograd, m) {
  m.impl("noop", CppFunction::makeFallthrough());
  m.impl("redispatched", GB_FN(redispatching_kernel));
}

// TypedOperatorHandle::call as it would be without the trace: the same three steps, and no test of the flag between.
[[gnu::noinline]] Tensor call_untraced(const NoopOp& op, const Tensor& x) {
  const impl::OperatorEntry::Selection found = op.entry().select_unboxed(x);
  const KernelFunction& kernel = found.kernel.kernel;
  if (const auto plain = kernel.plain<Tensor, const Tensor&>()) return plain(x);
  return kernel.call<Tensor, const Tensor&>(op, found.keys, x);
}

// `call` once per round, its result dropped at once.
template <class Call>
Runner repeat(Call call) {
  return [call = std::move(call)](int64_t calls) mutable {
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

Runner chain_forward(int64_t length) {
  return repeat([=, leaf = one(true), factor = one()] {
    Tensor y = leaf;
    for (int64_t i = 0; i < length; ++i) y = y.mul(factor);
  });
}

struct Scale : gb::autograd::Function<Scale> {
  static Tensor forward(gb::autograd::AutogradContext* ctx, const Tensor& x, const Tensor& factor) {
    ctx->save_for_backward({factor});
    return x.mul(factor);
  }
  static gb::autograd::variable_list backward(gb::autograd::AutogradContext* ctx, gb::autograd::variable_list grads) {
    return {grads[0].mul(ctx->get_saved_variables()[0]), Tensor()};
  }
};

Runner own_output() {
  return repeat([y = one(true).mul(one())] {
    gb::autograd::SavedVariable saved(y, /*is_output=*/true);
    saved.unpack(y.grad_fn());
  });
}

}  // namespace

std::vector<OverheadCase> our_cases() {
  return {
      {kEmptyLoop, [] { return repeat([] {}); }, 100000, 1000000},
      {kDirect, [] {
         Tensor (*volatile kernel)(const Tensor&) = noop_kernel;  // volatile: or the compiler calls it by name
         return repeat([kernel, x = one()] { kernel(x); });
       }, 20000, 100000},
      {kDispatch, [] { return repeat([op = noop_op("overhead::noop"), x = one()] { call(op, x); }); }, 20000, 100000},
      {kNoAutograd, [] { return repeat([op = noop_op("overhead::no_autograd"), x = one()] { call(op, x); }); }, 20000, 50000},
      {kRedispatch, [] { return repeat([op = noop_op("overhead::redispatched"), x = one()] { call(op, x); }); }, 20000, 50000},
      {kBoxedNew, [] {
         return repeat([op = noop_op("overhead::noop"), x = one()] {
           Stack stack;
           stack.emplace_back(x);
           op.callBoxed(&stack);
         });
       }, 40000, 50000},
      {kBoxedReused, [] {
         return repeat([op = noop_op("overhead::noop"), x = one(), stack = Stack()]() mutable {
           stack.clear();
           stack.emplace_back(x);
           op.callBoxed(&stack);
         });
       }, 20000, 50000},
      {kFind, [] { return repeat([] { Dispatcher::singleton().findSchemaOrThrow("overhead::noop", ""); }); }, 20000, 50000},
      {kEmpty, [] { return repeat([] { empty({1}); }); }, 40000, 20000},
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
      {kForwardShort, [] { return chain_forward(101); }, 40, 20},
      {kForwardLong, [] { return chain_forward(1001); }, 40, 2},
      {kFunction, [] { return repeat([x = one(true), factor = one()] { Scale::apply(x, factor); }); }, 4000, 1000},
      {kOwnOutput, [] { return own_output(); }, 20000, 10000},
      {kUntraced, [] { return repeat([op = noop_op("overhead::noop"), x = one()] { call_untraced(op, x); }); }, 20000, 100000},
  };
}

}  // namespace gb::bench
