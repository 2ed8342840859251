// What the shared kernel cases run on: a real GPU, or the host under the SIMT runner. Both tests include the
// same case files, so that what is checked without a GPU is what is checked with one.
//
// Values are written as double and rounded to the dtype under test on the way in; a reference is computed in
// double from the rounded values, so that only the kernel's own error is left.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "core/scalar_type.h"
#include "kernels/cuda/element.h"

namespace gb::cuda::cases {

class Machine {
 public:
  virtual ~Machine() = default;
  virtual bool is_host() const = 0;
  virtual void* allocate(size_t nbytes) = 0;
  virtual void release(void* memory) = 0;
  virtual void copy_in(void* device, const void* host, size_t nbytes) = 0;
  virtual void copy_out(void* host, const void* device,
                        size_t nbytes) = 0;  // waits for the kernels before it
  // Called with every array that a case reads back: n elements in host memory.
  virtual void note_result(ScalarType /*dtype*/, const void* /*host*/, size_t /*n*/) {}
};

// This machine: of the host tests, and of references that kernels/cpu computes.
class HostMemory : public Machine {
 public:
  bool is_host() const override { return true; }
  void* allocate(size_t nbytes) override {
    return ::operator new(nbytes);
  }  // exact: the address sanitizer sees overruns
  void release(void* memory) override { ::operator delete(memory); }
  void copy_in(void* device, const void* host, size_t nbytes) override {
    if (nbytes) memcpy(device, host, nbytes);
  }
  void copy_out(void* host, const void* device, size_t nbytes) override {
    if (nbytes) memcpy(host, device, nbytes);
  }
};

using Values = std::vector<double>;

// n elements of `dtype` in the machine's memory.
class Array {
 public:
  Array(Machine& machine, ScalarType dtype, const Values& values)
      : machine_(machine), dtype_(dtype), size_(values.size()), data_(machine.allocate(bytes())) {
    std::vector<char> host(bytes());
    visit_all(dtype, [&](auto zero) {
      using T = decltype(zero);
      for (size_t i = 0; i < size_; ++i) {
        const T element = convert<T>(values[i]);
        memcpy(host.data() + i * sizeof(T), &element, sizeof(T));
      }
    });
    machine_.copy_in(data_, host.data(), bytes());
  }
  Array(const Array&) = delete;
  ~Array() { machine_.release(data_); }

  void* data() const { return data_; }
  const int64_t* as_index() const { return static_cast<const int64_t*>(data_); }
  Values values() const {
    std::vector<char> host(bytes());
    machine_.copy_out(host.data(), data_, bytes());
    machine_.note_result(dtype_, host.data(), size_);
    Values result(size_);
    visit_all(dtype_, [&](auto zero) {
      using T = decltype(zero);
      for (size_t i = 0; i < size_; ++i) {
        T element;
        memcpy(&element, host.data() + i * sizeof(T), sizeof(T));
        result[i] = static_cast<double>(static_cast<compute_t<T>>(element));
      }
    });
    return result;
  }

 private:
  size_t bytes() const { return size_ * elementSize(dtype_); }
  Machine& machine_;
  ScalarType dtype_;
  size_t size_;
  void* data_;
};

inline const ScalarType kFloating[] = {kFloat, kDouble, kHalf, kBFloat16};

inline Values random_values(size_t n, unsigned seed, double low = -1, double high = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  Values values(n);
  for (double& v : values) v = distribution(random);
  return values;
}

// values as `dtype` holds them
inline Values rounded(ScalarType dtype, Values values) {
  visit_all(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (double& v : values) v = static_cast<double>(static_cast<compute_t<T>>(convert<T>(v)));
  });
  return values;
}

// The error allowed for one rounding to dtype, and some steps of its compute type.
inline double tolerance(ScalarType dtype) {
  switch (dtype) {
    case kDouble:
      return 1e-13;
    case kFloat:
      return 2e-6;
    case kHalf:
      return 1e-3;
    case kBFloat16:
      return 8e-3;
    default:
      return 0;
  }
}

// |got - want| <= tolerance * max(scale, |want|) in every place; equal NaNs and infinities count as equal.
inline void check_close(const Values& got, const Values& want, double tolerance, double scale = 1) {
  REQUIRE(got.size() == want.size());
  size_t worst = 0, bad = 0;
  double worst_error = -1;
  for (size_t i = 0; i < got.size(); ++i) {
    if ((std::isnan(got[i]) && std::isnan(want[i])) || got[i] == want[i]) continue;
    const double error = std::abs(got[i] - want[i]) / std::max(scale, std::abs(want[i]));
    if (!(error <= tolerance)) ++bad;
    if (!(error <= worst_error)) worst_error = error, worst = i;
  }
  INFO("worst at element " << worst << " of " << got.size() << ", error " << worst_error << ": got "
                           << (got.empty() ? 0 : got[worst]) << ", want " << (want.empty() ? 0 : want[worst]));
  CHECK(bad == 0);
}

}  // namespace gb::cuda::cases
