#include "dispatcher/trace.h"

#include <doctest/doctest.h>

#include <thread>

#include "dispatcher/trace_test_ops.h"

using namespace gb;
using namespace gb::testing;

namespace {

using Ops = TraceOps;

const char* const kTree =
    "call trace::outer(x: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS +{BackendSelect, "
    "ADInplaceOrView} "
    "-{AutocastFunctionality} | mask -{BackendSelect, Functionalize, ADInplaceOrView, Tracer, AutocastFunctionality} => "
    "AutogradCPU : "
    "CompositeImplicitAutograd kernel, outer.cc:3\n"
    "  call trace::inner(x, y: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS +{BackendSelect, "
    "ADInplaceOrView} "
    "-{AutocastFunctionality} | mask -{BackendSelect, Functionalize, ADInplaceOrView, Tracer, "
    "AutocastFunctionality} => AutogradCPU : "
    "Autograd alias kernel, inner/autograd.cc:7\n"
    "    redispatch trace::inner(x, y: {CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}) | TLS "
    "+{BackendSelect, ADInplaceOrView} "
    "-{AutogradOther, AutogradFunctionality, AutocastFunctionality} | mask -{BackendSelect, Functionalize, "
    "ADInplaceOrView, "
    "Tracer, AutocastFunctionality} | given {CPU} => CPU : "
    "kernel for this key, inner/cpu.cc:5\n";

}  // namespace

TEST_CASE("trace: the tree of a composite call, golden") {
  const Ops ops;
  const trace::Recorder recorder;
  ops.run();
  CHECK(recorder.tree() == kTree);
  CHECK(recorder.size() == 3);
}

TEST_CASE("trace: off by default, off again after the recorder; the same result either way") {
  const Ops ops;
  CHECK_FALSE(trace::is_enabled());
  {
    const trace::Recorder recorder;
    CHECK(trace::is_enabled());
    CHECK(recorder.tree().empty());
  }
  CHECK_FALSE(trace::is_enabled());
  CHECK(ops.run().defined());
}

TEST_CASE("trace: the innermost recorder keeps the hops") {
  const Ops ops;
  const trace::Recorder all;
  {
    const trace::Recorder nested;
    ops.run();
    CHECK(nested.size() == 3);
  }
  CHECK(all.size() == 0);
  ops.run();
  CHECK(all.size() == 3);
}

TEST_CASE("trace: JSON lines have everything of a hop, in the order of the calls") {
  const Ops ops;
  const trace::Recorder recorder;
  ops.run();
  const std::string json = recorder.json_lines();
  CHECK(count(json, "\n") == 3);
  CHECK(
      contains(json,
               "\"depth\":0,\"kind\":\"call\",\"op\":\"trace::outer\",\"arguments\":{\"x\":[\"CPU\","
               "\"ADInplaceOrView\","
               "\"AutogradCPU\",\"AutocastCPU\"]},\"tls_include\":[\"BackendSelect\",\"ADInplaceOrView\"],"));
  CHECK(contains(
      json,
      "\"keyset\":[\"CPU\"],\"key\":\"CPU\",\"slot\":1,\"reason\":\"kernel for this key\",\"kernel\":"
      "\"inner/cpu.cc:5\",\"begin_us\":"));
  CHECK(count(json, "\"error\":null}\n") == 3);
  CHECK_FALSE(contains(json, "\"duration_us\":null"));
  CHECK(json.find("\"op\":\"trace::outer\"") < json.find("\"op\":\"trace::inner\""));
}

TEST_CASE("trace: boxed calls") {
  const Ops ops;
  const trace::Recorder recorder;
  Stack stack{tensor(), tensor()};
  find("trace::inner").callBoxed(&stack);
  CHECK(starts_with(recorder.tree(), "callBoxed trace::inner(x, y: {CPU, "));
}

TEST_CASE("trace: an exception is marked on every hop that it passes") {
  const Ops ops;
  const trace::Recorder recorder;
  CHECK_THROWS_AS(ops.run(DispatchKey::Meta), NotImplementedError);
  const std::string mark =
      " ! gb::NotImplementedError: Could not run trace::inner : no kernel for the dispatch key Meta\n";
  CHECK(count(recorder.tree(), mark) == 3);
  CHECK(contains(recorder.tree(), ", nothing is registered" + mark));
  CHECK(count(recorder.json_lines(),
              "\"error\":\"gb::NotImplementedError: Could not run trace::inner : no kernel for") == 3);
  CHECK(count(recorder.chrome_trace(), "\"error\":\"gb::NotImplementedError: ") == 3);
  ops.run();  // the depth is 0 again
  CHECK(contains(recorder.tree(), "\ncall trace::outer("));
  CHECK(count(recorder.tree(), mark) == 3);
}

