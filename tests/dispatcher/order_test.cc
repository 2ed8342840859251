// Order independence: what a table holds depends on what is registered, not on when it came or on what came
// and went. GB_TEST_SEED=N starts elsewhere, GB_TEST_ROUNDS=N runs longer.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>

#include "dispatcher/testing.h"
#include "tests/dice.h"

namespace gb {
namespace {

using testing::error_of;
using tests::from_environment;
using Random = std::mt19937_64;

const char* const kOperators[] = {"alpha", "alpha.more", "beta"};
const char* const kNamespace = "order_test";

int64_t kernel(const Tensor&) { return 0; }
int64_t kernel_with_keys(DispatchKeySet, const Tensor&) { return 0; }
void boxed(const OperatorHandle&, Stack*) {}

// Every key that a kernel may be registered for.
std::vector<DispatchKey> all_keys() {
  std::vector<DispatchKey> keys;
  for (DispatchKey k : DispatchKeySet(DispatchKeySet::FULL)) keys.push_back(k);
  for (DispatchKey k : {DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd,
                        DispatchKey::CompositeExplicitAutograd})
    keys.push_back(k);
  return keys;
}
const std::vector<DispatchKey> kKeys = all_keys();

// One registration. Its line tells it from all others in the dumps.
struct Registration {
  enum Kind { kDef, kImpl, kFallback } kind;
  int op;
  DispatchKey key;
  int form;  // unboxed, with keys, boxed, fallthrough
  uint32_t line;

  bool conflicts_with(const Registration& other) const {
    if (kind != other.kind) return false;
    if (kind == kFallback) return key == other.key;
    return op == other.op && (kind == kDef || key == other.key);
  }

