// checkpoint(f, args...): f(args...), of which backward keeps the arguments only, and runs f again for the rest.
//
//   forward    f runs as always, but where a node would save a tensor it saves a place: "the third that f saved"
//   backward   the first node that asks for its place runs f once more, on the arguments that were kept; this time what f
//              saves is kept, at the places in the same order, until its node has run; what f returns is dropped
//
// The tape is the one that f makes, and the gradients are the same bit for bit, for a second forward and less memory: of
// many parts in a row (the blocks of a GPT) only one at a time has its inner values. f must do the same again: it may
// branch on its arguments, not on what has changed meanwhile. What it saved is compared by number, sizes, dtype and device,
// and a difference is an error. The default generator draws the same numbers again (preserve_rng_state), and the autocast
// regions are those of the first time. The second run ends as soon as every place has its tensor (early_stop), by an
// exception that f must let pass.
//
// f and the arguments are copied and kept as long as the tape; arguments that are tensors are saved as a node's inputs are:
// a write to one is noticed. What a second run made is freed at the end of the pass that asked, however that ends. Threads
// take turns with f, but for workers of several devices, which may run copies of it at once (autograd/turn.h). f may call checkpoint itself: then the outer one keeps places for the arguments of the inner
// one. Outside of grad mode this is a plain call. In PyTorch: torch.utils.checkpoint.checkpoint(use_reentrant=False).
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/autograd_state.h"
#include "core/tensor.h"
#include "nn/options.h"

namespace gb::nn {

struct CheckpointOptions {
  GB_ARG(bool, preserve_rng_state) = true;  // else the second run draws new numbers
  GB_ARG(bool, early_stop) = true;          // else f runs to its end, and one that saves more than before is noticed
};

namespace detail {
// While it lives, what is saved on this thread becomes a place of the frame.
class CheckpointScope {
 public:
  // `again`: runs f on these tensors, which are the tensors among the arguments.
  CheckpointScope(std::function<void(const std::vector<Tensor>&)> again, const std::vector<Tensor>& tensors,
                  const CheckpointOptions& options);
  ~CheckpointScope();
  CheckpointScope(const CheckpointScope&) = delete;
  CheckpointScope& operator=(const CheckpointScope&) = delete;
};

template <class T>
inline constexpr bool is_tensor = std::is_same_v<std::remove_cvref_t<T>, Tensor>;
}  // namespace detail

// Throws, in backward, where the second run differs from the first.
template <class F, class... Args>
auto checkpoint(const CheckpointOptions& options, F f, Args... args) {
  if (!GradMode::is_enabled()) return f(args...);
  std::vector<Tensor> tensors;
  const auto collect = [&](const auto& arg) {
    if constexpr (detail::is_tensor<decltype(arg)>) tensors.push_back(arg);
  };
  (collect(args), ...);
  // The tensors are the frame's, which saves them and checks their versions; the rest is copied, with gaps for them.
  const auto emptied = [](auto arg) {
    if constexpr (detail::is_tensor<decltype(arg)>)
      return Tensor();
    else
      return arg;
  };
  const detail::CheckpointScope scope(
      [f, rest = std::tuple(emptied(args)...)](const std::vector<Tensor>& given) {
        auto again = f;  // as it was: what one run changes in it is not there in another, nor seen by another thread
        auto all = rest;
        size_t next = 0;
        const auto fill = [&](auto& arg) {
          if constexpr (detail::is_tensor<decltype(arg)>) arg = given[next++];
        };
        std::apply([&](auto&... each) { (fill(each), ...); }, all);
        std::apply(again, all);
      },
      tensors, options);
  return f(args...);
}
template <class F, class... Args>
requires(!std::is_same_v<std::remove_cvref_t<F>, CheckpointOptions>) auto checkpoint(F f, Args... args) {
  return checkpoint(CheckpointOptions(), std::move(f), std::move(args)...);
}

}  // namespace gb::nn
