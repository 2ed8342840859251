#include "labs/private_use1.h"

#include <fmt/format.h>

#include <atomic>
#include <cstring>
#include <new>

#include "glassbox.h"
#include "kernels/cpu/copy.h"
#include "kernels/cpu/gemm.h"
#include "ops/common/binary_op.h"
#include "ops/common/cpu_fallback.h"
#include "ops/common/empty.h"
#include "ops/common/geometry.h"

namespace gb::labs {
namespace {

// --- 1. memory. What the deleter gets is the block: its size stands in front of the data.
struct alignas(64) Block {
  size_t nbytes;
};
std::atomic<size_t> g_in_use{0};

class OwnAllocator final : public Allocator {
 public:
  DataPtr allocate(size_t nbytes) override {
    const Device here(kPrivateUse1, 0);
    if (nbytes == 0) return DataPtr(nullptr, here);
    auto* block = new (::operator new(sizeof(Block) + nbytes, std::align_val_t(64))) Block{nbytes};
    g_in_use += nbytes;
    return DataPtr(block + 1, block, &give_back, here);
  }

 private:
  static void give_back(void* context) {
    g_in_use -= static_cast<Block*>(context)->nbytes;
    ::operator delete(context, std::align_val_t(64));
  }
};

class OwnHooks final : public DeviceHooks {
 public:
  int device_count() const override { return 1; }
  std::string describe(Device) const override { return "host memory under another name"; }
  Allocator* allocator(Device) override { return &allocator_; }
  void copy(void* dst, Device, const void* src, Device, size_t nbytes) override {
    std::memcpy(dst, src, nbytes);
  }
  void synchronize(Device) override {}  // nothing is asynchronous here

 private:
  OwnAllocator allocator_;
};

// --- 3. four kernels
Tensor empty_own(IntArrayRef size, std::optional<ScalarType> dtype, std::optional<Layout>,
                 std::optional<Device> device, std::optional<bool>, std::optional<MemoryFormat>) {
  const ScalarType type = dtype.value_or(get_default_dtype().toScalarType());
  check_sizes(size, type, "empty");
  return empty_on(device.value_or(Device(kPrivateUse1)), size, type);
}
Tensor empty_strided_own(IntArrayRef size, IntArrayRef stride, std::optional<ScalarType> dtype,
                         std::optional<Layout>, std::optional<Device> device, std::optional<bool>) {
  const ScalarType type = dtype.value_or(get_default_dtype().toScalarType());
  check_sizes_and_strides(size, stride, type, "empty_strided");
  return empty_strided_on(device.value_or(Device(kPrivateUse1)), size, stride, type);
}

// Either side may be the CPU: the key PrivateUse1 is above CPU, so both directions come here.
Tensor& copy__own(Tensor& self, const Tensor& src, bool non_blocking) {
  check_copy(self, src);
  if (self.is_same(src) || self.numel() == 0) return self;
  if (!(self.device() == src.device())) {
    // Stages what is strided or of another dtype, then the hooks move bytes.
    copy_across_devices(self, src, non_blocking);
    return self;
  }
  cpu::copy(self.scalar_type(), self.mutable_data_ptr(), src.scalar_type(), src.const_data_ptr(),
            elementwise_space<2>({&self, &src}));
  return self;
}

// A view moves no data, so no CPU can make it. (t, expand and most others are CompositeExplicit, and serve
// every backend.)
Tensor view_own(const Tensor& self, IntArrayRef size) {
  return _unsafe_view_op().redispatch(DispatchKeySet(DispatchKey::PrivateUse1), self, size);
}

// beta * self + alpha * mat1 mat2.   self [n] or [m, n], mat1 [m, k], mat2 [k, n]  ->  [m, n]
Tensor addmm_own(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                 const Scalar& alpha) {
  GB_CHECK_OR_THROW(mat1.dim() == 2 && mat2.dim() == 2 && mat1.size(1) == mat2.size(0), ValueError,
                    .what = "addmm: mat1 and mat2 shapes cannot be multiplied on this backend",
                    .cause = fmt::format("{} and {}", to_string(mat1.sizes()), to_string(mat2.sizes())),
                    .repair = "give matrices [m, k] and [k, n]", .chapter = chapters::kKernels);
  const int64_t m = mat1.size(0), k = mat1.size(1), n = mat2.size(1);
  const Tensor result = empty_on(mat1.device(), {m, n}, mat1.scalar_type());
  result.copy_(self);  // a bias is broadcast into every row
  const auto plain = [](const Tensor& t) {
    return cpu::gemm_accepts(t.size(0), t.size(1), t.stride(0), t.stride(1)) ? t : t.contiguous();
  };
  const Tensor a = plain(mat1), b = plain(mat2);
  cpu::gemm(result.scalar_type(), m, n, k, to_scalar_arg(alpha),
            {a.const_data_ptr(), a.stride(0), a.stride(1)}, {b.const_data_ptr(), b.stride(0), b.stride(1)},
            to_scalar_arg(beta), {result.mutable_data_ptr(), n, 1});
  return result;
}

// --- 4. the rest
void fallback_own(const OperatorHandle& op, Stack* stack) {
  native::cpu_fallback(op, stack, /*error_on_views=*/true);
}

}  // namespace

GB_LIBRARY_IMPL(aten, PrivateUse1, m) {
  m.impl("empty.memory_format", GB_FN(empty_own));
  m.impl("empty_strided", GB_FN(empty_strided_own));
  m.impl("copy_", GB_FN(copy__own));
  m.impl("view", GB_FN(view_own));
  m.impl("addmm", GB_FN(addmm_own));
}
GB_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(CppFunction::makeFromBoxedFunction<&fallback_own>()); }

// --- 1 and 2
Device use_own_backend() {
  static OwnHooks hooks;
  register_device_hooks(kPrivateUse1, &hooks);
  register_privateuse1_backend("own");
  return Device("own:0");
}

size_t own_backend_bytes_in_use() { return g_in_use; }

}  // namespace gb::labs
