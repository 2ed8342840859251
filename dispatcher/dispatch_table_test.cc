// The table as a function of what is registered: precedence, fallthrough, and that order does not matter.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

Tensor kernel(const Tensor& x) { return x; }
void boxed(const OperatorHandle&, Stack*) {}

// An operator with kernels at `keys`.
struct Op {
  explicit Op(std::vector<DispatchKey> keys) {
    library.def("op(Tensor x) -> Tensor");
    for (DispatchKey k : keys) library.impl("op", k, &kernel);
  }
  std::string reason(DispatchKey k) const { return impl::toString(find("table::op").entry().reason(k)); }
  std::string from(DispatchKey k) const { return toString(find("table::op").entry().slot(k).key); }
  Library library = MAKE_GB_LIBRARY(table);
};
using K = DispatchKey;

const char* const kDirect = "kernel for this key";
const char* const kExplicit = "CompositeExplicitAutograd kernel";
const char* const kImplicit = "CompositeImplicitAutograd kernel";
const char* const kAlias = "Autograd alias kernel";
const char* const kFallback = "backend fallback";
const char* const kMissing = "missing";

}  // namespace

TEST_CASE("table: no kernel at all") {
  const Op op({});
  CHECK(op.reason(K::CPU) == kMissing);
  CHECK(op.reason(K::AutogradCPU) == kMissing);
  CHECK(op.reason(K::Undefined) == kMissing);
  CHECK(op.reason(K::ADInplaceOrView) == kFallback);  // the fallthrough of dispatch_mode.cc
  CHECK(op.reason(K::Python) == kFallback);
  CHECK_FALSE(find("table::op").hasComputedKernelForDispatchKey(K::CPU));
}

TEST_CASE("table: 1. a kernel for the very key wins over every alias") {
  const Op op({K::CPU, K::AutogradCPU, K::Autograd, K::CompositeExplicitAutograd, K::CompositeImplicitAutograd});
  CHECK(op.reason(K::CPU) == kDirect);
  CHECK(op.reason(K::AutogradCPU) == kDirect);
  CHECK(op.reason(K::CUDA) == kExplicit);
  CHECK(op.reason(K::AutogradCUDA) == kAlias);
}

TEST_CASE("table: 2. CompositeExplicit serves every backend and calls without tensors, but no autograd key") {
  const Op op({K::CompositeExplicitAutograd});
  for (K k : {K::CPU, K::CUDA, K::Meta, K::PrivateUse1, K::Undefined}) CHECK(op.reason(k) == kExplicit);
  CHECK(op.reason(K::AutogradCPU) == kMissing);
}

TEST_CASE("table: 3. CompositeImplicit serves backends, autograd and calls without tensors") {
  const Op op({K::CompositeImplicitAutograd});
  for (K k : {K::CPU, K::Meta, K::Undefined, K::AutogradCPU, K::AutogradOther}) CHECK(op.reason(k) == kImplicit);
  CHECK(op.reason(K::AutocastCPU) == kFallback);
}

TEST_CASE("table: 3. an autograd key whose backend has a kernel does not decompose") {
  const Op op({K::CompositeImplicitAutograd, K::CPU});
  CHECK(op.reason(K::CPU) == kDirect);
  CHECK(op.reason(K::AutogradCPU) == kMissing);
  CHECK(op.reason(K::AutogradCUDA) == kImplicit);
}

TEST_CASE("table: 3. CompositeExplicit counts as a kernel of every backend, for AutogradOther too") {
  const Op op({K::CompositeImplicitAutograd, K::CompositeExplicitAutograd, K::Autograd});
  CHECK(op.reason(K::CPU) == kExplicit);
  CHECK(op.reason(K::Undefined) == kExplicit);
  CHECK(op.reason(K::AutogradCPU) == kAlias);
  CHECK(op.reason(K::AutogradOther) == kAlias);
}

TEST_CASE("table: 4. the Autograd alias comes after the composite one") {
  const Op op({K::CompositeImplicitAutograd, K::Autograd, K::CUDA});
  CHECK(op.reason(K::AutogradCPU) == kImplicit);
  CHECK(op.reason(K::AutogradCUDA) == kAlias);
  CHECK(op.from(K::AutogradCUDA) == "Autograd");
}

TEST_CASE("table: 5. a backend fallback fills what is left, for operators made before and after it") {
  const Op op({K::CPU});
  {
    Library library = MAKE_GB_LIBRARY_IMPL(_, PrivateUse1);
    library.fallback(CppFunction::makeFromBoxedFunction<&boxed>());
    CHECK(op.reason(K::PrivateUse1) == kFallback);
    CHECK(op.reason(K::CPU) == kDirect);
    Library later(Library::FRAGMENT, "table2", std::nullopt, __FILE__, __LINE__);
    later.def("op() -> ()");
    CHECK((find("table2::op").entry().reason(K::PrivateUse1) == impl::SlotReason::kBackendFallback));
    CHECK(starts_with(error_of([] {
                        Library second = MAKE_GB_LIBRARY_IMPL(_, PrivateUse1);
                        second.fallback(CppFunction::makeFromBoxedFunction<&boxed>());
                      }),
                      "tried to register multiple backend fallbacks for the dispatch key PrivateUse1\n  cause:   the first: "
                      "dispatcher/dispatch_table_test.cc:"));
  }
  CHECK(op.reason(K::PrivateUse1) == kMissing);
}

