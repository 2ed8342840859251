// Registration: what is refused, that a refusal leaves no trace, and what is back when a kernel goes.
#include "dispatcher/library.h"

#include <doctest/doctest.h>

#include <cstdlib>

#include "dispatcher/testing.h"

using namespace gb;
using namespace gb::testing;

namespace {

Tensor one(const Tensor& x) { return x; }
Tensor two(const Tensor& x) { return tensor(DispatchKey::CPU, value(x) + 2); }
int64_t wrong(const Tensor&) { return 0; }
Tensor other_type(Tensor x) { return x; }
void boxed(const OperatorHandle&, Stack*) {}

struct Strict {  // GB_STRICT=1 for a scope
  Strict() { setenv("GB_STRICT", "1", 1); }
  ~Strict() { unsetenv("GB_STRICT"); }
};
float run(const char* op) { return value(find(op).typed<Tensor(const Tensor&)>().call(tensor())); }

}  // namespace

TEST_CASE("library: a def and its kernels, with and without the namespace in the name") {
  Library library = MAKE_GB_LIBRARY(lib);
  library.def("lib::a(Tensor x) -> Tensor").impl("lib::a", DispatchKey::CompositeImplicitAutograd, &one);
  library.def("b", &two);  // the schema is inferred
  library.def("c(Tensor input) -> Tensor", [](const Tensor& x) { return x; });
  CHECK(toString(find("lib::b").schema()) == "lib::b(Tensor _0) -> Tensor");
  CHECK(run("lib::b") == 2);
  CHECK(find("lib::c").hasKernelForDispatchKey(DispatchKey::CompositeImplicitAutograd));
  CHECK(starts_with(find("lib::a").debug(), "dispatcher/library_test.cc:"));
  library.reset();
  CHECK_FALSE(exists("lib::a"));
}

TEST_CASE("library: a namespace is defined once") {
  const Library first = MAKE_GB_LIBRARY(once);
  const std::string message = error_of([] { Library second = MAKE_GB_LIBRARY(once); });
  CHECK(starts_with(message,
                    "only a single GB_LIBRARY can be used for the namespace once\n  cause:   the first: dispatcher/library_test.cc:"));
  Library fragment = MAKE_GB_LIBRARY_FRAGMENT(once);
  fragment.def("f() -> ()");
  CHECK(exists("once::f"));
}

TEST_CASE("library: a second def of a schema names both places") {
  Library library = MAKE_GB_LIBRARY(twice);
  library.def("f(Tensor x) -> Tensor", "first.cc", 1);
  CHECK(error_of([&] { library.def("f(Tensor x, int n) -> Tensor", "second.cc", 2); }) ==
        "twice::f: tried to register an operator with the same name twice\n"
        "  cause:   defined already, first.cc:1; again, second.cc:2\n"
        "  repair:  give one of them another overload name, or remove one def\n"
        "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
  CHECK(toString(find("twice::f").schema()) == "twice::f(Tensor x) -> Tensor");
}

TEST_CASE("library: a malformed schema shows the place, and defines nothing") {
  Library library = MAKE_GB_LIBRARY(bad);
  const std::string message = error_of([&] { library.def("f(Tensor x, Tensr y) -> Tensor"); });
  CHECK(contains(message, "f(Tensor x, Tensr y) -> Tensor"));
  CHECK(contains(message, "^"));
  CHECK_FALSE(exists("bad::f"));
  CHECK(contains(error_of([&] { library.def("f(Tensor x, Tensor x) -> Tensor"); }), "x"));
  CHECK_FALSE(exists("bad::f"));
}

TEST_CASE("library: a refused kernel leaves no trace, and the right one is accepted") {
  Library library = MAKE_GB_LIBRARY(refuse);
  library.def("f(Tensor x) -> Tensor");
  const std::string before = find("refuse::f").dumpState();
  const std::string message = error_of([&] { library.impl("f", DispatchKey::CPU, &wrong); });
  CHECK(starts_with(message, "refuse::f: the schema and the C++ signature of a kernel differ\n"
                             "  cause:   Type mismatch in return 0: Tensor vs int."));
  CHECK(contains(message, "schema:  refuse::f(Tensor x) -> Tensor (dispatcher/library_test.cc:"));
  CHECK(find("refuse::f").dumpState() == before);
  library.impl("f", DispatchKey::CompositeImplicitAutograd, &two);  // PyTorch blames this one (reference: not exception-safe)
  CHECK(run("refuse::f") == 2);

  // The C++ types of two kernels differ though both fit the schema.
  const std::string mismatch = error_of([&] { library.impl("f", DispatchKey::CPU, &other_type); });
  CHECK(starts_with(mismatch, "refuse::f: mismatch in kernel C++ signatures\n  cause:   the registered kernels, or the typed "
                              "handles that were given out, have gb::Tensor (gb::Tensor const&)\n           this one has gb::Tensor (gb::Tensor) ("));
  CHECK_FALSE(find("refuse::f").hasKernelForDispatchKey(DispatchKey::CPU));
}

TEST_CASE("library: the same, when the kernel was there first and the def is refused") {
  Library library = MAKE_GB_LIBRARY(later);
  library.impl("f", DispatchKey::CPU, &one);
  CHECK(starts_with(error_of([&] { library.def("f(Tensor x) -> int"); }),
                    "later::f: the schema and the C++ signature of a kernel differ"));
  CHECK_FALSE(Dispatcher::singleton().findSchema({"later::f", ""}).has_value());
  library.def("f(Tensor x) -> Tensor");
  CHECK(find("later::f").hasKernelForDispatchKey(DispatchKey::CPU));
}

TEST_CASE("library: a refused kernel of an operator nobody else knows leaves no operator") {
  Library library = MAKE_GB_LIBRARY(nothing);
  CHECK(starts_with(error_of([&] { library.impl("f", DispatchKey::Dense, &one); }), "nothing::f: no slot belongs to"));
  CHECK_FALSE(exists("nothing::f"));
}

TEST_CASE("library: def with a kernel is both or none") {
  Library library = MAKE_GB_LIBRARY(both);
  CHECK(starts_with(error_of([&] { library.def("f(Tensor x) -> Tensor", &wrong); }),
                    "both::f: the schema and the C++ signature of a kernel differ"));
  CHECK_FALSE(exists("both::f"));
  library.def("f(Tensor x) -> Tensor", &two);
  CHECK(run("both::f") == 2);
  CHECK(starts_with(error_of([&] { library.def("g", CppFunction::makeFromBoxedFunction<&boxed>()); }),
                    "def: the schema of g cannot be inferred from a boxed kernel"));
}

TEST_CASE("library: a second kernel for a key wins, and each time a warning names both places") {
  Library library = MAKE_GB_LIBRARY(dup);
  library.def("f(Tensor x) -> Tensor");
  library.impl("f", DispatchKey::CompositeImplicitAutograd, &one, "first.cc", 1);
  CHECK(run("dup::f") == 0);
  for (int round = 0; round < 2; ++round) {  // not once per process only
    const Warnings warnings;
    Library newer = MAKE_GB_LIBRARY_FRAGMENT(dup);
    newer.impl("f", DispatchKey::CompositeImplicitAutograd, &two, "second.cc", 2);
    CHECK(run("dup::f") == 2);
    REQUIRE(warnings.messages.size() == 1);
    CHECK(warnings.messages[0] ==
          "dup::f: overriding the kernel for the key CompositeImplicitAutograd; the newer one wins\n"
          "           previous kernel: first.cc:1\n           new kernel:      second.cc:2");
    CHECK(contains(find("dup::f").dumpState(), "CompositeImplicitAutograd (inactive): first.cc:1"));
    newer.reset();
    CHECK(run("dup::f") == 0);  // the older one is back
  }
}

TEST_CASE("library: of three kernels the middle one may go first") {
  const Warnings quiet;
  Library library = MAKE_GB_LIBRARY(three), a = MAKE_GB_LIBRARY_FRAGMENT(three), b = MAKE_GB_LIBRARY_FRAGMENT(three);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CompositeImplicitAutograd, &one);
  a.impl("f", DispatchKey::CompositeImplicitAutograd, &one, "a.cc", 1);
  b.impl("f", DispatchKey::CompositeImplicitAutograd, &two);
  a.reset();
  CHECK(run("three::f") == 2);
  b.reset();
  CHECK(run("three::f") == 0);
}

