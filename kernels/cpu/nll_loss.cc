#include "kernels/cpu/nll_loss.h"

#include "core/bfloat16.h"
#include "core/half.h"
#include "kernels/cpu/copy.h"
#include "kernels/cpu/unsupported.h"

namespace gb::cpu {
namespace {

BadIndex find_bad(const int64_t* target, int64_t rows, int64_t classes, int64_t ignore_index) {
  for (int64_t i = 0; i < rows; ++i)
    if (target[i] != ignore_index && (target[i] < 0 || target[i] >= classes)) return {i, target[i]};
  return {};
}

template <class T>
double weight_of(const void* weight, int64_t target) {
  return weight ? static_cast<double>(static_cast<const T*>(weight)[target]) : 1;
}

template <class T>
void pick(double* value, double* used, const void* input, const int64_t* target, const void* weight,
          int64_t rows, int64_t classes, int64_t ignore_index) {
  const T* in = static_cast<const T*>(input);
  for (int64_t i = 0; i < rows; ++i) {
    if (target[i] == ignore_index) {
      value[i] = used[i] = 0;
      continue;
    }
    used[i] = weight_of<T>(weight, target[i]);
    value[i] = -used[i] * static_cast<double>(in[i * classes + target[i]]);
  }
}

template <class T>
T rounded(double value) {
  if constexpr (sizeof(T) == 2)
    return T(static_cast<float>(value));
  else
    return static_cast<T>(value);
}

template <class T>
void put(void* grad_input, const double* grad, const int64_t* target, const void* weight, int64_t rows,
         int64_t classes, int64_t ignore_index) {
  T* out = static_cast<T*>(grad_input);
  for (int64_t i = 0; i < rows; ++i)
    if (target[i] != ignore_index)
      out[i * classes + target[i]] = rounded<T>(-weight_of<T>(weight, target[i]) * grad[i]);
}

}  // namespace

BadIndex nll_loss(ScalarType dtype, double* value, double* used, const void* input, const int64_t* target,
                  const void* weight, int64_t rows, int64_t classes, int64_t ignore_index) {
  const auto run = dtype == kFloat      ? &pick<float>
                   : dtype == kDouble   ? &pick<double>
                   : dtype == kHalf     ? &pick<Half>
                   : dtype == kBFloat16 ? &pick<BFloat16>
                                        : nullptr;
  if (!run) throw_unsupported("nll_loss", dtype);
  if (const BadIndex bad = find_bad(target, rows, classes, ignore_index)) return bad;
  run(value, used, input, target, weight, rows, classes, ignore_index);
  return {};
}

BadIndex nll_loss_backward(ScalarType dtype, void* grad_input, const double* grad, const int64_t* target,
                           const void* weight, int64_t rows, int64_t classes, int64_t ignore_index) {
  const auto run = dtype == kFloat      ? &put<float>
                   : dtype == kDouble   ? &put<double>
                   : dtype == kHalf     ? &put<Half>
                   : dtype == kBFloat16 ? &put<BFloat16>
                                        : nullptr;
  if (!run) throw_unsupported("nll_loss_backward", dtype);
  if (const BadIndex bad = find_bad(target, rows, classes, ignore_index)) return bad;
  fill_contiguous(dtype, grad_input, 0, rows * classes);
  run(grad_input, grad, target, weight, rows, classes, ignore_index);
  return {};
}

}  // namespace gb::cpu
