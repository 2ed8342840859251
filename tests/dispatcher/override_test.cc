// Several kernels for one key: the newest that is there serves, whatever order they are taken off in.
#include <doctest/doctest.h>

#include <algorithm>
#include <list>
#include <memory>
#include <random>

#include "dispatcher/testing.h"

namespace gb {
namespace {

using testing::find;
using testing::tensor;

struct Number {
  int64_t number;
  int64_t operator()(const Tensor&) const { return number; }
};

TEST_CASE("override: the newest kernel that is left serves, in its slot and in those of an alias") {
  const testing::Warnings quiet;
  Library library(Library::DEF, "override", std::nullopt, "here", 1);
  library.def("f(Tensor x) -> int").impl("f", DispatchKey::AutogradCPU, CppFunction::makeFallthrough());
  const OperatorHandle f = find("override::f");
  std::mt19937_64 random(2026);
  for (const DispatchKey key :
       {DispatchKey::CPU, DispatchKey::CompositeImplicitAutograd, DispatchKey::CompositeExplicitAutograd}) {
    for (int round = 0; round < 100; ++round) {
      std::list<std::pair<int64_t, std::unique_ptr<Library>>> alive;  // newest last
      for (int64_t step = 0; step < 30; ++step) {
        if (alive.empty() || random() % 5 < 3) {
          auto one = std::make_unique<Library>(Library::FRAGMENT, "override", std::nullopt, "here", 1);
          one->impl("f", key, Number{step});
          alive.emplace_back(step, std::move(one));
        } else {
          alive.erase(std::next(alive.begin(), static_cast<ptrdiff_t>(random() % alive.size())));
        }
        if (alive.empty()) {
          CHECK_FALSE(f.hasKernelForDispatchKey(key));
          CHECK_THROWS_AS(f.typed<int64_t(const Tensor&)>().call(tensor()), NotImplementedError);
        } else {
          CHECK(f.typed<int64_t(const Tensor&)>().call(tensor()) == alive.back().first);
          Stack stack{tensor()};
          f.callBoxed(stack);
          CHECK(stack.back().toInt() == alive.back().first);
        }
      }
    }
  }
  CHECK(quiet.messages.size() > 1000);  // every one of them is said
}

TEST_CASE("override: libraries that move and die in any order take off what they registered") {
  const testing::Warnings quiet;
  std::mt19937_64 random(7);
  for (int round = 0; round < 100; ++round) {
    std::vector<Library> libraries;
    libraries.reserve(8);
    libraries.emplace_back(Library::DEF, "override", std::nullopt, "here", 1);
    libraries.back().def("f(Tensor x) -> int");
    const OperatorHandle f = find("override::f");
    for (int64_t i = 0; i < 6; ++i) {
      libraries.emplace_back(Library::FRAGMENT, "override", std::nullopt, "here", 1);
      libraries.back().impl("f", DispatchKey::CPU, Number{i}).impl("f", DispatchKey::CUDA, Number{i});
    }
    std::shuffle(libraries.begin(), libraries.end(), random);  // moves them about
    while (!libraries.empty()) libraries.pop_back();
    CHECK_FALSE(testing::exists("override::f"));
    CHECK(testing::contains(testing::error_of([&] { f.typed<int64_t(const Tensor&)>().call(tensor()); }),
                            "was removed"));
  }
  Dispatcher::singleton().checkInvariants();
}

}  // namespace
}  // namespace gb
