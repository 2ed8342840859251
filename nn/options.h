// GB_ARG(double, lr) = 0.1;  declares an option: `lr()` reads it, `lr(value)` sets it and returns the options, so that
// they chain: AdamWOptions(1e-3).weight_decay(0).eps(1e-6). A macro, because one line has to declare three names. Source:
// TORCH_ARG of torch/arg.h.
#pragma once

#include <utility>

#define GB_ARG(T, name)                                   \
 public:                                                  \
  auto name(T new_##name) -> decltype(*this) {            \
    name##_ = std::move(new_##name);                      \
    return *this;                                         \
  }                                                       \
  const T& name() const noexcept { return name##_; }      \
                                                          \
 private:                                                 \
  T name##_
