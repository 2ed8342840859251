#include "core/dispatch_key_set.h"

#include <doctest/doctest.h>

#include <random>
#include <sstream>
#include <vector>

#include "core/error.h"

using namespace gb;

namespace {

// Every key that owns a slot, but Undefined.
std::vector<DispatchKey> runtime_keys() {
  std::vector<DispatchKey> keys;
  for (uint8_t i = 1; i < num_functionality_keys; ++i) {
    const auto functionality = static_cast<DispatchKey>(i);
    if (!isPerBackendFunctionalityKey(functionality)) keys.push_back(functionality);
    for (uint8_t b = 1; isPerBackendFunctionalityKey(functionality) && b <= num_backends; ++b) {
      keys.push_back(toRuntimePerBackendFunctionalityKey(functionality, static_cast<BackendComponent>(b)));
    }
  }
  return keys;
}
const std::vector<DispatchKey> kRuntimeKeys = runtime_keys();

std::vector<DispatchKey> members(DispatchKeySet ks) { return {ks.begin(), ks.end()}; }

}  // namespace

TEST_CASE("key set: a runtime key is its functionality and its backend") {
  const DispatchKeySet cpu(DispatchKey::CPU);
  CHECK(cpu.has(DispatchKey::CPU));
  CHECK(cpu.has(DispatchKey::Dense));
  CHECK(cpu.has_backend(BackendComponent::CPUBit));
  CHECK_FALSE(cpu.has(DispatchKey::CUDA));
  CHECK((DispatchKeySet(DispatchKey::Undefined).empty()));
  CHECK((DispatchKeySet(DispatchKey::Autograd).empty()));  // alias keys own no bit
  CHECK((toFunctionalityKey(DispatchKey::AutogradCUDA) == DispatchKey::AutogradFunctionality));
  CHECK((toBackendComponent(DispatchKey::AutocastMeta) == BackendComponent::MetaBit));
}

TEST_CASE("key set: which backend went with which functionality is lost, as in PyTorch") {
  CHECK((DispatchKeySet({DispatchKey::CPU, DispatchKey::AutogradCUDA}) ==
         DispatchKeySet({DispatchKey::CUDA, DispatchKey::AutogradCPU})));
}

TEST_CASE("key set: minus takes functionality bits only") {
  const DispatchKeySet ks({DispatchKey::CPU, DispatchKey::AutogradCPU});
  CHECK((ks - DispatchKeySet(DispatchKey::AutogradCPU) == DispatchKeySet(DispatchKey::CPU)));
  CHECK((ks - DispatchKeySet(DispatchKey::CPU) == DispatchKeySet(DispatchKey::AutogradCPU)));
  CHECK_FALSE(ks.remove_backend(BackendComponent::CPUBit).has_backend(BackendComponent::CPUBit));
}

TEST_CASE("key set: the highest key is served first") {
  DispatchKeySet ks({DispatchKey::CPU, DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU, DispatchKey::AutocastCPU});
  std::vector<DispatchKey> served;
  while ((ks.highestPriorityTypeId() != DispatchKey::Undefined)) {
    served.push_back(ks.highestPriorityTypeId());
    ks = ks.remove(served.back());
  }
  CHECK((served == std::vector<DispatchKey>{DispatchKey::AutocastCPU, DispatchKey::AutogradCPU,
                                            DispatchKey::ADInplaceOrView, DispatchKey::CPU}));
  CHECK((DispatchKeySet({DispatchKey::CPU, DispatchKey::CUDA}).highestPriorityTypeId() == DispatchKey::CUDA));
}

TEST_CASE("key set: every runtime key has a slot of its own, Undefined the first") {
  std::vector<bool> taken(num_runtime_entries, false);
  taken[0] = true;
  CHECK(getDispatchTableIndexForDispatchKey(DispatchKey::Undefined) == 0);
  for (DispatchKey k : kRuntimeKeys) {
    const int slot = getDispatchTableIndexForDispatchKey(k);
    REQUIRE(slot > 0);
    REQUIRE(slot < num_runtime_entries);
    CHECK_FALSE(taken[static_cast<size_t>(slot)]);
    taken[static_cast<size_t>(slot)] = true;
  }
  for (bool one : taken) CHECK(one);  // and no slot is left over
}

TEST_CASE("key set: the slot of a set is the slot of its highest key (random sets)") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    DispatchKeySet ks;
    for (DispatchKey k : kRuntimeKeys) {
      if (random() % 4 == 0) ks = ks.add(k);
    }
    if (ks.empty()) continue;
    const DispatchKey highest = ks.highestPriorityTypeId();
    CHECK(ks.has(highest));
    CHECK(ks.getDispatchTableIndexForDispatchKeySet() == getDispatchTableIndexForDispatchKey(highest));
    const auto all = members(ks);
    CHECK((all.back() == highest));
    DispatchKeySet again;
    for (DispatchKey k : all) again = again.add(k);
    CHECK((again == ks));
  }
}

TEST_CASE("key set: FULL_AFTER is everything below a key") {
  const DispatchKeySet below(DispatchKeySet::FULL_AFTER, DispatchKey::ADInplaceOrView);
  CHECK(below.has(DispatchKey::CPU));
  CHECK(below.has(DispatchKey::Functionalize));
  CHECK_FALSE(below.has(DispatchKey::ADInplaceOrView));
  CHECK_FALSE(below.has(DispatchKey::AutogradCPU));
  CHECK(after_autograd_keyset.has(DispatchKey::ADInplaceOrView));
  CHECK_FALSE(after_autograd_keyset.has(DispatchKey::AutogradOther));
}

