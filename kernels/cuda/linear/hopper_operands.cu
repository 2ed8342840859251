#include "kernels/cuda/device_limits.h"
#include "kernels/cuda/linear/hopper_operands.h"

namespace gb::cuda {
namespace {

constexpr int64_t kMost = int64_t{1} << 30;  // coordinates are int

std::optional<HopperOperand> operand(const GemmArgs& g, const ConstMatrix& x, int64_t mn, int64_t mn_stride,
                                     int64_t k_stride) {
  const auto size = static_cast<int64_t>(elementSize(g.dtype));
  HopperOperand o = {g.dtype, x.data, Major::K, mn, g.k, mn_stride, g.batch, x.batch_stride};
  if (k_stride != 1 && g.k > 1) {
    if (mn_stride != 1 && mn > 1) return std::nullopt;
    o.major = Major::MN;
    o.row_stride = k_stride;
  }
  const int64_t rows = o.major == Major::K ? mn : g.k, row = o.major == Major::K ? g.k : mn;
  if (rows == 1) o.row_stride = (row * size + 15) / 16 * 16 / size;  // any will do
  if (o.batch_stride == 0 || o.batch == 1) o.batch = 1, o.batch_stride = o.row_stride;
  if (mn > kMost || g.k > kMost || o.row_stride < row || o.batch > kMost) return std::nullopt;
  if (!can_map(g.dtype, x.data, row, o.row_stride) || !can_map(g.dtype, x.data, o.batch, o.batch_stride))
    return std::nullopt;
  return o;
}

// Float along mn becomes Float along k, in memory of its own.
std::shared_ptr<void> turn(HopperOperand& o, StreamHandle stream) {
  if (o.dtype != kFloat || o.major == Major::K) return nullptr;
  const int64_t stride = (o.k + 3) / 4 * 4;  // multiples of 16 bytes
  std::shared_ptr<void> memory = scratch(static_cast<size_t>(o.batch * o.mn * stride) * sizeof(float), stream);
  transpose({static_cast<float*>(memory.get()), static_cast<const float*>(o.data), o.mn, o.k, o.batch, stride,
             o.row_stride, o.mn * stride, o.batch_stride},
            stream);
  o.data = memory.get();
  o.major = Major::K;
  o.row_stride = stride;
  o.batch_stride = o.mn * stride;
  return memory;
}

}  // namespace

std::optional<HopperOperand> operand_a(const GemmArgs& g) {
  return operand(g, g.a, g.m, g.a.row_stride, g.a.col_stride);
}
std::optional<HopperOperand> operand_b(const GemmArgs& g) {
  return operand(g, g.b, g.n, g.b.col_stride, g.b.row_stride);
}

bool hopper_takes(const GemmArgs& g) {
  const bool dtype = g.dtype == kHalf || g.dtype == kBFloat16 || (g.dtype == kFloat && g.allow_tf32);
  return dtype && g.k > 0 && operand_a(g) && operand_b(g) && is_hopper();
}

TensorMap HopperOperand::map(int rows, bool to_tf32) const {
  const int in_row = 128 / static_cast<int>(elementSize(dtype));  // elements of 128 bytes
  TensorMapArgs args;
  args.dtype = dtype;
  args.to_tf32 = to_tf32;
  args.data = data;
  args.rank = 3;
  args.sizes[0] = major == Major::K ? k : mn;
  args.sizes[1] = major == Major::K ? mn : k;
  args.sizes[2] = batch;
  args.strides[0] = row_stride;
  args.strides[1] = batch_stride;
  args.box[0] = in_row;
  args.box[1] = major == Major::K ? rows : in_row;
  args.swizzle = Swizzle::Bytes128;
  return make_tensor_map(args);
}

HopperOperands::HopperOperands(const GemmArgs& args, StreamHandle stream)
    : a(*operand_a(args)), b(*operand_b(args)), copy_of_a_(turn(a, stream)), copy_of_b_(turn(b, stream)) {}

}  // namespace gb::cuda
