// rand, randn, randint, randperm: an empty tensor, filled by the in-place operators below ADInplaceOrView,
// since a new tensor's version is 0.
#include "ops/factories/factories.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "dispatcher/local_dispatch_key_set.h"
#include "ops/common/empty.h"
#include "ops/factories/backend_select.h"
#include "ops/factories/filled.h"
#include "ops/random/random.h"

namespace gb {
namespace {

template <detail::Name name, class... A>  // the four options behind the operator's own arguments
const auto& factory() {
  return operator_of<name, Tensor(A..., OptDtype, OptLayout, OptDevice, OptBool)>();
}
const auto& rand_op() { return factory<"aten::rand", IntArrayRef>(); }
const auto& rand_generator_op() { return factory<"aten::rand.generator", IntArrayRef, OptGenerator>(); }
const auto& randn_op() { return factory<"aten::randn", IntArrayRef>(); }
const auto& randn_generator_op() { return factory<"aten::randn.generator", IntArrayRef, OptGenerator>(); }
const auto& randint_op() { return factory<"aten::randint", int64_t, IntArrayRef>(); }
const auto& randint_generator_op() {
  return factory<"aten::randint.generator", int64_t, IntArrayRef, OptGenerator>();
}
const auto& randint_low_op() { return factory<"aten::randint.low", int64_t, int64_t, IntArrayRef>(); }
const auto& randint_low_generator_op() {
  return factory<"aten::randint.low_generator", int64_t, int64_t, IntArrayRef, OptGenerator>();
}
const auto& randperm_op() { return factory<"aten::randperm", int64_t>(); }
const auto& randperm_generator_op() { return factory<"aten::randperm.generator", int64_t, OptGenerator>(); }

Tensor rand_generator_kernel(IntArrayRef size, OptGenerator generator, OptDtype dtype, OptLayout layout,
                             OptDevice device, OptBool pin) {
  const Tensor fresh = empty(size, to_options(dtype, layout, device, pin));
  const AutoDispatchBelowADInplaceOrView guard;
  return fresh.uniform_(0, 1, std::move(generator));
}
Tensor rand_kernel(IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return rand_generator_kernel(size, {}, dtype, layout, device, pin);
}

Tensor randn_generator_kernel(IntArrayRef size, OptGenerator generator, OptDtype dtype, OptLayout layout,
                              OptDevice device, OptBool pin) {
  const Tensor fresh = empty(size, to_options(dtype, layout, device, pin));
  const AutoDispatchBelowADInplaceOrView guard;
  return fresh.normal_(0, 1, std::move(generator));
}
Tensor randn_kernel(IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return randn_generator_kernel(size, {}, dtype, layout, device, pin);
}

Tensor randint_low_generator_kernel(int64_t low, int64_t high, IntArrayRef size, OptGenerator generator,
                                    OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  const Tensor fresh = empty(size, to_options(dtype, layout, device, pin));
  const AutoDispatchBelowADInplaceOrView guard;
  return fresh.random_(low, high, std::move(generator));
}
Tensor randint_low_kernel(int64_t low, int64_t high, IntArrayRef size, OptDtype dtype, OptLayout layout,
                          OptDevice device, OptBool pin) {
  return randint_low_generator_kernel(low, high, size, {}, dtype, layout, device, pin);
}
Tensor randint_generator_kernel(int64_t high, IntArrayRef size, OptGenerator generator, OptDtype dtype,
                                OptLayout layout, OptDevice device, OptBool pin) {
  return randint_low_generator_kernel(0, high, size, std::move(generator), dtype, layout, device, pin);
}
Tensor randint_kernel(int64_t high, IntArrayRef size, OptDtype dtype, OptLayout layout, OptDevice device,
                      OptBool pin) {
  return randint_low_generator_kernel(0, high, size, {}, dtype, layout, device, pin);
}

// Fisher and Yates: each place from the last on is exchanged with one up to it.
Tensor randperm_generator_kernel(int64_t n, OptGenerator generator, OptDtype dtype, OptLayout layout,
                                 OptDevice device, OptBool pin) {
  GB_CHECK_OR_THROW(n >= 0, ValueError, .what = fmt::format("gb::randperm: n must be non-negative, got{}", n),
                    .cause = "it is the number of elements", .repair = "give an n of at least 0",
                    .chapter = chapters::kTensors);
  const TensorOptions options = to_options(dtype, layout, device, pin);
  check_sizes({n}, kLong, "randperm");
  if (options.device().is_meta()) return empty({n}, options);
  const Tensor order = empty_cpu({n}, kLong);
  int64_t* at = order.mutable_data_ptr<int64_t>();
  std::iota(at, at + n, int64_t{0});
  const RandomNumbers numbers = (generator ? *generator : default_generator()).take(static_cast<uint64_t>(n));
  for (int64_t i = n - 1; i > 0; --i)
    std::swap(at[i], at[static_cast<int64_t>(numbers.bits(i) % static_cast<uint64_t>(i + 1))]);
  const AutoDispatchBelowADInplaceOrView guard;
  return order.to(options.dtype(options.dtype()));
}
Tensor randperm_kernel(int64_t n, OptDtype dtype, OptLayout layout, OptDevice device, OptBool pin) {
  return randperm_generator_kernel(n, {}, dtype, layout, device, pin);
}

template <class Op, class... A>
Tensor made(const Op& op, const TensorOptions& o, A&&... args) {
  return finish(op.call(args..., o.dtype_opt(), o.layout_opt(), o.device_opt(), o.pinned_memory_opt()), o);
}

}  // namespace

#define GB_OPTIONS(dtype) \
  "ScalarType? dtype=" dtype ", Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor"
GB_LIBRARY_FRAGMENT(aten, m) {
  const std::vector<Tag> tags{Tag::nondeterministic_seeded};
  m.def("rand(SymInt[] size, *, " GB_OPTIONS("None"), tags);
  m.def("rand.generator(SymInt[] size, *, Generator? generator, " GB_OPTIONS("None"), tags);
  m.def("randn(SymInt[] size, *, " GB_OPTIONS("None"), tags);
  m.def("randn.generator(SymInt[] size, *, Generator? generator, " GB_OPTIONS("None"), tags);
  m.def("randint(SymInt high, SymInt[] size, *, " GB_OPTIONS("long"), tags);
  m.def("randint.generator(SymInt high, SymInt[] size, *, Generator? generator, " GB_OPTIONS("long"), tags);
  m.def("randint.low(SymInt low, SymInt high, SymInt[] size, *, " GB_OPTIONS("long"), tags);
  m.def("randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, " GB_OPTIONS(
            "long"),
        tags);
  m.def("randperm(SymInt n, *, " GB_OPTIONS("long"), tags);
  m.def("randperm.generator(SymInt n, *, Generator? generator, " GB_OPTIONS("long"), tags);
}
#undef GB_OPTIONS
GB_LIBRARY_IMPL(aten, BackendSelect, m) {
  m.impl("rand", GB_FN((BackendSelect<&rand_op>::run)));
  m.impl("rand.generator", GB_FN((BackendSelect<&rand_generator_op>::run)));
  m.impl("randn", GB_FN((BackendSelect<&randn_op>::run)));
  m.impl("randn.generator", GB_FN((BackendSelect<&randn_generator_op>::run)));
  m.impl("randint", GB_FN((BackendSelect<&randint_op>::run)));
  m.impl("randint.generator", GB_FN((BackendSelect<&randint_generator_op>::run)));
  m.impl("randint.low", GB_FN((BackendSelect<&randint_low_op>::run)));
  m.impl("randint.low_generator", GB_FN((BackendSelect<&randint_low_generator_op>::run)));
  m.impl("randperm", GB_FN((BackendSelect<&randperm_op>::run)));
  m.impl("randperm.generator", GB_FN((BackendSelect<&randperm_generator_op>::run)));
}
GB_LIBRARY_IMPL(aten, CompositeExplicitAutograd, m) {
  m.impl("rand", GB_FN(rand_kernel));
  m.impl("rand.generator", GB_FN(rand_generator_kernel));
  m.impl("randn", GB_FN(randn_kernel));
  m.impl("randn.generator", GB_FN(randn_generator_kernel));
  m.impl("randint", GB_FN(randint_kernel));
  m.impl("randint.generator", GB_FN(randint_generator_kernel));
  m.impl("randint.low", GB_FN(randint_low_kernel));
  m.impl("randint.low_generator", GB_FN(randint_low_generator_kernel));
  m.impl("randperm", GB_FN(randperm_kernel));
  m.impl("randperm.generator", GB_FN(randperm_generator_kernel));
}

Tensor rand(IntArrayRef size, const TensorOptions& o) { return made(rand_op(), o, size); }
Tensor rand(IntArrayRef size, OptGenerator g, const TensorOptions& o) {
  return made(rand_generator_op(), o, size, g);
}
Tensor randn(IntArrayRef size, const TensorOptions& o) { return made(randn_op(), o, size); }
Tensor randn(IntArrayRef size, OptGenerator g, const TensorOptions& o) {
  return made(randn_generator_op(), o, size, g);
}
Tensor randint(int64_t high, IntArrayRef size, const TensorOptions& o) {
  return made(randint_op(), o, high, size);
}
Tensor randint(int64_t high, IntArrayRef size, OptGenerator g, const TensorOptions& o) {
  return made(randint_generator_op(), o, high, size, g);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, const TensorOptions& o) {
  return made(randint_low_op(), o, low, high, size);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, OptGenerator g, const TensorOptions& o) {
  return made(randint_low_generator_op(), o, low, high, size, g);
}
Tensor randperm(int64_t n, const TensorOptions& o) { return made(randperm_op(), o, n); }
Tensor randperm(int64_t n, OptGenerator g, const TensorOptions& o) {
  return made(randperm_generator_op(), o, n, g);
}

}  // namespace gb
