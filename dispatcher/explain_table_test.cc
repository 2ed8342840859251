#include "dispatcher/explain_table.h"

#include <doctest/doctest.h>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

Tensor kernel(const Tensor& x) { return x; }
using K = DispatchKey;

// Every slot that the diff names, as "CPU AutogradCPU".
std::string changed(const TableDiff& d) {
  std::string text;
  for (const TableDiff::Slot& s : d.slots)
    text += (text.empty() ? "" : " ") + std::string(toString(s.after.key));
  return text;
}

void check_same(const DispatchTable& a, const DispatchTable& b) {
  CHECK(diff(a, b).slots.empty());
  CHECK(a.text(/*with_rules=*/true) == b.text(/*with_rules=*/true));
}

}  // namespace

TEST_CASE(
    "table: every slot agrees with what a call reads, and the last rule named is the one that decides") {
  Library library = MAKE_GB_LIBRARY(slots);
  library.def("f(Tensor x) -> Tensor");
  library.impl("f", K::CPU, &kernel).impl("f", K::CompositeImplicitAutograd, &kernel);
  library.impl("f", K::AutogradMeta, CppFunction::makeFallthrough());
  const OperatorHandle f = find("slots::f");
  const DispatchTable table = table_of(f);
  CHECK(table.slots.size() == num_runtime_entries);
  for (size_t i = 0; i < table.slots.size(); ++i) {
    const SlotExplanation& s = table.slots[i];
    CAPTURE(toString(s.key));
    CHECK(s.slot == static_cast<int>(i));
    CHECK(s.holds == &f.entry().slot(s.key));
    CHECK((s.reason == f.entry().reason(s.key)));
    for (const RuleTried& r : s.rules) CHECK((r.decides || !r.why.empty()));
    CHECK((s.rules.back().decides == (s.reason != impl::SlotReason::kMissing)));
  }
}

TEST_CASE("table: with the rules of each slot, golden") {
  Library library = MAKE_GB_LIBRARY(slots);
  library.def("f(Tensor x) -> Tensor").impl("f", K::CPU, &kernel, "cpu.cc", 1);
  library.impl("f", K::CompositeExplicitAutograd, &kernel, "all.cc", 2);
  const std::string text = table_of(find("slots::f")).text(/*with_rules=*/true);
  CHECK(contains(text,
                 "CPU                   kernel for this key                unboxed     cpu.cc:1\n"
                 "                        1. kernel for CPU                    decides\n"
                 "CUDA                  CompositeExplicitAutograd kernel   unboxed     all.cc:2\n"
                 "                        1. kernel for CUDA                   none is registered\n"
                 "                        2. CompositeExplicitAutograd kernel  decides\n"));
  CHECK_FALSE(contains(text, "AutogradCPU"));
}

TEST_CASE("table: an ambiguous AutogradOther says which rule made it so") {
  Library library = MAKE_GB_LIBRARY(slots);
  library.def("f(Tensor x) -> Tensor")
      .impl("f", K::CompositeImplicitAutograd, &kernel, "f.cc", 1)
      .impl("f", K::FPGA, &kernel);
  const OperatorHandle f = find("slots::f");
  CHECK(contains(table_of(f).text(/*with_rules=*/true),
                 "AutogradOther         ambiguous AutogradOther            none        two kernels could "
                 "serve this key\n"
                 "                        1. kernel for AutogradOther          none is registered\n"
                 "                        2. CompositeExplicitAutograd kernel  none is registered\n"
                 "                        3. CompositeImplicitAutograd kernel  decides: an error, because a "
                 "backend that this key "
                 "serves has a kernel of its own too\n"));
  CHECK(contains(diff(table_of(f), table_if(f, {.with = {}, .without = {K::FPGA}})).text(),
                 "AutogradOther\n"
                 "  - ambiguous AutogradOther            none        two kernels could serve this key\n"
                 "  + CompositeImplicitAutograd kernel   unboxed     f.cc:1\n"
                 "    another kernel by the same rule\n"));
}