  std::unique_ptr<Library> make() const {
    if (kind == kFallback) {
      auto block = std::make_unique<Library>(Library::IMPL, "_", key, "order", line);
      block->fallback(
          form == 3 ? CppFunction::makeFallthrough() : CppFunction::makeFromBoxedFunction<&boxed>(), "order",
          line);
      return block;
    }
    auto block = std::make_unique<Library>(Library::FRAGMENT, kNamespace, std::nullopt, "order", line);
    const char* name = kOperators[op];
    if (kind == kDef)
      block->def((std::string(name) + "(Tensor self) -> int").c_str(), "order", line);
    else if (form == 0)
      block->impl(name, key, &kernel, "order", line);
    else if (form == 1)
      block->impl(name, key, &kernel_with_keys, "order", line);
    else if (form == 2)
      block->impl(name, key, CppFunction::makeFromBoxedFunction<&boxed>(), "order", line);
    else
      block->impl(name, key, CppFunction::makeFallthrough(), "order", line);
    return block;
  }
};

std::vector<Registration> random_registrations(Random& random) {
  std::vector<Registration> all;
  for (int op = 0; op < 3; ++op)
    if (random() % 4)
      all.push_back({Registration::kDef, op, DispatchKey::Undefined, 0, static_cast<uint32_t>(all.size())});
  for (size_t n = random() % 14; n > 0; --n) {
    Registration one{random() % 6 ? Registration::kImpl : Registration::kFallback,
                     static_cast<int>(random() % 3), kKeys[random() % kKeys.size()],
                     static_cast<int>(random() % 4), static_cast<uint32_t>(all.size())};
    const bool taken =
        one.kind == Registration::kFallback &&
        (isAliasDispatchKey(one.key) || Dispatcher::singleton().hasBackendFallbackForDispatchKey(one.key));
    const auto conflicts = [&](const Registration& other) { return one.conflicts_with(other); };
    if (!taken && std::none_of(all.begin(), all.end(), conflicts)) all.push_back(one);
  }
  return all;
}

OperatorName name_of(int op) {
  OperatorName name = jit::parseName(kOperators[op]);
  name.setNamespaceIfNotSet(kNamespace);
  return name;
}

// Everything that calls and lookups can see.
std::string state() {
  Dispatcher::singleton().checkInvariants();
  std::string text;
  for (int op = 0; op < 3; ++op) {
    const auto handle = Dispatcher::singleton().findOp(name_of(op));
    text += fmt::format("--- {}: {}\n", kOperators[op],
                        !handle               ? "absent"
                        : handle->hasSchema() ? "defined"
                                              : "kernels only");
    if (!handle) continue;
    text += handle->dumpComputedTable() + handle->dumpState();
    for (DispatchKey backend : {DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::XLA, DispatchKey::Lazy,
                                DispatchKey::PrivateUse1, DispatchKey::Meta})
      text += fmt::format("mask {:x}\n", handle->entry().mask_for(DispatchKeySet(backend)).raw_repr());
  }
  for (DispatchKey k : kKeys)
    if (!isAliasDispatchKey(k))
      text += Dispatcher::singleton().hasBackendFallbackForDispatchKey(k) ? '1' : '0';
  return text;
}

// Registrations that are refused, each for another reason: they must leave no trace.
void refused(const std::vector<Registration>& there) {
  for (const Registration& one : there) {
    if (one.kind == Registration::kImpl) continue;
    CHECK(error_of([&] { one.make(); }) != "no error");  // a second def or fallback
  }
  CHECK(error_of([&] {
          Library wrong(Library::FRAGMENT, kNamespace, std::nullopt, "order", 0);
          wrong.def("gamma(Tensor self) -> int", CppFunction([](int64_t) { return int64_t{0}; }));
        }) != "no error");
}

using Registered = std::vector<std::unique_ptr<Library>>;
Registered registered(std::vector<Registration> all, Random& random, bool with_refused) {
  std::shuffle(all.begin(), all.end(), random);
  Registered libraries;
  for (size_t i = 0; i < all.size(); ++i) {
    libraries.push_back(all[i].make());
    if (all[i].kind == Registration::kImpl && random() % 3 == 0)
      all[i].make().reset();  // over itself, and off again
    if (with_refused) refused({all.begin(), all.begin() + static_cast<ptrdiff_t>(i) + 1});
  }
  return libraries;
}

TEST_CASE(
    "order: any order of the same registrations ends in the same state, and taking off undoes exactly that") {
  const uint64_t first = from_environment("GB_TEST_SEED", 1),
                 rounds = from_environment("GB_TEST_ROUNDS", 250);
  const testing::Warnings quiet;
  const std::string nothing = state();
  for (uint64_t seed = first; seed < first + rounds; ++seed) {
    INFO("seed ", seed);
    Random random(seed);
    std::vector<Registration> all = random_registrations(random);
    std::string expected;
    {
      const Registered once = registered(all, random, false);
      expected = state();
    }
    CHECK(state() == nothing);
    for (int order = 0; order < 3; ++order) {
      Registered again = registered(all, random, order == 0);
      CHECK(state() == expected);
      std::shuffle(again.begin(), again.end(), random);
      while (!again.empty()) again.pop_back();  // in any order
      CHECK(state() == nothing);
    }
    // Some go; what is left is what the others alone make.
    std::shuffle(all.begin(), all.end(), random);
    const size_t kept = random() % (all.size() + 1);
    std::vector<std::pair<uint32_t, std::unique_ptr<Library>>> some;
    for (const Registration& one : all) some.emplace_back(one.line, one.make());
    std::shuffle(some.begin(), some.end(), random);
    const std::vector<Registration> rest(all.begin(), all.begin() + static_cast<ptrdiff_t>(kept));
    std::erase_if(some, [&](const auto& one) {
      return std::none_of(rest.begin(), rest.end(),
                          [&](const Registration& r) { return r.line == one.first; });
    });
    const std::string left = state();
    some.clear();
    const Registered alone = registered(rest, random, false);
    CHECK(state() == left);
  }
  CHECK(state() == nothing);
}

}  // namespace
}  // namespace gb
