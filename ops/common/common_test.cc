// Shapes, strides, promotion and checks, without any operator.
#include <doctest/doctest.h>

#include "ops/common/checks.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"
#include "ops/common/type_promotion.h"

namespace gb {
namespace {

using Sizes = std::vector<int64_t>;

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}
bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

Tensor strided(Sizes sizes, Sizes strides, ScalarType dtype = kFloat) {
  return empty_strided_on(Device(kCPU), sizes, strides, dtype);
}
Tensor wrapped(const Scalar& s) { return wrapped_scalar_tensor(s); }
Tensor dimmed(ScalarType t) { return empty_cpu({2}, t); }
Tensor zero_dim(ScalarType t) { return empty_cpu({}, t); }

TEST_CASE("infer_size broadcasts from the last dimension") {
  CHECK(infer_size({2, 3}, {2, 3}) == Sizes{2, 3});
  CHECK(infer_size({2, 1, 3}, {4, 1}) == Sizes{2, 4, 3});
  CHECK(infer_size({}, {5}) == Sizes{5});
  CHECK(infer_size({}, {}) == Sizes{});
  CHECK(infer_size({2, 0}, {1}) == Sizes{2, 0});
  CHECK(infer_size({1}, {0}) == Sizes{0});
}

TEST_CASE("infer_size names both sizes and the dimension") {
  const std::string m = message_of([] { infer_size({2, 3}, {2, 4}); });
  CHECK(contains(
      m, "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1"));
  CHECK(contains(m, "a has shape [2, 3], b has shape [2, 4]"));
  CHECK(contains(message_of([] {
                   infer_size({2, 0}, {2, 2});
                 }),
                 "tensor a (0) must match the size of tensor b (2)"));
}

TEST_CASE("an in-place operand may not enlarge what is written") {
  check_broadcasts_into({1, 3}, {2, 3}, "add_");
  CHECK(contains(message_of([] {
                   check_broadcasts_into({2, 2, 3}, {2, 3}, "add_");
                 }),
                 "add_: output with shape [2, 3] doesn't match the broadcast shape [2, 2, 3]"));
}

// The expected strides are LibTorch 2.11's.
TEST_CASE("results are laid out as their operands") {
  const Tensor t = strided({3, 2}, {1, 3}), c = strided({3, 2}, {2, 1});
  CHECK(elementwise_strides({3, 2}, {&t, &t}) == Sizes{1, 3});
  CHECK(elementwise_strides({3, 2}, {&t, &c}) == Sizes{1, 3});
  CHECK(elementwise_strides({3, 2}, {&c, &t}) == Sizes{2, 1});
  const Tensor p = strided({2, 4, 3}, {1, 6, 2}), b = strided({4, 3}, {3, 1});
  CHECK(elementwise_strides({2, 4, 3}, {&p, &b}) == Sizes{1, 6, 2});
  const Tensor stepped = strided({4, 2}, {3, 2}), expanded = strided({4, 2, 3}, {0, 3, 1});
  CHECK(elementwise_strides({4, 2}, {&stepped}) == Sizes{2, 1});
  CHECK(elementwise_strides({4, 2, 3}, {&expanded}) == Sizes{6, 3, 1});
  // The stride of a dimension of one element counts, where it is not stretched; here the first operand has no such.
  const Tensor square = strided({2, 2}, {2, 1}), thin = strided({1, 1, 2}, {1, 3, 3});
  CHECK(elementwise_strides({1, 2, 2}, {&square, &thin}) == Sizes{1, 1, 2});
  const Tensor nine = strided({3, 3}, {3, 1}), row = strided({1, 1, 3}, {1, 3, 1});
  CHECK(elementwise_strides({1, 3, 3}, {&nine, &row, &nine}) == Sizes{1, 1, 3});
}

TEST_CASE("elementwise_space merges what is contiguous and stretches with stride 0") {
  const Tensor out = strided({2, 3, 4}, {12, 4, 1}), row = strided({4}, {1});
  const auto same = elementwise_space<2>({&out, &out});
  CHECK(same.ndim == 1);
  CHECK(same.sizes[0] == 24);
  const auto stretched = elementwise_space<2>({&out, &row});
  REQUIRE(stretched.ndim == 2);
  CHECK(stretched.sizes[0] == 6);
  CHECK(stretched.strides[1][0] == 0);
  CHECK(stretched.strides[1][1] == 1);
}

TEST_CASE("promotion between tensors of one kind") {
  const ScalarType order[] = {kBool, kInt, kLong, kHalf, kFloat, kDouble};
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = 0; j < 6; ++j) {
      CAPTURE(i);
      CAPTURE(j);
      CHECK((result_type(dimmed(order[i]), dimmed(order[j])) == order[std::max(i, j)]));
    }
  }
  CHECK((result_type(dimmed(kHalf), dimmed(kBFloat16)) == kFloat));
  CHECK((result_type(zero_dim(kFloat), zero_dim(kDouble)) == kDouble));
}

