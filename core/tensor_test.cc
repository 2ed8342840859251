#include "core/tensor.h"

#include <doctest/doctest.h>

#include "core/autograd_state.h"
#include "core/error.h"

using namespace gb;

namespace {

Tensor make(IntArrayRef sizes, ScalarType dtype = kFloat) {
  size_t bytes = elementSize(dtype);
  for (int64_t s : sizes) bytes *= static_cast<size_t>(s);
  Tensor t = detail::make_tensor(Storage(Storage::use_byte_size_t(), bytes, GetCPUAllocator()), DispatchKey::CPU, dtype);
  t.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return t;
}
Tensor strided(const Tensor& base, IntArrayRef sizes, IntArrayRef strides, int64_t offset) {
  Tensor t = detail::make_tensor(Storage(base.storage()), DispatchKey::CPU, base.dtype());
  t.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides, offset);
  return t;
}
template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what_without_backtrace();
  }
  return "no error";
}

}  // namespace

TEST_CASE("tensor: a plain CPU tensor carries the keys PyTorch's carries") {
  CHECK(toString(make({2}).key_set()) == "{CPU, ADInplaceOrView, AutogradCPU, AutocastCPU}");
  detail::autograd_tls.inference_mode = true;
  const Tensor inference = make({2});
  detail::autograd_tls.inference_mode = false;
  CHECK(toString(inference.key_set()) == "{CPU, AutocastCPU}");
  CHECK(inference.is_inference());
  CHECK(error_of([&] { inference._version(); }).find("Inference tensors do not track version counter") == 0);
}

TEST_CASE("tensor: an undefined one answers with nothing") {
  const Tensor t;
  CHECK_FALSE(t.defined());
  CHECK(t.key_set().empty());
  CHECK(t.numel() == 0);
  CHECK(t.toString() == "UndefinedType");
  CHECK(to_string(t) == "[ Tensor (undefined) ]");
}

TEST_CASE("tensor: one counted pointer") {
  Tensor a = make({2, 3});
  CHECK(a.use_count() == 1);
  const Tensor b = a;
  CHECK(a.use_count() == 2);
  CHECK(a.is_same(b));
  a.reset();
  CHECK(b.use_count() == 1);
  CHECK_FALSE(a.defined());
}

TEST_CASE("tensor: geometry") {
  const Tensor t = make({2, 3, 4}, kDouble);
  CHECK(t.dim() == 3);
  CHECK(t.size(-1) == 4);
  CHECK(t.stride(0) == 12);
  CHECK(t.numel() == 24);
  CHECK(t.nbytes() == 192);
  CHECK(t.is_contiguous());
  CHECK(error_of([&] { t.size(3); }).find(
            "size: Dimension out of range (expected to be in range of [-3, 2], but got 3)\n  cause:   the tensor has 3") == 0);
  const Tensor scalar = make({});
  CHECK(scalar.dim() == 0);
  CHECK(scalar.numel() == 1);
  const Tensor empty = make({0, 5});
  CHECK(empty.numel() == 0);
  CHECK(empty.is_contiguous());
  CHECK(empty.stride(0) == 5);
}

TEST_CASE("tensor: strided views of one storage") {
  const Tensor base = make({3, 4});
  auto* p = base.data_ptr<float>();
  for (int i = 0; i < 12; ++i) p[i] = static_cast<float>(i);
  const Tensor transposed = strided(base, {4, 3}, {1, 4}, 0);
  CHECK_FALSE(transposed.is_contiguous());
  CHECK(transposed.is_non_overlapping_and_dense());
  CHECK(transposed.is_alias_of(base));
  CHECK(to_string(transposed) == "[[0, 4, 8],\n [1, 5, 9],\n [2, 6, 10],\n [3, 7, 11]]\n[ CPUFloatType{4,3} ]");
  const Tensor column = strided(base, {3}, {4}, 1);
  CHECK(column.data_ptr<float>()[0] == 1.0f);
  CHECK_FALSE(column.is_non_overlapping_and_dense());
  CHECK(strided(base, {1, 4}, {77, 1}, 0).is_contiguous());  // the stride of one element is never used
}

TEST_CASE("tensor: more dimensions than lie inside the object") {
  const Tensor t = make({1, 2, 1, 3, 1, 2, 1});
  CHECK(t.dim() == 7);
  CHECK(t.stride(1) == 6);
  const Tensor copy = detail::make_tensor(Storage(t.storage()), DispatchKey::CPU, t.dtype());
  copy.unsafeGetTensorImpl()->adopt_geometry(t.unsafeGetTensorImpl()->geometry(), 0);
  CHECK((copy.sizes() == t.sizes()));
  CHECK((copy.strides() == t.strides()));
}

TEST_CASE("tensor: typed access checks the dtype") {
  const Tensor t = make({2, 2});
  CHECK(error_of([&] { t.data_ptr<double>(); }) ==
        "data_ptr: expected scalar type Double but found Float\n  cause:   the tensor is a CPUFloatType of sizes [2, 2]\n"
        "  repair:  ask for the type it has, or convert it with .to(kDouble)\n"
        "  chapter: docs/en/theory/00-motivation.md#tensors");
}

TEST_CASE("tensor: sizes and strides must be as many, and a refused pair changes nothing") {
  const Tensor t = make({2, 3});
  CHECK(error_of([&] { t.unsafeGetTensorImpl()->set_sizes_and_strides({6}, {1, 1}); })
            .find("set_sizes_and_strides: sizes and strides differ in length") == 0);
  CHECK((t.sizes() == IntArrayRef({2, 3})));
}

TEST_CASE("tensor: versions are shared by copies of the counter") {
  const Tensor t = make({2});
  CHECK(t._version() == 0);
  const auto detached =
      t.unsafeGetTensorImpl()->shallow_copy_and_detach(t.unsafeGetTensorImpl()->version_counter());
  t.unsafeGetTensorImpl()->bump_version();
  CHECK(t._version() == 1);
  CHECK(detached->version_counter().current_version() == 1);
  CHECK(detached->storage().is_alias_of(t.storage()));
}
