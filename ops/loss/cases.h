// The calls of the losses that the generic tests make.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> mse_loss_cases() {
  return {
      op("aten::mse_loss").on(input({2, 3}), input({2, 3})).also_half(),
      op("aten::mse_loss", "sum").on(input({2, 3}), input({2, 3}), 2),
      op("aten::mse_loss", "none").on(input({2, 3}), input({2, 3}).transposed(), 0),
      op("aten::mse_loss", "0-dim").on(input({}), input({})),
      op("aten::mse_loss", "no elements").on(input({0}), input({0})),
      op("aten::mse_loss", "constant target").on(input({2, 3}), input({2, 3}).constant()),
      op("aten::mse_loss", "broadcast").on(input({2, 3}), input({3})).not_in_libtorch(),
      op("aten::mse_loss", "integers").on(integers({3}, -9, 9), integers({3}, -9, 9)).throws(),
      op("aten::mse_loss", "no such reduction").on(input({3}), input({3}), 3).throws().not_in_libtorch(),
      op("aten::mse_loss_backward").on(input({}), input({2, 3}), input({2, 3}), 1),
      op("aten::mse_loss_backward", "none").on(input({2, 3}), input({2, 3}), input({2, 3}), 0),
  };
}

inline std::vector<OpCase> nll_loss_cases() {
  const TensorSpec rows = input({3, 5}), targets = integers({3}, 0, 4),
                   weight = input({5}).between(0.5, 2).constant();
  return {
      op("aten::nll_loss").on(rows, targets),
      op("aten::nll_loss", "sum, weights").on(rows, targets, weight, 2),
      op("aten::nll_loss", "mean, weights").on(rows, targets, weight),
      op("aten::nll_loss", "none, weights").on(rows, targets, weight, 0),
      op("aten::nll_loss", "some ignored").on(rows, integers({3}, 0, 1), none(), 1, 1),
      op("aten::nll_loss", "one row").on(input({5}), integers({}, 0, 4)),
      op("aten::nll_loss", "strided").on(rows.transposed(), targets.stepped()),
      op("aten::nll_loss", "no rows").on(input({0, 5}), integers({0}, 0, 4), none(), 2),
      op("aten::nll_loss", "vocabulary").on(input({32, 600}), integers({32}, 0, 599)).once_differentiable(),
      op("aten::nll_loss", "no such class").on(rows, integers({3}, 7, 7)).throws().without_meta(),
      op("aten::nll_loss", "a negative class").on(rows, integers({3}, -1, -1)).throws().without_meta(),
      op("aten::nll_loss", "too few targets").on(rows, integers({2}, 0, 4)).throws(),
      op("aten::nll_loss", "targets of probabilities").on(rows, rows).throws(),
      op("aten::nll_loss", "floating targets").on(rows, input({3}).constant()).throws(),
      op("aten::nll_loss", "weights for other classes").on(rows, targets, input({4}).constant()).throws(),
      op("aten::nll_loss_nd").on(rows, targets),
      op("aten::nll_loss_nd", "too few targets").on(rows, integers({2}, 0, 4)).throws(),
      op("aten::nll_loss_nd", "behind the classes")
          .on(input({2, 5, 3}), integers({2, 3}, 0, 4))
          .throws()
          .not_in_libtorch(),
      op("aten::nll_loss_forward").on(rows, targets, weight, 1, -100),
      op("aten::nll_loss_forward", "none").on(rows, targets, none(), 0, -100),
      op("aten::nll_loss_backward")
          .on(input({}), rows, targets, weight, 1, -100, input({}).between(2, 3).constant())
          .not_differentiable(),
      op("aten::nll_loss_backward", "sum")
          .on(input({}), rows, targets, weight, 2, -100, input({}).constant()),
      op("aten::nll_loss_backward", "none")
          .on(input({3}), rows, targets, none(), 0, -100, input({}).constant()),
      op("aten::nll_loss_backward", "gradient of other sizes")
          .on(input({2}), rows, targets, none(), 0, -100, input({}).constant())
          .throws(),
  };
}

inline std::vector<OpCase> cross_entropy_cases() {
  const TensorSpec rows = input({3, 5}), targets = integers({3}, 0, 4),
                   weight = input({5}).between(0.5, 2).constant();
  return {
      op("aten::cross_entropy_loss").on(rows, targets),
      op("aten::cross_entropy_loss", "sum, weights").on(rows, targets, weight, 2),
      op("aten::cross_entropy_loss", "none").on(rows, targets, none(), 0),
      op("aten::cross_entropy_loss", "some ignored").on(rows, integers({3}, 0, 1), weight, 1, 1),
      op("aten::cross_entropy_loss", "one row").on(input({5}), integers({}, 0, 4)),
      op("aten::cross_entropy_loss", "probabilities").on(rows, rows.between(0, 1)),
      op("aten::cross_entropy_loss", "probabilities, none, weights").on(rows, rows.between(0, 1), weight, 0),
      op("aten::cross_entropy_loss", "probabilities, smoothed")
          .on(rows, rows.between(0, 1), none(), 2, -100, 0.1),
      op("aten::cross_entropy_loss", "smoothed").on(rows, targets, none(), 1, -100, 0.1),
      op("aten::cross_entropy_loss", "smoothed, some ignored")
          .on(rows, integers({3}, 0, 1), none(), 2, 1, 0.3),
      op("aten::cross_entropy_loss", "smoothed, weights").on(rows, targets, weight, 1, -100, 0.1),
      op("aten::cross_entropy_loss", "smoothed, none").on(rows, targets, weight, 0, -100, 0.1),
      op("aten::cross_entropy_loss", "smoothing beyond 1").on(rows, targets, none(), 1, -100, 1.5).throws(),
      op("aten::cross_entropy_loss", "integers of the same sizes").on(rows, integers({3, 5}, 0, 1)).throws(),
      op("aten::cross_entropy_loss", "probabilities and an ignored class")
          .on(rows, rows, none(), 1, 2)
          .throws(),
      op("aten::cross_entropy_loss", "too few targets").on(rows, integers({2}, 0, 4)).throws(),
  };
}

inline std::vector<OpCase> loss_cases() {
  return joined({mse_loss_cases(), nll_loss_cases(), cross_entropy_cases()});
}

}  // namespace gb::tests
