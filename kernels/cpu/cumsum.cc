#include "kernels/cpu/cumsum.h"

#include "core/bfloat16.h"
#include "core/half.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {
namespace {

// Sum: what is added up in; Read: what an element becomes first, and a sum before it is stored.
template <class T, class Sum, class Read>
void run(void* out_, const void* in_, int64_t n, int64_t out_stride, int64_t in_stride,
         const Strided<2>& others) {
  for_each_line(others, [&](int64_t out_first, int64_t in_first) {
    T* out = static_cast<T*>(out_) + out_first;
    const T* in = static_cast<const T*>(in_) + in_first;
    Sum sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      sum += static_cast<Sum>(static_cast<Read>(in[i * in_stride]));
      out[i * out_stride] = T(static_cast<Read>(sum));
    }
  });
}

}  // namespace

void cumsum(ScalarType dtype, void* out, const void* in, int64_t n, int64_t out_stride, int64_t in_stride,
            const Strided<2>& others) {
  const auto kernel = dtype == kFloat      ? &run<float, double, float>
                      : dtype == kDouble   ? &run<double, double, double>
                      : dtype == kHalf     ? &run<Half, float, float>
                      : dtype == kBFloat16 ? &run<BFloat16, float, float>
                      : dtype == kLong     ? &run<int64_t, uint64_t, int64_t>
                                           : nullptr;
  if (!kernel) throw_unsupported("cumsum", dtype);
  if (others.numel() > 0) kernel(out, in, n, out_stride, in_stride, others);
}

}  // namespace gb::cpu
