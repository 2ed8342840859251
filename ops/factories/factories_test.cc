#include "ops/factories/factories.h"

#include <array>

#include "core/device_hooks.h"
#include "core/error.h"
#include "ops/arithmetic/arithmetic.h"
#include "ops/factories/from_blob.h"
#include "ops/factories/tensor.h"
#include "ops/testing/testing.h"

namespace gb::tests {
namespace {

TEST_CASE("dtypes: the default, the number's, the option's") {
  CHECK((zeros({2}).scalar_type() == kFloat));
  CHECK((full({2}, 2).scalar_type() == kLong));
  CHECK((full({2}, true).scalar_type() == kBool));
  CHECK((full({2}, 2.5).scalar_type() == kFloat));
  CHECK((full({2}, 2, kDouble).scalar_type() == kDouble));
  CHECK((scalar_tensor(3).scalar_type() == kFloat));
  CHECK(scalar_tensor(3).dim() == 0);
  check_values(ones({2, 2}, kInt), {1, 1, 1, 1});
  CHECK(zeros({2})._version() == 0);
  CHECK(zeros({2, 0}).numel() == 0);
  CHECK(zeros(3).dim() == 1);
}

TEST_CASE("requires_grad and device in the options") {
  CHECK(zeros({2}, requires_grad(true)).requires_grad());
  CHECK(tensor({1.0}, requires_grad(true)).requires_grad());
  CHECK(ones_like(zeros({2}, requires_grad(true))).requires_grad() == false);
  CHECK(contains(message_of([] { zeros({2}, TensorOptions(kLong).requires_grad(true)); }), "floating point"));
  CHECK(full({2, 3}, 1, kMeta).is_meta());
  CHECK(arange(5, kMeta).numel() == 5);
}

TEST_CASE("bad sizes") {
  CHECK(contains(message_of([] {
                   empty({2, -1});
                 }),
                 "Trying to create tensor with negative dimension -1: [2, -1]"));
  CHECK(contains(message_of([] { zeros({int64_t{1} << 62, 8}); }), "Storage size calculation overflowed"));
  CHECK(contains(message_of([] { empty_strided({2, 3}, {1}); }), "mismatch in length of strides and shape"));
  CHECK((empty_strided({2, 3}, {1, 2}).strides() == IntArrayRef({1, 2})));
}

TEST_CASE("a CUDA factory on a machine without one says what is missing") {
  if (cuda::is_available()) return;
  CHECK(contains(message_of([] { zeros({2}, kCUDA); }), "cuda"));
}

TEST_CASE("_like takes sizes, dtype and layout") {
  const Tensor t = ramp({2, 3}).t();
  CHECK((zeros_like(t).strides() == IntArrayRef({1, 3})));
  CHECK((zeros_like(t).scalar_type() == kDouble));
  CHECK((empty_like(t, {}, MemoryFormat::Contiguous).strides() == IntArrayRef({2, 1})));
  CHECK((ones_like(t, kLong).scalar_type() == kLong));
  check_values(full_like(t, 2.5), {2.5, 2.5, 2.5, 2.5, 2.5, 2.5});
  CHECK(ones_like(t)._version() == 0);
}

TEST_CASE("arange and eye") {
  check_values(arange(4), {0, 1, 2, 3});
  CHECK((arange(4).scalar_type() == kLong));
  check_values(arange(5, 0, -2), {5, 3, 1});
  check_values(arange(0, 1, 0.25), {0, 0.25, 0.5, 0.75});
  CHECK((arange(0, 1, 0.25).scalar_type() == kFloat));
  CHECK(arange(2, 2).numel() == 0);
  CHECK(contains(message_of([] { arange(0, 5, -1); }),
                 "upper bound and lower bound inconsistent with step sign"));
  CHECK(contains(message_of([] { arange(0, 1, 0); }), "step must be nonzero"));
  check_values(eye(2, 3), {1, 0, 0, 0, 1, 0});
  CHECK((eye(2).scalar_type() == kFloat));
  CHECK(contains(message_of([] { eye(-1); }), "at least 0, got -1"));
}

TEST_CASE("tensor() from numbers, lists, vectors") {
  CHECK(tensor(2.5).dim() == 0);
  CHECK((tensor(2.5).scalar_type() == kFloat));
  CHECK((tensor({1, 2}).scalar_type() == kLong));
  CHECK((tensor({true}).scalar_type() == kBool));
  CHECK((tensor({{1, 2}, {3, 4}, {5, 6}}).sizes() == IntArrayRef({3, 2})));
  CHECK((tensor({{{1}, {2}}}).sizes() == IntArrayRef({1, 2, 1})));
  CHECK((tensor({}).sizes() == IntArrayRef({0})));
  CHECK((tensor({}).scalar_type() == kFloat));
  check_values(tensor(std::vector<int32_t>{1, 2, 3}), {1, 2, 3});
  check_values(tensor(std::vector<bool>{true, false}), {1, 0});
  check_values(tensor({1.5, 2.5}, kInt), {1, 2});
  check_values(tensor({int64_t{9007199254740993}}) - int64_t{9007199254740992}, {1});
  CHECK(contains(message_of([] { tensor({{1, 2}, {3}}); }), "Expected all sub-lists to have sizes: [2]"));
  CHECK(contains(message_of([] {
                   tensor({1, 2.5});
                 }),
                 "same scalar type: Long, but got element of scalar type: Double"));
}

TEST_CASE("from_blob shares memory and calls its deleter once") {
  float data[6] = {0, 1, 2, 3, 4, 5};
  Tensor t = from_blob(data, {2, 3}, kFloat);
  t.mul_(tensor(2.0));
  CHECK(data[5] == 10);
  check_values(from_blob(data, {3, 2}, {1, 3}, kFloat), {0, 6, 2, 8, 4, 10});
  int deleted = 0;
  {
    Tensor owner = from_blob(
        data, {6}, [&](void* p) { deleted += p == data; }, kFloat);
    const Tensor other = owner.detach();
    owner.reset();
    CHECK(deleted == 0);
  }
  CHECK(deleted == 1);
  CHECK(contains(message_of([] { from_blob(nullptr, {2}, kFloat); }), "the data pointer is null"));
  CHECK(from_blob(nullptr, {0}, kFloat).numel() == 0);
}

}  // namespace
}  // namespace gb::tests