TEST_CASE("diff: what a registration changed, and back") {
  Library library = MAKE_GB_LIBRARY(slots);
  library.def("f(Tensor x) -> Tensor")
      .impl("f", K::CompositeImplicitAutograd, &kernel, "made_of_others.cc", 2);
  const OperatorHandle f = find("slots::f");
  const DispatchTable before = table_of(f);
  {
    Library more = MAKE_GB_LIBRARY_IMPL(slots, CPU);
    more.impl("f", &kernel, "cpu.cc", 7);
    const TableDiff d = diff(before, table_of(f));
    CHECK(changed(d) == "CPU AutogradCPU");
    CHECK(starts_with(d.text(), "slots::f: 2 of " + std::to_string(num_runtime_entries) + " slots change\n"));
    CHECK(contains(d.text(),
                   "CPU\n"
                   "  - CompositeImplicitAutograd kernel   unboxed     made_of_others.cc:2\n"
                   "  + kernel for this key                unboxed     cpu.cc:7\n"
                   "    kernel for CPU comes before CompositeImplicitAutograd kernel\n"
                   "AutogradCPU\n"
                   "  - CompositeImplicitAutograd kernel   unboxed     made_of_others.cc:2\n"));
    CHECK(contains(d.text(),
                   "    CompositeImplicitAutograd kernel: there is one (made_of_others.cc:2), but the "
                   "backend has a kernel "
                   "of its own, so the call must not decompose\n"));
    // A second kernel of the same place is still another one.
    const DispatchTable first = table_of(f);
    const Warnings warnings;
    Library again = MAKE_GB_LIBRARY_IMPL(slots, CPU);
    again.impl("f", &kernel, "cpu.cc", 7);
    CHECK(changed(diff(first, table_of(f))) == "CPU");
    CHECK(contains(diff(first, table_of(f)).text(), "    another kernel by the same rule\n"));
  }
  check_same(before, table_of(f));
}

TEST_CASE("table_if: says what the registration then does, and leaves everything as it was") {
  Library library = MAKE_GB_LIBRARY(slots);
  library.def("f(Tensor x) -> Tensor")
      .impl("f", K::CompositeImplicitAutograd, &kernel)
      .impl("f", K::Meta, &kernel);
  const OperatorHandle f = find("slots::f");
  const DispatchTable before = table_of(f);
  const auto names = Dispatcher::singleton().getAllOpNames();
  const std::string state = f.dumpState();
  for (const K key : {K::CPU, K::CUDA, K::Autograd, K::AutogradCPU, K::CompositeExplicitAutograd,
                      K::FPGA, K::BackendSelect}) {
    CAPTURE(toString(key));
    const TableDiff asked = diff(before, table_if(f, {.with = {{key}}, .without = {}}));
    Library more = MAKE_GB_LIBRARY_FRAGMENT(slots);
    more.impl("f", key, &kernel);
    CHECK(changed(asked) == changed(diff(before, table_of(f))));
    // Taking it away is the way back.
    const TableDiff back = diff(table_of(f), table_if(f, {.with = {}, .without = {key}}));
    CHECK(changed(back) == changed(asked));
    for (const TableDiff::Slot& s : back.slots)
      CHECK((s.after.reason == before.slots[static_cast<size_t>(s.after.slot)].reason));
  }
  const TableDiff fallthrough = diff(before, table_if(f, {.with = {{K::CPU, true}}, .without = {}}));
  CHECK(fallthrough.slots.front().after.kernel == "fallthrough");
  check_same(before, table_of(f));
  CHECK(f.dumpState() == state);
  CHECK((Dispatcher::singleton().getAllOpNames() == names));

  const TableDiff bare =
      diff(before, table_if(f, {.with = {}, .without = {K::CompositeImplicitAutograd, K::Meta}}));
  CHECK((bare.slots.front().after.reason == impl::SlotReason::kMissing));
  CHECK(starts_with(
      error_of([&] { table_if(f, {.with = {}, .without = {K::CPU}}); }),
      "slots::f: there is no kernel for CPU to leave out\n  cause:   kernels are registered for Meta ("));
}