TEST_CASE("a lower kind of operand changes the category only") {
  CHECK((result_type(dimmed(kFloat), zero_dim(kDouble)) == kFloat));
  CHECK((result_type(dimmed(kInt), zero_dim(kLong)) == kInt));
  CHECK((result_type(dimmed(kLong), zero_dim(kDouble)) == kDouble));
  CHECK((result_type(dimmed(kBool), zero_dim(kInt)) == kInt));
  CHECK((result_type(dimmed(kFloat), wrapped(2.5)) == kFloat));
  CHECK((result_type(dimmed(kHalf), wrapped(2.5)) == kHalf));
  CHECK((result_type(dimmed(kLong), wrapped(2.5)) == kFloat));  // the default dtype
  CHECK((result_type(dimmed(kInt), wrapped(2)) == kInt));
  CHECK((result_type(dimmed(kBool), wrapped(2)) == kLong));
  CHECK((result_type(dimmed(kBool), wrapped(true)) == kBool));
  CHECK((result_type(zero_dim(kHalf), wrapped(2.5)) == kHalf));
  CHECK((result_type(zero_dim(kInt), wrapped(2)) == kInt));
  CHECK((result_type(wrapped(1), wrapped(2.5)) == kFloat));
  CHECK((result_type(dimmed(kInt), Scalar(2.5)) == kFloat));
  CHECK((result_type(Scalar(true), Scalar(3)) == kLong));
}

TEST_CASE("new tensors: sizes are checked before anything is allocated") {
  CHECK(contains(message_of([] {
                   check_sizes({2, -1}, kFloat, "empty");
                 }),
                 "empty: Trying to create tensor with negative dimension -1: [2, -1]"));
  CHECK(contains(message_of([] {
                   check_sizes({int64_t{1} << 40, int64_t{1} << 40}, kFloat, "empty");
                 }),
                 "Storage size calculation overflowed with sizes="));
  check_sizes({int64_t{1} << 40, int64_t{1} << 40, 0}, kFloat, "empty");
  CHECK(contains(message_of([] { check_sizes({2}, kByte, "empty"); }),
                 "tensors of dtype Byte are not supported"));
  CHECK(contains(message_of([] {
                   check_sizes_and_strides({2, 3}, {1}, kFloat, "x");
                 }),
                 "mismatch in length of strides and shape"));
  CHECK(contains(message_of([] {
                   check_sizes_and_strides({2, 3}, {1, -2}, kFloat, "x");
                 }),
                 "strides must be non-negative, got [1, -2]"));
  CHECK(contains(message_of([] { check_sizes_and_strides({4}, {int64_t{1} << 61}, kFloat, "x"); }),
                 "overflowed"));
}

TEST_CASE("a meta tensor has a storage but no memory") {
  const Tensor m = empty_on(Device(kMeta), {2, 3}, kFloat);
  CHECK(m.is_meta());
  CHECK(m.data_ptr() == nullptr);
  CHECK(m.storage().nbytes() == 24);
  CHECK(m.is_alias_of(m));
}

TEST_CASE("devices: a 0-dim CPU tensor goes anywhere, nothing else does") {
  const Tensor meta = empty_on(Device(kMeta), {2}, kFloat), cpu = empty_cpu({2}, kFloat),
               number = empty_cpu({}, kFloat);
  CHECK(common_device(meta, number, "add").is_meta());
  CHECK(common_device(number, meta, "add").is_meta());
  CHECK(contains(
      message_of([&] { common_device(cpu, meta, "add"); }),
      "Expected all tensors to be on the same device, but found at least two devices, cpu and meta!"));
}

TEST_CASE("overlap: expanded and shifted tensors may not be written") {
  CHECK(contains(message_of([] {
                   check_no_internal_overlap(strided({2, 3}, {0, 1}), "add_");
                 }),
                 "more than one element of the written-to tensor refers to a single memory location"));
  check_no_internal_overlap(strided({1, 3}, {0, 1}), "add_");

  const Tensor base = empty_cpu({3, 3}, kFloat);
  auto view = [&](Sizes sizes, Sizes strides, int64_t offset) {
    Tensor t(base.unsafeGetTensorImpl()->shallow_copy_and_detach(VariableVersion(0)));
    t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset);
    return t;
  };
  const char* text =
      "some elements of the input tensor and the written-to tensor refer to a single memory location";
  check_no_partial_overlap(base, base, "add_");
  check_no_partial_overlap(base, view({3, 3}, {3, 1}, 0), "add_");
  check_no_partial_overlap(view({3}, {1}, 0), view({3}, {1}, 3), "add_");
  CHECK(contains(message_of([&] { check_no_partial_overlap(base, view({3, 3}, {1, 3}, 0), "add_"); }), text));
  CHECK(contains(message_of([&] { check_no_partial_overlap(view({3}, {1}, 0), view({3}, {1}, 1), "add_"); }),
                 text));
}

TEST_CASE("in place, the dtype stays") {
  check_can_cast(kDouble, kFloat, "add_");
  CHECK(contains(message_of([] { check_can_cast(kFloat, kLong, "add_"); }),
                 "add_: result type Float can't be cast to the desired output type Long"));
}

}  // namespace
}  // namespace gb
