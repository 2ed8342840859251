// "Could not run X with arguments from the Y backend: which argument, and what do I do?" The message says who
// brought the key, what the other arguments carry, which slots hold kernels, and the line to add.
#include <doctest/doctest.h>

#include "dispatcher/testing.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE("could not run: the message names the argument, the slots that are filled, and the repair") {
  Library library = MAKE_GB_LIBRARY(c5);
  library.def("scale(Tensor x, Tensor by) -> Tensor");
  library.impl(
      "scale", DispatchKey::CPU, [](const Tensor& x, const Tensor&) { return x; }, "scale/cpu.cc", 4);
  library.impl("scale", DispatchKey::Autograd, CppFunction::makeFallthrough(), "scale/autograd.cc", 9);
  const auto scale = find("c5::scale").typed<Tensor(const Tensor&, const Tensor&)>();
  CHECK(scale.call(tensor(), tensor()).defined());
  const std::string error = error_of([&] { scale.call(tensor(), tensor(DispatchKey::CUDA)); });
  CHECK(contains(error, "the key comes from by"));
  check_golden("05_could_not_run", error + "\n");

  // The line that it says to add, added.
  library.impl("scale", DispatchKey::CUDA, [](const Tensor& x, const Tensor&) { return x; });
  CHECK(scale.call(tensor(), tensor(DispatchKey::CUDA)).defined());
}
