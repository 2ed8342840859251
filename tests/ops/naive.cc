#include "tests/ops/naive.h"

#include <algorithm>
#include <cmath>

namespace gb::tests {
namespace {

const Tensor& tensor(const Stack& arguments, size_t i) { return arguments[i].toTensor(); }

ScalarType floating(ScalarType type) { return isFloatingType(type) ? type : kFloat; }

double negate(double x) { return -x; }
double rsqrt(double x) { return 1 / std::sqrt(x); }
double reciprocal(double x) { return 1 / x; }
double square(double x) { return x * x; }
double sign(double x) { return (x > 0) - (x < 0); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double relu(double x) { return x > 0 ? x : 0; }

// --- element by element
template <double (*function)(double), bool gives_floating>
Tensor unary(const Stack& arguments) {
  const Tensor& self = tensor(arguments, 0);
  const Tensor result = blank(self.sizes(), gives_floating ? floating(self.scalar_type()) : self.scalar_type());
  for (int64_t i = 0; i < self.numel(); ++i) set_element(result, i, function(element(self, i)));
  return result;
}

// The coordinates of row-major element i.
std::vector<int64_t> coordinates(int64_t i, IntArrayRef sizes) {
  std::vector<int64_t> at(sizes.size());
  for (size_t d = sizes.size(); d-- > 0; i /= sizes[d]) at[d] = i % sizes[d];
  return at;
}
int64_t row_major(const std::vector<int64_t>& at, IntArrayRef sizes) {
  int64_t i = 0;
  for (size_t d = 0; d < sizes.size(); ++d) i = i * sizes[d] + at[d];
  return i;
}

// --- reductions: the elements of `self` that fall together, in order, for each element of the result
template <class Combine>
Tensor reduce(const Tensor& self, std::vector<int64_t> dims, bool keepdim, ScalarType dtype, Combine combine) {
  const size_t rank = static_cast<size_t>(self.dim());
  std::vector<bool> goes(rank, dims.empty());
  for (const int64_t d : dims)
    if (rank > 0) goes[static_cast<size_t>(d < 0 ? d + self.dim() : d)] = true;
  std::vector<int64_t> kept, sizes;  // with 1 in the places that go; and as the result has them
  for (size_t d = 0; d < rank; ++d) {
    kept.push_back(goes[d] ? 1 : self.sizes()[d]);
    if (!goes[d] || keepdim) sizes.push_back(kept.back());
  }
  const Tensor result = blank(sizes, dtype);
  std::vector<std::vector<double>> groups(static_cast<size_t>(result.numel()));
  for (int64_t i = 0; i < self.numel(); ++i) {
    std::vector<int64_t> at = coordinates(i, self.sizes());
    for (size_t d = 0; d < rank; ++d)
      if (goes[d]) at[d] = 0;
    groups[static_cast<size_t>(row_major(at, kept))].push_back(element(self, i));
  }
  for (size_t g = 0; g < groups.size(); ++g) set_element(result, static_cast<int64_t>(g), combine(groups[g]));
  return result;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}
double mean_of(const std::vector<double>& values) { return sum_of(values) / static_cast<double>(values.size()); }
double largest_of(const std::vector<double>& values) {
  return values.empty() ? -HUGE_VAL : *std::max_element(values.begin(), values.end());
}

std::vector<int64_t> dims_of(const IValue& dims) { return dims.isNone() ? std::vector<int64_t>() : dims.toIntVector(); }

ScalarType sum_type(const Tensor& self, const IValue& dtype) {
  if (!dtype.isNone()) return dtype.toScalarType();
  return isFloatingType(self.scalar_type()) ? self.scalar_type() : kLong;
}

Tensor sum_dim(const Stack& a) {  // self, dim, keepdim, dtype
  return reduce(tensor(a, 0), dims_of(a[1]), a[2].toBool(), sum_type(tensor(a, 0), a[3]), sum_of);
}
Tensor mean_dim(const Stack& a) {
  return reduce(tensor(a, 0), dims_of(a[1]), a[2].toBool(), sum_type(tensor(a, 0), a[3]), mean_of);
}
Tensor amax(const Stack& a) {
  return reduce(tensor(a, 0), dims_of(a[1]), a[2].toBool(), tensor(a, 0).scalar_type(), largest_of);
}

// --- matrices
double dot(const Tensor& a, const Tensor& b, int64_t row, int64_t column) {  // of a [m, k] and b [k, n]
  const int64_t k = a.size(1), n = b.size(1);
  double sum = 0;
  for (int64_t i = 0; i < k; ++i) sum += element(a, row * k + i) * element(b, i * n + column);
  return sum;
}
Tensor mm(const Stack& a) {
  const Tensor &left = tensor(a, 0), &right = tensor(a, 1);
  const Tensor result = blank({left.size(0), right.size(1)}, left.scalar_type());
  for (int64_t i = 0; i < result.numel(); ++i)
    set_element(result, i, dot(left, right, i / right.size(1), i % right.size(1)));
  return result;
}
Tensor softmax(const Stack& a) {  // self, dim, dtype
  const Tensor& self = tensor(a, 0);
  const Tensor result = blank(self.sizes(), a[2].isNone() ? self.scalar_type() : a[2].toScalarType());
  const std::vector<int64_t> dims{a[1].toInt()};
  const Tensor largest = reduce(self, dims, true, kDouble, largest_of);
  const auto shifted = [&](int64_t i) {
    std::vector<int64_t> at = coordinates(i, self.sizes());
    if (!at.empty()) at[static_cast<size_t>(dims[0] < 0 ? dims[0] + self.dim() : dims[0])] = 0;
    const int64_t group = row_major(at, largest.sizes());
    return std::pair(std::exp(element(self, i) - element(largest, group)), group);
  };
  std::vector<double> sums(static_cast<size_t>(largest.numel()));
  for (int64_t i = 0; i < self.numel(); ++i) sums[static_cast<size_t>(shifted(i).second)] += shifted(i).first;
  for (int64_t i = 0; i < self.numel(); ++i)
    set_element(result, i, shifted(i).first / sums[static_cast<size_t>(shifted(i).second)]);
  return result;
}
Tensor gather(const Stack& a) {  // self, dim, index
  const Tensor &self = tensor(a, 0), &index = tensor(a, 2);
  const Tensor result = blank(index.sizes(), self.scalar_type());
  for (int64_t i = 0; i < index.numel(); ++i) {
    std::vector<int64_t> at = coordinates(i, index.sizes());
    if (!at.empty()) {
      const int64_t d = a[1].toInt() < 0 ? a[1].toInt() + self.dim() : a[1].toInt();
      at[static_cast<size_t>(d)] = static_cast<int64_t>(element(index, i));
    }
    set_element(result, i, element(self, row_major(at, self.sizes())));
  }
  return result;
}

}  // namespace

const std::map<std::string, Naive>& naive_references() {
  static const std::map<std::string, Naive> references{
      {"aten::neg", unary<negate, false>}, {"aten::exp", unary<std::exp, true>}, {"aten::log", unary<std::log, true>},
      {"aten::sqrt", unary<std::sqrt, true>},    {"aten::rsqrt", unary<rsqrt, true>},
      {"aten::sin", unary<std::sin, true>},      {"aten::cos", unary<std::cos, true>},
      {"aten::tanh", unary<std::tanh, true>},    {"aten::sigmoid", unary<sigmoid, true>},
      {"aten::relu", unary<relu, false>},        {"aten::abs", unary<std::fabs, false>},
      {"aten::sign", unary<sign, false>},        {"aten::floor", unary<std::floor, false>},
      {"aten::square", unary<square, false>},    {"aten::reciprocal", unary<reciprocal, true>},
      {"aten::sum.dim_IntList", sum_dim},  {"aten::mean.dim", mean_dim},         {"aten::amax", amax},
      {"aten::mm", mm},                    {"aten::softmax.int", softmax},       {"aten::gather", gather},
  };
  return references;
}

}  // namespace gb::tests
