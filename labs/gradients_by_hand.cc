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
  return {static_cast<double>(loss / static_cast<T>(p.rows)), values(dz), values(dx), values(dW), values(db)};
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

HeadProblem problem_of(const nn::grammar::LmHead& head, const nn::grammar::Example& example) {
  const Tensor &x = example.x, &W = head.weight;
  return {x.size(0), x.size(1), W.size(0), values(x), values(W), values(head.bias), example.next_ids,
          x.scalar_type() == kFloat};
}

HeadLoss recorded_loss(const nn::grammar::LmHead& head, const nn::grammar::Example& example) {
  const Tensor z = linear(example.x, head.weight, head.bias);
  const Tensor p = softmax(z, -1);  // N x V
  return {z, -gather(p, 1, example.next.reshape({-1, 1})).log().mean()};
}

HeadGradients gradients_by_tape(const nn::grammar::LmHead& head, const nn::grammar::Example& example) {
  const HeadLoss forward = recorded_loss(head, example);
  const auto g = autograd::grad({forward.loss}, {forward.z, example.x, head.weight, head.bias});
  return {forward.loss.item().toDouble(), values(g[0]), values(g[1]), values(g[2]), values(g[3])};
}

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
  fmt::print(R"(
== 2. Gradients by hand ==

loss = -mean log p[next token];  dz = (p - onehot) / N,  dx = dz W,  dW = dz^T x,  db = sum of dz over rows

)");
  const HeadGradients tape = gradients_by_tape(head, example);
  const HeadProblem problem = problem_of(head, example);
  const HeadGradients hand = gradients_by_hand(problem);
  const auto torch = gradients_by_libtorch(problem);

  fmt::print("  loss: tape {:.9f}, by hand {:.9f}{}\n\n", tape.loss, hand.loss,
             torch ? fmt::format(", LibTorch {:.9f}", torch->loss) : "");
  fmt::print("  tape vs        max |a-b|   relative   where, and the two values (relative: to the largest entry)\n");
  const Bounds bounds = bounds_of(problem.single_precision);
  bool within = true;
  const auto compare = [&](const char* against, const char* name, const std::vector<double>& values,
                           const std::vector<double>& others, int64_t cols) {
    const Difference d = largest_difference(values, others);
    print_row(against, name, d, cols);
    within &= d.max_abs <= bounds.absolute && d.relative <= bounds.relative;
  };
  const auto compare_all = [&](const char* against, const HeadGradients& other) {
    compare(against, "dx", tape.dx, other.dx, problem.features);
    compare(against, "dW", tape.dW, other.dW, problem.features);
    compare(against, "db", tape.db, other.db, problem.classes);
  };
  compare_all("by hand", hand);
  if (torch) compare_all("LibTorch", *torch);
  else fmt::print("  LibTorch is not installed: ./setup.sh installs it\n");
  GB_CHECK_OR_THROW(within, Error, .what = "the gradients differ by more than the bound",
                    .cause = fmt::format("the bounds are {} absolute and {} relative", bounds.absolute, bounds.relative),
                    .repair = "this is a bug in a formula or a kernel: the table shows where", .chapter = chapters::kAutograd);
  fmt::print("  all within {:.0e} absolute and {:.0e} relative\n", bounds.absolute, bounds.relative);
}

}  // namespace gb::labs
