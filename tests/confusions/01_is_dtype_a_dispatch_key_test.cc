// "Is dtype a dispatch key?" No. A key says which backend and which functionality; the table has no axis for
// dtype. Which loop runs for float64 is decided by a switch inside the kernel that the table has chosen.
#include <doctest/doctest.h>

#include "dispatcher/testing.h"
#include "ops/ops.h"
#include "tests/confusions/show.h"

using namespace gb;
using namespace gb::testing;
using namespace gb::confusions;

TEST_CASE(
    "is dtype a dispatch key? no: every dtype has the same key set, the same slot and the same kernel") {
  const OperatorHandle mm = find("aten::mm");
  const auto keys = [&](const Tensor& t) {
    return mm.entry().computeDispatchKeySet(impl::OperatorEntry::keys_of(t));
  };
  const auto first_kernel = [&](const Tensor& t) { return &mm.entry().lookup(keys(t)); };
  const auto last_kernel = [&](const Tensor& t) {
    return &mm.entry().lookup(keys(t) & after_autograd_keyset);
  };
  const Tensor reference = ones({2, 2}, kFloat);
  for (const ScalarType dtype : {kFloat, kDouble, kBFloat16, kHalf, kInt, kLong, kBool}) {
    CAPTURE(toString(dtype));
    const Tensor t = ones({2, 2}, dtype);
    CHECK((t.key_set() == reference.key_set()));
    CHECK(first_kernel(t) == first_kernel(reference));
    CHECK(last_kernel(t) == last_kernel(reference));
  }
  const Tensor elsewhere = ones({2, 2}, TensorOptions(kFloat).device(kMeta));  // the backend is a key
  CHECK(first_kernel(elsewhere) == first_kernel(reference));                   // one autograd kernel for all
  CHECK(last_kernel(elsewhere) != last_kernel(reference));
}

TEST_CASE("is dtype a dispatch key? no: a dtype without code is refused by the kernel, not by the table") {
  const Tensor t = ones({2, 2}, kBool);
  const std::string error = error_of([&] { t.mm(t); });
  CHECK_FALSE(contains(error, "no kernel for the dispatch key"));
  check_golden("01_dtype", error + "\n");
}

TEST_CASE(
    "is dtype a dispatch key? no: the number of slots follows from functionalities and backends alone") {
  int per_backend = 0;
  for (int k = 0; k < num_functionality_keys; ++k)
    per_backend += isPerBackendFunctionalityKey(static_cast<DispatchKey>(k));
  CHECK(num_runtime_entries == num_functionality_keys + per_backend * (num_backends - 1));
  CHECK_THROWS_AS(parseDispatchKey("Float"), Error);
}
