// The fused LM head (kernels/cuda/lm_head): KIND DTYPE ROWS IN OUT RUNG, with
//   forward         p = softmax(x W^T + b)
//   backward        dX, dW, db from dp
//   loss            the cross-entropy of each row, its logsumexp, and the mean over the rows
//   loss_backward   dX, dW, db from one gradient for all rows
// DTYPE may also be tf32: float32 with allow_tf32. x, W and b are uniform from -1 to 1, W / 8. One set of matrices: from
// 65,536 rows on they are several times the L2 cache in forward and backward; the loss reads 8 MB and is not memory's.
// The error is that of all outputs against float64: the root of the mean square as a share of that of the output, the
// largest of the outputs'.
#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <utility>

#include "bench/cuda_ours.h"
#include "kernels/cuda/backends.h"
#include "kernels/cuda/lm_head/lm_head.h"
#include "kernels/cuda/lm_head/mean_loss.h"

namespace gb::bench {
namespace {

using namespace gb::cuda;
using Wide = std::vector<double>;

// [rows, cols] of doubles.
struct WideMatrix {
  size_t cols;
  Wide values;
  double* operator[](size_t row) { return &values[row * cols]; }
};

class LmHead final : public Subject {
 public:
  std::vector<std::string> rungs() const override {
    std::vector<std::string> names;
    for (const LmHeadRung& rung : lm_head_rungs()) names.push_back(rung.name);
    return names;
  }

  void parse(std::istream& line) override {
    std::string dtype;
    line >> kind_ >> dtype >> call_.rows >> call_.in >> call_.out >> rung_;
    GB_CHECK_OR_THROW(line && (kind_ == "forward" || kind_ == "backward" || kind_ == "loss" || kind_ == "loss_backward"),
                      ValueError, .what = fmt::format("unknown request: {} {}", kind_, dtype),
                      .cause = "not a computation of the LM head",
                      .repair = "see the top of bench/cuda_ours_lm_head.cc", .chapter = chapters::kKernels);
    call_.allow_tf32 = dtype == "tf32";
    call_.dtype = call_.allow_tf32 ? kFloat : parse_dtype(dtype);
    call_.stream = nullptr;
    targets_.clear();
  }

  size_t run() override {
    const backends::cuda::LmHeadRungGuard rung(rung_);
    make_targets();
    call_.x = x_.of(call_.dtype, bytes(call_.rows * call_.in));
    call_.weight = weight_.of(call_.dtype, bytes(call_.out * call_.in));
    if (kind_ == "forward") return launch(forward());
    if (kind_ == "loss") {
      const size_t rung = launch(loss());
      mean_loss({call_.dtype, mean_.of(call_.dtype, 16), count_.of(wide(), 16), loss().loss, loss().target, -100, call_.rows,
                 mean_scratch_.of(kFloat, kMeanLossScratch), nullptr});
      return rung;
    }
    if (!prepared_) {  // what forward gives
      prepared_ = true;
      kind_ == "backward" ? launch(forward()) : launch(loss());
    }
    return kind_ == "backward" ? launch(backward()) : launch(loss_backward());
  }

  size_t bytes() override {
    const auto rows = static_cast<size_t>(call_.rows), in = static_cast<size_t>(call_.in), out = static_cast<size_t>(call_.out);
    const size_t of_rows = 2 * rows * elementSize(wide()), gradients = (rows * in + out * in + out) * elementSize(call_.dtype);
    if (kind_ == "forward") return scratch_bytes_ + rows * out * elementSize(call_.dtype);
    return scratch_bytes_ + (kind_ == "loss" ? of_rows + kMeanLossScratch : gradients);
  }