TEST_CASE("table: a fallthrough takes its functionality out of the mask, on its own backend only") {
  Op op({K::CPU, K::CUDA});
  const impl::OperatorEntry& entry = find("table::op").entry();
  const DispatchKeySet cpu({K::CPU, K::AutogradCPU}), cuda({K::CUDA, K::AutogradCUDA});
  CHECK((entry.computeDispatchKeySet(cpu).highestPriorityTypeId() == K::AutogradCPU));
  {
    Library ours = MAKE_GB_LIBRARY_IMPL(table, AutogradCPU);
    ours.impl("op", CppFunction::makeFallthrough());
    CHECK((entry.computeDispatchKeySet(cpu).highestPriorityTypeId() == K::CPU));
    CHECK((entry.computeDispatchKeySet(cuda).highestPriorityTypeId() == K::AutogradCUDA));
  }
  CHECK((entry.computeDispatchKeySet(cpu).highestPriorityTypeId() == K::AutogradCPU));
  op.library.impl("op", K::Autograd, CppFunction::makeFallthrough());  // all backends
  CHECK((entry.computeDispatchKeySet(cpu).highestPriorityTypeId() == K::CPU));
  CHECK((entry.computeDispatchKeySet(cuda).highestPriorityTypeId() == K::CUDA));
}

TEST_CASE("table: a key of its own only for what has a slot") {
  Op op({});
  CHECK(starts_with(error_of([&] { op.library.impl("op", K::Dense, &kernel); }), "table::op: no slot belongs to the key Dense"));
  CHECK(starts_with(error_of([&] { op.library.impl("op", K::AutogradFunctionality, &kernel); }),
                    "table::op: no slot belongs to the key AutogradFunctionality"));
  CHECK(starts_with(error_of([&] { op.reason(K::Autograd); }), "table::op: the alias key Autograd has no slot"));
  CHECK(op.reason(K::CPU) == kMissing);
}

TEST_CASE("table: dumps") {
  const Op op({K::CPU, K::Autograd});
  const OperatorHandle handle = find("table::op");
  const std::string table = handle.dumpComputedTable();
  CHECK(contains(table, "CPU                   kernel for this key                unboxed     dispatcher/dispatch_table_test.cc:"));
  CHECK(contains(table, "AutogradMeta          Autograd alias kernel "));
  CHECK(contains(table, "ADInplaceOrView       backend fallback                   fallthrough "));
  CHECK_FALSE(contains(table, "CUDA                  kernel"));
  const std::string state = handle.dumpState();
  CHECK(starts_with(state, "name: table::op\nschema: table::op(Tensor x) -> Tensor\ndebug: dispatcher/dispatch_table_test.cc:"));
  CHECK(contains(state, "\nCPU: dispatcher/dispatch_table_test.cc:"));
}

TEST_CASE("table: any order of registrations of different keys ends in the same table (random)") {
  const std::vector<K> candidates = {K::CPU, K::CUDA, K::Meta, K::AutogradCPU, K::AutogradCUDA, K::AutogradOther,
                                     K::Autograd, K::CompositeExplicitAutograd, K::CompositeImplicitAutograd,
                                     K::ADInplaceOrView, K::AutocastCPU, K::BackendSelect};
  std::mt19937 random(2026);
  for (int round = 0; round < 200; ++round) {
    std::vector<int> what;  // an index is a kernel for that key, -1 is the def
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (random() % 2) what.push_back(static_cast<int>(i));
    }
    const uint32_t fallthroughs = static_cast<uint32_t>(random());  // which of them are marks
    what.push_back(-1);
    std::string first_table;
    std::vector<uint64_t> first_masks;
    for (int order = 0; order < 4; ++order) {
      std::shuffle(what.begin(), what.end(), random);
      Library library(Library::FRAGMENT, "order", std::nullopt, "here", 1);
      Library extra(Library::FRAGMENT, "order", std::nullopt, "here", 1);
      for (int i : what) {
        if (i < 0) {
          library.def("op(Tensor x) -> Tensor", "def", 1);
          continue;
        }
        const K k = candidates[static_cast<size_t>(i)];
        const auto line = static_cast<uint32_t>(i);
        if (fallthroughs >> i & 1 && i % 3 == 0) library.impl("op", k, CppFunction::makeFallthrough(), "kernel", line);
        else library.impl("op", k, &kernel, "kernel", line);
        if (random() % 4 == 0) {  // comes, and goes again
          const Warnings quiet;
          extra.impl("op", k, &kernel, "gone", line);
          extra.reset();
        }
      }
      const OperatorHandle op = find("order::op");
      std::vector<uint64_t> masks;
      for (K backend : {K::CPU, K::CUDA, K::Meta, K::PrivateUse1}) {
        masks.push_back(op.entry().mask_for(DispatchKeySet(backend)).raw_repr());
      }
      if (order == 0) first_table = op.dumpComputedTable(), first_masks = masks;
      CHECK(op.dumpComputedTable() == first_table);
      CHECK(masks == first_masks);
    }
  }
}
