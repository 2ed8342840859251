// What the parts of cuda_ours share: a subject is a family of kernels that bench/cuda.py asks about by name.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <iosfwd>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/error.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/element.h"

namespace gb::bench {

// `bytes` of device memory, filled with random elements of `dtype`; grows, and is filled again for another dtype.
class Matrix {
 public:
  Matrix(unsigned seed, double scale) : seed_(seed), scale_(scale) {}
  void* of(ScalarType dtype, size_t bytes) {
    if (bytes <= bytes_ && dtype == dtype_) return data_;
    if (bytes > bytes_) {
      GB_CUDA_CHECK(cudaFree(data_));
      GB_CUDA_CHECK(cudaMalloc(&data_, bytes));
      bytes_ = bytes;
    }
    dtype_ = dtype;
    constexpr size_t kPattern = 1 << 22;  // elements, then again from the start: far more than any row
    std::mt19937 random(seed_);
    std::uniform_real_distribution<float> value(-1, 1);
    cuda::visit_floating(dtype, [&](auto zero) {
      using T = decltype(zero);
      std::vector<T> pattern(kPattern);
      for (T& e : pattern) e = cuda::convert<T>(static_cast<double>(value(random)) * scale_);
      for (size_t at = 0; at < bytes_; at += kPattern * sizeof(T))
        GB_CUDA_CHECK(cudaMemcpy(static_cast<char*>(data_) + at, pattern.data(),
                                 std::min(kPattern * sizeof(T), bytes_ - at), cudaMemcpyHostToDevice));
    });
    return data_;
  }

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
  ScalarType dtype_ = kLong;
  unsigned seed_;
  double scale_;
};

// One family of kernels. A request is the rest of a line (cuda_ours.cc); one that cannot be read throws ValueError.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual std::vector<std::string> rungs() const = 0;
  virtual void parse(std::istream& line) = 0;  // what run and error are about
  virtual size_t run() = 0;                    // launches once; the number of the rung that ran, from 1
  virtual double error() = 0;                  // runs, and compares with arithmetic on the host
  virtual size_t bytes() { return 0; }         // of outputs and scratch memory of the last run, where a subject says so
};
std::unique_ptr<Subject> softmax_subject();
std::unique_ptr<Subject> lm_head_subject();
std::unique_ptr<Subject> column_sums_subject();
std::unique_ptr<Subject> linear_subject();

ScalarType parse_dtype(const std::string& name);

}  // namespace gb::bench