  double error() override {
    prepared_ = false;
    run();
    GB_CUDA_CHECK(cudaDeviceSynchronize());
    const auto rows = static_cast<size_t>(call_.rows), in = static_cast<size_t>(call_.in),
               out = static_cast<size_t>(call_.out);
    WideMatrix x{in, host(call_.dtype, call_.x, rows * in)}, weight{in, host(call_.dtype, call_.weight, out * in)};
    const Wide bias = host(call_.dtype, forward().bias, out);
    WideMatrix dz{out, Wide(rows * out)};
    WideMatrix p{out, Wide(rows * out)};
    Wide losses(rows), logsumexp(rows);
    for (size_t r = 0; r < rows; ++r) softmax_row(x[r], weight, bias, p[r], logsumexp[r]);
    if (kind_ == "forward") return share(host(call_.dtype, forward().p, rows * out), p.values);
    if (kind_ == "loss") {
      for (size_t r = 0; r < rows; ++r) losses[r] = -std::log(p[r][static_cast<size_t>(targets_[r])]);
      return std::max(share(host(wide(), loss().loss, rows), losses),
                      share(host(wide(), loss().logsumexp, rows), logsumexp));
    }
    if (kind_ == "backward") {
      const LmHeadBackwardArgs args = backward();
      // The gradient of what forward gave, rounding and all: backward is given that.
      WideMatrix given{out, host(call_.dtype, args.p, rows * out)}, dp{out, host(call_.dtype, args.grad_p, rows * out)};
      for (size_t r = 0; r < rows; ++r) {
        double sum = 0;
        for (size_t j = 0; j < out; ++j) sum += given[r][j] * dp[r][j];
        for (size_t j = 0; j < out; ++j) dz[r][j] = given[r][j] * (dp[r][j] - sum);
      }
    } else {
      for (size_t r = 0; r < rows; ++r)
        for (size_t j = 0; j < out; ++j)
          dz[r][j] = (p[r][j] - (j == static_cast<size_t>(targets_[r]) ? 1 : 0)) / static_cast<double>(rows);
    }
    return worst_gradient(dz, x, weight);
  }

 private:
  size_t bytes(int64_t elements) const { return static_cast<size_t>(elements) * elementSize(call_.dtype); }
  ScalarType wide() const { return call_.dtype == kDouble ? kDouble : kFloat; }

  void make_targets() {
    if (!targets_.empty()) return;
    prepared_ = false;
    std::mt19937 random(7);
    std::uniform_int_distribution<int64_t> one_of(0, call_.out - 1);
    for (int64_t r = 0; r < call_.rows; ++r) targets_.push_back(one_of(random));
    const size_t size = targets_.size() * sizeof(int64_t);
    GB_CUDA_CHECK(cudaFree(device_targets_));
    GB_CUDA_CHECK(cudaMalloc(&device_targets_, size));
    GB_CUDA_CHECK(cudaMemcpy(device_targets_, targets_.data(), size, cudaMemcpyHostToDevice));
    const float one = static_cast<float>(1.0 / static_cast<double>(call_.rows));
    const double as_double = 1.0 / static_cast<double>(call_.rows);
    if (!grad_loss_) GB_CUDA_CHECK(cudaMalloc(&grad_loss_, sizeof as_double));
    GB_CUDA_CHECK(cudaMemcpy(grad_loss_, wide() == kDouble ? static_cast<const void*>(&as_double) : &one,
                             elementSize(wide()), cudaMemcpyHostToDevice));
  }

  LmHeadArgs forward() {
    LmHeadArgs args{call_, bias_.of(call_.dtype, bytes(call_.out)), p_.of(call_.dtype, bytes(call_.rows * call_.out))};
    return args;
  }
  LmHeadBackwardArgs backward() {
    return {call_, p_.of(call_.dtype, bytes(call_.rows * call_.out)),
            grad_p_.of(call_.dtype, bytes(call_.rows * call_.out)), grad_x_.of(call_.dtype, bytes(call_.rows * call_.in)),
            grad_weight_.of(call_.dtype, bytes(call_.out * call_.in)), grad_bias_.of(call_.dtype, bytes(call_.out))};
  }
  LinearCrossEntropyArgs loss() {
    const size_t of_rows = static_cast<size_t>(call_.rows) * elementSize(wide());
    return {call_, bias_.of(call_.dtype, bytes(call_.out)), static_cast<const int64_t*>(device_targets_), -100, loss_.of(wide(), of_rows),
            logsumexp_.of(wide(), of_rows)};
  }
  LinearCrossEntropyBackwardArgs loss_backward() {
    const LinearCrossEntropyArgs before = loss();
    const LmHeadBackwardArgs gradients = backward();
    return {call_, before.bias, before.target, before.ignore_index, before.logsumexp, grad_loss_, 0,
            gradients.grad_x, gradients.grad_weight, gradients.grad_bias};
  }

