#include "labs/gradients_by_hand.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "glassbox.h"

namespace gb::labs {
namespace {

template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T>
Matrix<T> matrix(const std::vector<double>& values, int64_t rows, int64_t cols) {
  return Eigen::Map<const Matrix<double>>(values.data(), rows, cols).template cast<T>();
}

template <class T>
std::vector<double> values(const Matrix<T>& m) {
  const Matrix<double> wide = m.template cast<double>();
  return {wide.data(), wide.data() + wide.size()};
}

template <class T>
HeadGradients by_hand(const HeadProblem& p) {
  const Matrix<T> x = matrix<T>(p.x, p.rows, p.features);   // N x D
  const Matrix<T> W = matrix<T>(p.W, p.classes, p.features);  // V x D
  const Matrix<T> b = matrix<T>(p.b, 1, p.classes);           // 1 x V

  const Matrix<T> z = (x * W.transpose()).rowwise() + b.row(0);  // N x V
  Matrix<T> dz(p.rows, p.classes);
  T loss = 0;
  for (int64_t i = 0; i < p.rows; ++i) {
    const auto e = (z.row(i).array() - z.row(i).maxCoeff()).exp().eval();
    dz.row(i) = e / e.sum();  // p
    loss -= std::log(dz(i, p.next[static_cast<size_t>(i)]));
    dz(i, p.next[static_cast<size_t>(i)]) -= T(1);
  }
  dz /= static_cast<T>(p.rows);

  const Matrix<T> dx = dz * W;
  const Matrix<T> dW = dz.transpose() * x;
  const Matrix<T> db = dz.colwise().sum();
  return {static_cast<double>(loss / static_cast<T>(p.rows)), values(dx), values(dW), values(db)};
}

std::vector<double> values(const Tensor& t) {
  const Tensor wide = t.detach().to(kDouble).cpu().contiguous();
  const double* data = wide.const_data_ptr<double>();
  return {data, data + wide.numel()};
}

void print_row(const char* against, const char* name, const Difference& d, int64_t cols) {
  fmt::print("  {:<9} {:<3} {:>10.2e} {:>10.2e}   [{}, {}]: {:+.9e} and {:+.9e}\n", against, name, d.max_abs, d.relative,
             d.at / static_cast<size_t>(cols), d.at % static_cast<size_t>(cols), d.value, d.reference);
}

}  // namespace

HeadGradients gradients_by_hand(const HeadProblem& problem) {
  return problem.single_precision ? by_hand<float>(problem) : by_hand<double>(problem);
}

Difference largest_difference(const std::vector<double>& a, const std::vector<double>& reference) {
  Difference worst{0, 0, 0, a.empty() ? 0 : a[0], a.empty() ? 0 : reference[0]};
  double scale = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - reference[i]);
    scale = std::max(scale, std::abs(reference[i]));
    // NaN counts as worst, and stays.
    if (!std::isnan(worst.max_abs) && !(difference <= worst.max_abs)) worst = {difference, 0, i, a[i], reference[i]};
  }
  worst.relative = scale > 0 ? worst.max_abs / scale : worst.max_abs;
  return worst;
}

void show_gradients(const nn::grammar::LmHead& head, const nn::grammar::Example& example) {
  const Tensor x = example.x, W = head.weight, b = head.bias;
  fmt::print(R"(
== 2. Gradients by hand ==

loss = -mean log p[next token];  dz = (p - onehot) / N,  dx = dz W,  dW = dz^T x,  db = sum of dz over rows

)");
  const Tensor p = softmax(linear(x, W, b), -1);  // N x V
  const Tensor loss = -gather(p, 1, example.next.reshape({-1, 1})).log().mean();
  const auto tape = autograd::grad({loss}, {x, W, b});

  const HeadProblem problem{x.size(0), x.size(1), W.size(0), values(x), values(W), values(b), example.next_ids,
                            x.scalar_type() == kFloat};
  const HeadGradients hand = gradients_by_hand(problem);
  const auto torch = gradients_by_libtorch(problem);

  fmt::print("  loss: tape {:.9f}, by hand {:.9f}{}\n\n", loss.item().toDouble(), hand.loss,
             torch ? fmt::format(", LibTorch {:.9f}", torch->loss) : "");
  fmt::print("  tape vs        max |a-b|   relative   where, and the two values (relative: to the largest entry)\n");
  // The bounds of the issue: float64 is exact to rounding; float32 sums 600 terms in another order.
  const double abs_bound = problem.single_precision ? 1e-7 : 1e-12, relative_bound = problem.single_precision ? 2e-6 : 1e-12;
  bool within = true;
  const auto compare = [&](const char* against, const HeadGradients& other) {
    const std::vector<double>* expected[] = {&other.dx, &other.dW, &other.db};
    const char* names[] = {"dx", "dW", "db"};
    for (size_t i = 0; i < 3; ++i) {
      const Difference d = largest_difference(values(tape[i]), *expected[i]);
      print_row(against, names[i], d, tape[i].size(-1));
      within &= d.max_abs <= abs_bound && d.relative <= relative_bound;
    }
  };
  compare("by hand", hand);
  if (torch) compare("LibTorch", *torch);
  else fmt::print("  LibTorch is not installed: ./setup.sh installs it\n");
  GB_CHECK_OR_THROW(within, Error, .what = "the gradients differ by more than the bound",
                    .cause = fmt::format("the bounds are {} absolute and {} relative", abs_bound, relative_bound),
                    .repair = "this is a bug in a formula or a kernel: the table shows where", .chapter = chapters::kAutograd);
  fmt::print("  all within {:.0e} absolute and {:.0e} relative\n", abs_bound, relative_bound);
}

}  // namespace gb::labs
