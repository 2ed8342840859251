#include "kernels/cpu/gather.h"

#include "kernels/cpu/binary.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {
namespace {

// Calls visit(position, offset of operand 0, offset of operand 1, offset of the index) for every element,
// row-major; stops when visit returns false.
template <class Visit>
void for_each_element(const Strided<3>& it, Visit visit) {
  if (it.numel() == 0) return;
  if (it.ndim == 0) {
    visit(0, 0, 0, 0);
    return;
  }
  const int last = it.ndim - 1;
  const int64_t n = it.sizes[last], s0 = it.strides[0][last], s1 = it.strides[1][last],
                s2 = it.strides[2][last];
  int64_t position = 0;
  bool going = true;
  for_each_row(it, [&](const int64_t* at) {
    for (int64_t i = 0; i < n && going; ++i)
      going = visit(position++, at[0] + i * s0, at[1] + i * s1, at[2] + i * s2);
  });
}

BadIndex find_bad(const int64_t* index, const Strided<3>& it, int64_t dim_size) {
  BadIndex bad;
  for_each_element(it, [&](int64_t position, int64_t, int64_t, int64_t at) {
    const int64_t v = index[at];
    if (v >= 0 && v < dim_size) return true;
    bad = {position, v};
    return false;
  });
  return bad;
}

template <class Bits>
void gather_bits(void* out_, const void* in_, const int64_t* index, const Strided<3>& it,
                 int64_t dim_stride) {
  Bits* out = static_cast<Bits*>(out_);
  const Bits* in = static_cast<const Bits*>(in_);
  for_each_element(it, [&](int64_t, int64_t o, int64_t i, int64_t x) {
    out[o] = in[i + index[x] * dim_stride];
    return true;
  });
}

typedef uint8_t Bits8
    __attribute__((may_alias));  // stands for any type of its size: gathering only moves bits
typedef uint16_t Bits16 __attribute__((may_alias));
typedef uint32_t Bits32 __attribute__((may_alias));
typedef uint64_t Bits64 __attribute__((may_alias));

}  // namespace

BadIndex gather(ScalarType dtype, void* out, const void* in, const int64_t* index, const Strided<3>& it,
                int64_t dim_size, int64_t dim_stride) {
  if (!isSupportedType(dtype)) throw_unsupported("gather", dtype);
  if (const BadIndex bad = find_bad(index, it, dim_size)) return bad;
  switch (elementSize(dtype)) {
    case 1:
      gather_bits<Bits8>(out, in, index, it, dim_stride);
      break;
    case 2:
      gather_bits<Bits16>(out, in, index, it, dim_stride);
      break;
    case 4:
      gather_bits<Bits32>(out, in, index, it, dim_stride);
      break;
    default:
      gather_bits<Bits64>(out, in, index, it, dim_stride);
      break;
  }
  return {};
}

// Each addition is one call of the binary kernel's row on one element, so every dtype adds exactly as `add`
// does.
BadIndex scatter_add(ScalarType dtype, void* self_, const void* src_, const int64_t* index,
                     const Strided<3>& it, int64_t dim_size, int64_t dim_stride) {
  const BinaryRow add = binary_row_stub(BinaryOp::Add, dtype);
  if (!add) throw_unsupported("scatter_add", dtype);
  if (const BadIndex bad = find_bad(index, it, dim_size)) return bad;
  const int64_t size = static_cast<int64_t>(elementSize(dtype));
  for_each_element(it, [&](int64_t, int64_t s, int64_t i, int64_t x) {
    char* target = static_cast<char*>(self_) + (s + index[x] * dim_stride) * size;
    add(target, target, static_cast<const char*>(src_) + i * size, 1, 1, 1, 1, 1);
    return true;
  });
  return {};
}

}  // namespace gb::cpu