  template <class Args>
  size_t launch(Args args) {
    scratch_bytes_ = lm_head_scratch(args);
    args.scratch = scratch_.of(kFloat, std::max<size_t>(scratch_bytes_, 4));
    lm_head(args);
    return lm_head_rung_for(args);
  }

  Wide host(ScalarType dtype, const void* from, size_t count) const {
    Wide result(count);
    visit_floating(dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> narrow(count);
      GB_CUDA_CHECK(cudaMemcpy(narrow.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < count; ++i) result[i] = static_cast<double>(static_cast<compute_t<T>>(narrow[i]));
    });
    return result;
  }

  static double share(const Wide& got, const Wide& want) {
    double errors = 0, squares = 0;
    for (size_t i = 0; i < want.size(); ++i)
      errors += (got[i] - want[i]) * (got[i] - want[i]), squares += want[i] * want[i];
    return std::sqrt(errors / squares);
  }

  // p: [out]
  static void softmax_row(const double* x, WideMatrix& weight, const Wide& bias, double* p, double& logsumexp) {
    const size_t out = bias.size();
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j < out; ++j) {
      p[j] = bias[j];
      for (size_t i = 0; i < weight.cols; ++i) p[j] += x[i] * weight[j][i];
      max = std::max(max, p[j]);
    }
    for (size_t j = 0; j < out; ++j) sum += p[j] = std::exp(p[j] - max);
    for (size_t j = 0; j < out; ++j) p[j] /= sum;
    logsumexp = max + std::log(sum);
  }

  double worst_gradient(WideMatrix& dz, WideMatrix& x, WideMatrix& weight) {
    const LmHeadBackwardArgs args = backward();
    const size_t rows = x.values.size() / x.cols, in = x.cols, out = dz.cols;
    WideMatrix grad_x{in, Wide(rows * in)}, grad_weight{in, Wide(out * in)};
    Wide grad_bias(out);
    for (size_t r = 0; r < rows; ++r)
      for (size_t j = 0; j < out; ++j) {
        grad_bias[j] += dz[r][j];
        for (size_t i = 0; i < in; ++i)
          grad_x[r][i] += dz[r][j] * weight[j][i], grad_weight[j][i] += dz[r][j] * x[r][i];
      }
    return std::max({share(host(call_.dtype, args.grad_x, rows * in), grad_x.values),
                     share(host(call_.dtype, args.grad_weight, out * in), grad_weight.values),
                     share(host(call_.dtype, args.grad_bias, out), grad_bias)});
  }

  LmHeadCall call_ = {};
  std::string kind_;
  size_t rung_ = 0, scratch_bytes_ = 0;
  bool prepared_ = false;
  std::vector<int64_t> targets_;
  void* device_targets_ = nullptr;
  void* grad_loss_ = nullptr;  // one number for all rows: 1 / rows, as of a mean
  Matrix x_{1, 1}, weight_{2, 0.125}, bias_{3, 1}, p_{4, 1}, grad_p_{5, 1}, grad_x_{6, 1}, grad_weight_{7, 1},
      grad_bias_{8, 1}, loss_{9, 1}, logsumexp_{10, 1}, scratch_{11, 1}, mean_{12, 1}, count_{13, 1}, mean_scratch_{14, 1};
};

}  // namespace

std::unique_ptr<Subject> lm_head_subject() { return std::make_unique<LmHead>(); }

}  // namespace gb::bench
