// Registration, deregistration, lookups and calls from 8 threads at once. Meant for the thread sanitizer;
// without it, it still checks every result. GB_TEST_ROUNDS=N runs longer.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <thread>

#include "dispatcher/testing.h"

namespace gb {
namespace {

using testing::find;
using testing::tensor;
using Typed = TypedOperatorHandle<int64_t(const Tensor&)>;

int rounds() {
  const char* text = std::getenv("GB_TEST_ROUNDS");
  return text ? std::atoi(text) : 150;
}

struct Number {
  int64_t number;
  int64_t operator()(const Tensor&) const { return number; }
};
int64_t at_autograd(DispatchKeySet ks, const Tensor& x) {
  return find("threads_test::shared")
      .typed<int64_t(const Tensor&)>()
      .redispatch(ks & after_autograd_keyset, x);
}

// What a call to `shared` may return: the number of a kernel that was there at some time.
bool possible(int64_t result) { return result >= 100 && result < 100 + 8; }

// A caller: typed, boxed and by name, all the while others register.
void call_again_and_again(const std::atomic<bool>& stop, std::atomic<int>& wrong) {
  const Typed shared = find("threads_test::shared").typed<int64_t(const Tensor&)>();
  const Tensor cpu = tensor();
  while (!stop) {
    wrong += !possible(shared.call(cpu));
    Stack stack{cpu};
    shared.callBoxed(stack);
    wrong += stack.size() != 1 || !possible(stack.back().toInt());
    try {
      wrong += !possible(find("threads_test::passing").typed<int64_t(const Tensor&)>().call(cpu));
    } catch (const Error&) {
      // it is not there just now, or has no kernel
    }
  }
}

// One that registers: kernels for `shared` over those of others, an operator of its own, an operator that all
// share but nobody keeps, and kernels without a def. It keeps handles past their operator.
void register_again_and_again(int me, std::atomic<int>& wrong) {
  const testing::Warnings quiet;
  const std::string own = "own" + std::to_string(me), full = "threads_test::" + own;
  std::vector<OperatorHandle> old;
  for (int round = 0; round < rounds(); ++round) {
    {
      Library more(Library::FRAGMENT, "threads_test", std::nullopt, "here", 1);
      more.impl("shared", DispatchKey::CPU, Number{100 + me});
      more.impl("shared", DispatchKey::AutogradCPU, &at_autograd);
      more.def((own + "(Tensor x) -> int").c_str());
      more.impl(own.c_str(), DispatchKey::CompositeImplicitAutograd, Number{me});
      old.push_back(find(full.c_str()));
      wrong += old.back().typed<int64_t(const Tensor&)>().call(tensor()) != me;
      try {
        more.def("passing(Tensor x) -> int");
      } catch (const Error&) {
        // another thread has it
      }
      more.impl("passing", DispatchKey::CompositeImplicitAutograd, Number{100 + me});
      more.impl("dangling", DispatchKey::CPU, Number{me});
      if (round % 3 == 0) more.impl("shared", DispatchKey::AutogradCPU, CppFunction::makeFallthrough());
      if (round % 5 == 0) {
        std::unique_ptr<Library> fallback;
        try {
          fallback = std::make_unique<Library>(Library::IMPL, "_", DispatchKey::FPGA, "here", 1);
          fallback->fallback(CppFunction::makeFallthrough());
        } catch (const Error&) {
          // another thread has it
        }
      }
    }
    for (const OperatorHandle& gone : old)
      wrong += testing::error_of([&] { gone.typed<int64_t(const Tensor&)>().call(tensor()); }) == "no error";
    if (old.size() > 4) old.erase(old.begin());
    Dispatcher::singleton().findDanglingImpls();
    Dispatcher::singleton().getAllOpNames();
    find("threads_test::shared").dumpComputedTable();
  }
}

TEST_CASE("threads: four register and deregister, four look up and call") {
  Library library(Library::DEF, "threads_test", std::nullopt, "here", 1);
  library.def("shared(Tensor x) -> int").impl("shared", DispatchKey::CompositeExplicitAutograd, Number{107});
  library.impl("shared", DispatchKey::AutogradCPU, CppFunction::makeFallthrough());
  std::atomic<bool> stop = false;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> callers, registrars;
  for (int i = 0; i < 4; ++i) callers.emplace_back([&] { call_again_and_again(stop, wrong); });
  for (int i = 0; i < 4; ++i) registrars.emplace_back([&, i] { register_again_and_again(i, wrong); });
  for (std::thread& t : registrars) t.join();
  stop = true;
  for (std::thread& t : callers) t.join();
  CHECK(wrong == 0);
  CHECK(find("threads_test::shared").typed<int64_t(const Tensor&)>().call(tensor()) == 107);
  for (const char* name : {"threads_test::own0", "threads_test::passing", "threads_test::dangling"})
    CHECK_FALSE(testing::exists(name));
  Dispatcher::singleton().checkInvariants();
}

TEST_CASE("threads: a registration may end on another thread than its own") {
  for (int round = 0; round < 50; ++round) {
    auto library = std::make_unique<Library>(Library::FRAGMENT, "threads_elsewhere", std::nullopt, "here", 1);
    library->def("f(Tensor x) -> int", CppFunction(Number{3}));
    const Typed f = find("threads_elsewhere::f").typed<int64_t(const Tensor&)>();
    std::thread ends([library = std::move(library)]() mutable { library.reset(); });
    // Before it, after it, or between the kernel's going and the operator's.
    const std::string error = testing::error_of([&] { f.call(tensor()); });
    CHECK_MESSAGE((error == "no error" || testing::contains(error, "was removed") ||
                   testing::contains(error, "no kernel for the dispatch key")),
                  error);
    ends.join();
    CHECK(testing::contains(testing::error_of([&] { f.call(tensor()); }), "was removed"));
  }
}

// A listener is told with the registry's lock held. Calls and lookups on another thread must not wait for it.
struct Blocking final : OpRegistrationListener {
  explicit Blocking(const Typed& f) : first(f) {}
  void onOperatorRegistered(const OperatorHandle& op) override {
    if (toString(op.operator_name()) != "threads_lock::second") return;
    auto result = std::async(std::launch::async, [this] {
      Stack stack{tensor()};
      find("threads_lock::first").callBoxed(stack);
      return first.call(tensor()) + stack.back().toInt();
    });
    finished = result.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
    if (!finished) std::abort();  // the future's destructor would wait for ever
    sum = result.get();
  }
  void onOperatorDeregistered(const OperatorHandle&) override {}
  const Typed first;  // typed() itself does lock: it looks at the registered kernels
  static inline bool finished = false;
  static inline int64_t sum = 0;
};

TEST_CASE("threads: a call and a lookup go through while another thread holds the registry's lock") {
  Library library(Library::DEF, "threads_lock", std::nullopt, "here", 1);
  library.def("first(Tensor x) -> int", CppFunction(Number{4}));
  const auto listener = Dispatcher::singleton().addRegistrationListener(
      std::make_unique<Blocking>(find("threads_lock::first").typed<int64_t(const Tensor&)>()));
  library.def("second(Tensor x) -> int");
  CHECK(Blocking::finished);
  CHECK(Blocking::sum == 8);
}

}  // namespace
}  // namespace gb