TEST_CASE("library: under GB_STRICT=1 a second kernel is an error and the first one stays") {
  Library library = MAKE_GB_LIBRARY(strict);
  library.def("f(Tensor x) -> Tensor").impl("f", DispatchKey::CompositeImplicitAutograd, &one, "first.cc", 1);
  {
    const Strict strict;
    CHECK(error_of([&] { library.impl("f", DispatchKey::CompositeImplicitAutograd, &two, "second.cc", 2); }) ==
          "strict::f: a second kernel for the key CompositeImplicitAutograd\n"
          "  cause:   previous kernel: first.cc:1\n           new kernel:      second.cc:2\n"
          "  repair:  remove one of them, or unset GB_STRICT to let the newer one win\n"
          "  chapter: docs/en/theory/01-dispatcher-and-aten.md#dispatch");
  }
  CHECK(run("strict::f") == 0);
}

TEST_CASE("library: what a block may not do") {
  Library impl = MAKE_GB_LIBRARY_IMPL(rules, CPU);
  CHECK(starts_with(error_of([&] { impl.def("f() -> ()"); }),
                    "def: cannot define an operator in a GB_LIBRARY_IMPL block\n  cause:   f in GB_LIBRARY_IMPL(rules, CPU) at "
                    "dispatcher/library_test.cc:"));
  CHECK(starts_with(error_of([&] { impl.impl("other::f", &one); }),
                    "impl: the namespace of other::f does not match the block's"));
  CHECK(starts_with(error_of([&] { impl.impl("f", DispatchKey::Meta, &one); }),
                    "impl: the key of a kernel for rules::f does not match the block's\n  cause:   the kernel is for Meta"));
  CHECK(starts_with(error_of([&] { impl.fallback(CppFunction::makeFallthrough()); }),
                    "fallback: a backend fallback is registered for a key, not for a namespace"));
  CHECK(starts_with(error_of([] { MAKE_GB_LIBRARY(_); }), "cannot define operators in the wildcard namespace _"));
  Library wild = MAKE_GB_LIBRARY_IMPL(_, Meta);
  CHECK(starts_with(error_of([&] { wild.fallback(CppFunction(&one)); }), "fallback: a backend fallback must be a boxed kernel"));
  CHECK_FALSE(exists("rules::f"));
  impl.impl("f", DispatchKey::CPU, &one);  // the block's own key, said twice, is fine
  CHECK(exists("rules::f"));
}