TEST_CASE("key set: what the aliases stand for") {
  CHECK(isIncludedInAlias(DispatchKey::AutogradCUDA, DispatchKey::Autograd));
  CHECK(isIncludedInAlias(DispatchKey::AutogradOther, DispatchKey::Autograd));
  CHECK_FALSE(isIncludedInAlias(DispatchKey::CPU, DispatchKey::Autograd));
  CHECK(isIncludedInAlias(DispatchKey::CPU, DispatchKey::CompositeExplicitAutograd));
  CHECK_FALSE(isIncludedInAlias(DispatchKey::AutogradCPU, DispatchKey::CompositeExplicitAutograd));
  CHECK(isIncludedInAlias(DispatchKey::Meta, DispatchKey::CompositeImplicitAutograd));
  CHECK(isIncludedInAlias(DispatchKey::AutogradMeta, DispatchKey::CompositeImplicitAutograd));
  CHECK_FALSE(isIncludedInAlias(DispatchKey::Python, DispatchKey::CompositeImplicitAutograd));
  CHECK_FALSE(isIncludedInAlias(DispatchKey::Undefined, DispatchKey::CompositeImplicitAutograd));
}

TEST_CASE("key set: names, both ways") {
  for (DispatchKey k : kRuntimeKeys) CHECK((parseDispatchKey(toString(k)) == k));
  CHECK((parseDispatchKey("CatchAll") == DispatchKey::CompositeImplicitAutograd));
  CHECK(toString(DispatchKeySet({DispatchKey::CPU, DispatchKey::ADInplaceOrView, DispatchKey::AutogradCPU})) ==
        "{CPU, ADInplaceOrView, AutogradCPU}");
  CHECK(toString(DispatchKeySet()) == "{}");
  CHECK(toString(autograd_dispatch_keyset) == "{AutogradOther, AutogradFunctionality}");
  std::string message;
  try {
    parseDispatchKey("CPUU");
  } catch (const ValueError& e) {
    message = e.what_without_backtrace();
  }
  CHECK(message.find("parseDispatchKey: \"CPUU\" is not a dispatch key\n  cause:   the known keys are: Undefined Dense") == 0);
  CHECK(message.find("StartOf") == std::string::npos);
}

TEST_CASE("key set: the keys of other people's backends") {
  CHECK((toBackendComponent(kXLA) == BackendComponent::XLABit));
  CHECK((dense_key(kLazy) == DispatchKey::Lazy));
  for (DeviceType type : {kCPU, kCUDA, kMeta, kPrivateUse1, kXLA, kLazy}) CHECK((toDeviceType(toBackendComponent(type)) == type));
  CHECK(isIncludedInAlias(DispatchKey::FPGA, DispatchKey::CompositeExplicitAutograd));
  CHECK(isIncludedInAlias(DispatchKey::SparseCUDA, DispatchKey::CompositeExplicitAutograd));
  CHECK_FALSE(isIncludedInAlias(DispatchKey::Functionalize, DispatchKey::CompositeImplicitAutograd));
  CHECK_FALSE(isIncludedInAlias(DispatchKey::Tracer, DispatchKey::CompositeImplicitAutograd));
  CHECK((getBackendKeySetFromAutograd(DispatchKey::AutogradXLA) == DispatchKeySet(DispatchKey::XLA)));
  CHECK(getBackendKeySetFromAutograd(DispatchKey::AutogradOther).has(DispatchKey::FPGA));
  CHECK(getBackendKeySetFromAutograd(DispatchKey::CPU).empty());
  CHECK((getAutogradKeyFromBackend(BackendComponent::InvalidBit) == DispatchKey::AutogradOther));
  CHECK((DispatchKeySet({DispatchKey::CPU, DispatchKey::SparseCPU}).highestPriorityTypeId() == DispatchKey::SparseCPU));
  CHECK((highestPriorityBackendTypeId(DispatchKeySet({DispatchKey::CPU, DispatchKey::AutogradCPU, DispatchKey::Tracer})) ==
         DispatchKey::CPU));
  CHECK((legacyExtractDispatchKey(DispatchKeySet({DispatchKey::CPU, DispatchKey::AutogradCPU, DispatchKey::AutocastCPU,
                                                  DispatchKey::Python})) == DispatchKey::CPU));
}

TEST_CASE("key set: iteration ends at EndOfFunctionalityKeys, and cannot start after it") {
  const uint64_t repr = DispatchKeySet({DispatchKey::CPU, DispatchKey::AutogradCPU}).raw_repr();
  const DispatchKeySet ks(DispatchKeySet::RAW, repr);
  CHECK((*ks.end() == DispatchKey::EndOfFunctionalityKeys));
  auto it = ks.begin();
  CHECK((*it++ == DispatchKey::CPU));
  CHECK((*it == DispatchKey::AutogradCPU));
  CHECK((++it == ks.end()));
  CHECK((DispatchKeySet::iterator(&repr, num_backends + num_functionality_keys) == ks.end()));
  CHECK_THROWS_AS(DispatchKeySet::iterator(&repr, num_backends + num_functionality_keys + 1), Error);
  CHECK(members(DispatchKeySet(BackendComponent::CPUBit)).empty());  // a backend by itself is no key
}

TEST_CASE("key set: streams") {
  std::ostringstream out;
  out << DispatchKey::CPU << ' ' << BackendComponent::MetaBit << ' ' << DispatchKeySet(DispatchKey::CUDA);
  CHECK(out.str() == "CPU MetaBit {CUDA}");
}
