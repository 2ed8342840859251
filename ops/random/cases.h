// The calls of the random operators that the generic tests make: everything but the values.
#pragma once

#include "tests/case_lists.h"

namespace gb::tests {

inline std::vector<OpCase> random_cases() {
  const TensorSpec probabilities = input({2, 3}).between(0.1, 0.9);
  return {
      op("aten::rand").on(ints({2, 3})).undefined_values(),
      op("aten::rand", "integers").on(ints({2})).with("dtype", kLong).throws().without_meta(),
      op("aten::rand.generator").on(ints({2, 3}), none()).with("dtype", kDouble).undefined_values(),
      op("aten::randn").on(ints({2, 0})).undefined_values(),
      op("aten::randn.generator").on(ints({2, 3}), none()).undefined_values(),
      op("aten::randint").on(5, ints({2, 3})).undefined_values(),
      op("aten::randint", "floating").on(5, ints({2, 3})).with("dtype", kFloat).undefined_values(),
      op("aten::randint", "empty range").on(0, ints({2})).throws().without_meta(),
      op("aten::randint.generator").on(5, ints({2, 3}), none()).undefined_values(),
      op("aten::randint.low").on(-5, 5, ints({2, 3})).undefined_values(),
      op("aten::randint.low_generator").on(-5, 5, ints({2, 3}), none()).undefined_values(),
      op("aten::randperm").on(7).undefined_values(),
      op("aten::randperm", "negative").on(-1).throws().without_meta(),
      op("aten::randperm.generator").on(7, none()).undefined_values(),
      op("aten::normal_").on(input({2, 3}), 1.0, 0.5).undefined_values().also_half(),
      op("aten::normal_", "stepped").on(input({2, 3}).stepped()).undefined_values(),
      op("aten::normal_", "negative deviation").on(input({2, 3}), 0.0, -1.0).throws(),
      op("aten::uniform_").on(input({2, 3}).transposed()).undefined_values(),
      op("aten::uniform_", "empty range").on(input({2, 3}), 1.0, 0.0).throws().without_meta(),
      op("aten::uniform_", "integers").on(integers({2}, 0, 1)).throws().without_meta(),
      op("aten::random_.from").on(input({2, 3}), -5, 5).undefined_values(),
      op("aten::random_.from", "up to the largest").on(integers({2, 3}, 0, 1), 5, none()).undefined_values(),
      op("aten::random_.from", "empty range").on(input({2, 3}), 5, 5).throws().without_meta(),
      op("aten::random_.to").on(integers({2, 3}, 0, 1), 5).undefined_values(),
      op("aten::random_").on(input({2, 3})).undefined_values(),
      op("aten::bernoulli_.float").on(input({2, 3}), 0.25).undefined_values(),
      op("aten::bernoulli_.float", "bools").on(integers({4}, 0, 1, kBool)).undefined_values(),
      op("aten::bernoulli_.float", "not a probability").on(input({2, 3}), 1.5).throws(),
      op("aten::bernoulli_.Tensor").on(input({2, 3}), probabilities.constant()).undefined_values(),
      op("aten::bernoulli_.Tensor", "broadcast")
          .on(integers({2, 3}, 0, 1), input({3}).between(0, 1))
          .undefined_values(),
      op("aten::bernoulli").on(probabilities).undefined_values(),
      op("aten::bernoulli", "integers").on(integers({2}, 0, 1)).throws().without_meta(),
      op("aten::bernoulli.p").on(input({2, 3}), 0.25).undefined_values(),
      op("aten::multinomial").on(probabilities, 2).undefined_values(),
      op("aten::multinomial", "replacement").on(input({3}).between(0.1, 2), 9, true).undefined_values(),
      op("aten::multinomial", "too many").on(probabilities, 4).throws(),
      op("aten::multinomial", "three dimensions").on(input({2, 2, 2}), 1).throws(),
      op("aten::multinomial", "negative weight").on(input({3}).between(-2, -1), 1).throws().without_meta(),
  };
}

}  // namespace gb::tests
