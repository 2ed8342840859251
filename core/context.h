// globalContext(): how precisely the whole program multiplies float32 matrices on a GPU. LibTorch's at::Context, as far
// as it speaks of that.
//
//   gb::globalContext().setFloat32MatmulPrecision("high");   // or setAllowTF32CuBLAS(true)
//
// Tensor cores have no float32. With "high" or "medium" the factors may be rounded to TF32: float32's range with 10
// bits of fraction, an error of up to 2^-11 in each; products are still summed in float32. That is eight times as
// fast. "highest", where a program starts, keeps every bit. Half types and float64 are not concerned.
// Chapter: docs/en/theory/04-kernels.md. In PyTorch: aten/src/ATen/Context.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

namespace gb {

enum class Float32MatmulPrecision : uint8_t { HIGHEST, HIGH, MEDIUM };

// Set and read from any thread.
class Context {
 public:
  Float32MatmulPrecision float32MatmulPrecision() const { return precision_.load(std::memory_order_relaxed); }
  void setFloat32MatmulPrecision(Float32MatmulPrecision precision) { precision_ = precision; }
  void setFloat32MatmulPrecision(std::string_view precision);  // "highest", "high", "medium"; else ValueError

  bool allowTF32CuBLAS() const { return float32MatmulPrecision() != Float32MatmulPrecision::HIGHEST; }
  void setAllowTF32CuBLAS(bool allow) {
    setFloat32MatmulPrecision(allow ? Float32MatmulPrecision::HIGH : Float32MatmulPrecision::HIGHEST);
  }

 private:
  std::atomic<Float32MatmulPrecision> precision_ = Float32MatmulPrecision::HIGHEST;
};

Context& globalContext();

}  // namespace gb