TEST_CASE("trace: exceptions of other kinds, unboxed and boxed") {
  Library library = MAKE_GB_LIBRARY(trace);
  library.def("std(Tensor x) -> Tensor").def("odd(Tensor x) -> Tensor");
  library.impl("std", DispatchKey::CompositeImplicitAutograd,
               [](const Tensor&) -> Tensor { throw std::out_of_range("first\nsecond"); });
  library.impl("odd", DispatchKey::CompositeImplicitAutograd, [](const Tensor&) -> Tensor { throw 42; });
  const trace::Recorder recorder;
  CHECK_THROWS_AS(find("trace::std").typed<Tensor(const Tensor&)>().call(tensor()), std::out_of_range);
  CHECK_THROWS_AS(find("trace::odd").typed<Tensor(const Tensor&)>().call(tensor()), int);
  Stack stack{tensor()};
  CHECK_THROWS_AS(find("trace::odd").callBoxed(&stack), int);
  CHECK(contains(recorder.tree(), " ! std::out_of_range: first\n"));
  CHECK(count(recorder.tree(), " ! int: no std::exception\n") == 2);
}

TEST_CASE("trace: the tree has durations where asked") {
  const Ops ops;
  const trace::Recorder recorder;
  ops.run();
  CHECK(count(recorder.tree(trace::Recorder::kWithTimes), " us]\n") == 3);
  CHECK_FALSE(contains(recorder.tree(), " us]"));
}

TEST_CASE("trace: two threads, each with its recorder, each with its own hops") {
  const Ops ops;
  const trace::Recorder here;
  std::string trees[2];
  std::vector<std::thread> threads;
  for (std::string& tree : trees) {
    threads.emplace_back([&] {
      const trace::Recorder mine;
      for (int i = 0; i < 200; ++i) ops.run();
      tree = mine.tree();
    });
  }
  for (std::thread& t : threads) t.join();
  std::thread([&] { ops.run(); }).join();  // without one: nobody's
  std::string expected;
  for (int i = 0; i < 200; ++i) expected += kTree;
  CHECK(trees[0] == expected);
  CHECK(trees[1] == expected);
  CHECK(here.size() == 0);
}

TEST_CASE("trace: a recorder made or gone in the middle of a hop") {
  Library library = MAKE_GB_LIBRARY(trace);
  library.def("f(Tensor x) -> Tensor").def("g(Tensor x) -> Tensor");
  std::optional<trace::Recorder> recorder;
  library.impl("f", DispatchKey::CompositeImplicitAutograd, [&](const Tensor& x) {
    if (recorder)
      recorder.reset();
    else
      recorder.emplace();
    return find("trace::g").typed<Tensor(const Tensor&)>().call(x);
  });
  library.impl("g", DispatchKey::CompositeImplicitAutograd, [](const Tensor& x) { return x; });
  const auto f = find("trace::f").typed<Tensor(const Tensor&)>();
  f.call(tensor());
  CHECK(recorder->size() == 1);  // g; f had begun before
  CHECK(starts_with(recorder->tree(), "call trace::g("));
  f.call(tensor());
  CHECK_FALSE(trace::is_enabled());
}

TEST_CASE("trace: a filter by operator and key") {
  const Ops ops;
  const auto hops = [&](const char* filter) {
    const trace::Recorder recorder(trace::Filter::parse(filter));
    ops.run();
    CHECK(count(recorder.json_lines(), "\"duration_us\":null") == 0);
    return recorder.size();
  };
  CHECK(hops("") == 3);
  CHECK(hops("op=trace::inner") == 2);
  CHECK(hops("op=*inn*") == 2);
  CHECK(hops("op=trace::*er") == 3);
  CHECK(hops("op=inner") == 0);
  CHECK(hops("key=CPU") == 1);
  CHECK(hops("key=Autograd*") == 2);
  CHECK(hops("op=trace::outer,op=trace::inner,key=CPU") == 1);
  CHECK(hops("op=trace::outer,key=CPU") == 0);
  CHECK(error_of([] { trace::Filter::parse("op=aten::mm,keys=CPU"); }) ==
        "trace filter: \"keys=CPU\" is neither op=PATTERN nor key=PATTERN\n"
        "  cause:   it is a part of \"op=aten::mm,keys=CPU\"\n"
        "  repair:  write, for example, op=aten::mm*,key=CPU; of several op= (or key=) one must match\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
  CHECK_THROWS_AS(trace::Filter::parse("op="), ValueError);
}
