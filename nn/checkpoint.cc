#include "nn/checkpoint.h"

#include <fmt/format.h>

#include <any>
#include <atomic>
#include <mutex>
#include <optional>

#include "autograd/anomaly_mode.h"
#include "autograd/engine.h"
#include "autograd/graph_task.h"
#include "autograd/saved_tensor_default_hooks.h"
#include "autograd/saved_variable.h"
#include "autograd/turn.h"
#include "core/error.h"
#include "ops/autocast/autocast.h"
#include "ops/random/random.h"

namespace gb::nn::detail {
namespace {

using autograd::graph::saved_tensors_hooks;

// What the two runs must agree on.
struct Metadata {
  explicit Metadata(const Tensor& t) : sizes(t.sizes().vec()), dtype(t.scalar_type()), device(t.device()) {}
  bool operator==(const Metadata&) const = default;
  std::string text() const {
    return fmt::format("{} of sizes {} on {}", toString(dtype), to_string(IntArrayRef(sizes)), device.str());
  }
  std::vector<int64_t> sizes;
  ScalarType dtype;
  Device device;
};

// The default generator's position. A run that repeats draws has a generator of its own, which stands there: other
// threads draw from the program's meanwhile.
struct RngState {
  static RngState now() { return {default_generator().current_seed(), default_generator().get_offset()}; }
  Generator generator() const {
    Generator made(seed);
    made.set_offset(offset);
    return made;
  }
  uint64_t seed, offset;
};

// The regions of the first run, for the CPU and for CUDA.
struct AutocastState {
  struct Device {
    explicit Device(DeviceType type)
        : type(type), enabled(autocast::is_autocast_enabled(type)), dtype(autocast::get_autocast_dtype(type)) {}
    DeviceType type;
    bool enabled;
    ScalarType dtype;
  };
  Device cpu{kCPU}, cuda{kCUDA};
  bool cache = autocast::is_autocast_cache_enabled();
};

struct Enough : autograd::EarlyStop {};  // every place has its tensor: what ends the second run

class CheckpointFrame;

// Where a node of the first run would have kept a tensor.
struct Place {
  std::shared_ptr<CheckpointFrame> frame;
  size_t number;
  Metadata metadata;
  Tensor recomputed = {};  // by the pass below
  int64_t pass = -1;
};

class CheckpointFrame : public std::enable_shared_from_this<CheckpointFrame> {
 public:
  CheckpointFrame(std::function<void(const std::vector<Tensor>&)> again, const std::vector<Tensor>& tensors,
                  const CheckpointOptions& options)
      : again_(std::move(again)), options_(options) {
    if (options.preserve_rng_state()) rng_ = RngState::now();
    // Under the scope of an outer checkpoint, if there is one: then these have places in its frame.
    for (const Tensor& t : tensors) arguments_.emplace_back(t, /*is_output=*/false);
  }

  // The first run saves `t`.
  std::any new_place(const Tensor& t) {
    auto place = std::make_shared<Place>(Place{shared_from_this(), places_.size(), Metadata(t)});
    places_.push_back(place);
    return place;
  }

  // Backward asks. Outside of a pass each question is answered anew.
  Tensor at(Place& place) {
    const autograd::Turn::Scope turn(turn_);
    static std::atomic<int64_t> outside = -2;
    const int64_t in_pass = autograd::get_current_graph_task_id(), pass = in_pass == -1 ? outside-- : in_pass;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (place.pass == pass) return place.recomputed;
    }
    const auto end = std::make_shared<Recomputed>(weak_from_this(), pass);
    // A callback that does nothing: the pass takes it along, however it ends.
    if (in_pass != -1) autograd::Engine::get_default_engine().queue_callback([end] {});
    try {
      return run_again(pass, place.number);
    } catch (...) {
      forget(pass);
      throw;
    }
  }

 private:
  // What was recomputed for a pass lives as long as this.
  class Recomputed {
   public:
    Recomputed(std::weak_ptr<CheckpointFrame> frame, int64_t pass) : frame_(std::move(frame)), pass_(pass) {}
    ~Recomputed() {
      if (const auto alive = frame_.lock()) alive->forget(pass_);
    }
    Recomputed(const Recomputed&) = delete;
    Recomputed& operator=(const Recomputed&) = delete;

   private:
    const std::weak_ptr<CheckpointFrame> frame_;
    const int64_t pass_;
  };

  // Fills all places for the pass; returns what it saved as number `asked`. (Not what lies there afterwards: another pass,
  // on another worker, may fill the places at the same time.)
  Tensor run_again(int64_t pass, size_t asked) {
    Tensor answer;
    std::vector<Tensor> given;
    for (const autograd::SavedVariable& argument : arguments_) given.push_back(argument.unpack());
    size_t saved = 0;
    {
      std::optional<Generator> generator;
      std::optional<DefaultGeneratorGuard> rng;
      if (rng_) rng.emplace(generator.emplace(rng_->generator()));
      // Where autocast was off its dtype does not matter, and may be one that it would refuse.
      const auto cast_to = [](const auto& of) { return of.enabled ? std::optional(of.dtype) : std::nullopt; };
      const autocast::AutocastGuard cpu(kCPU, cast_to(autocast_.cpu), autocast_.cpu.enabled, autocast_.cache);
      const autocast::AutocastGuard cuda(kCUDA, cast_to(autocast_.cuda), autocast_.cuda.enabled, autocast_.cache);
      const AutoGradMode recorded(true);
      const auto keep = [&](const Tensor& t) -> std::any {
        const Tensor plain = t.detach();
        if (saved == asked) answer = plain;
        return fill(saved++, plain, pass);
      };
      const saved_tensors_hooks scope(keep, [](const std::any& kept) { return std::any_cast<Tensor>(kept); });
      try {
        again_(given);
      } catch (const Enough&) {
      }
    }
    GB_CHECK_OR_THROW(saved == places_.size(), Error,
                      .what = "checkpoint: A different number of tensors was saved during the original forward and "
                              "recomputation",
                      .cause = fmt::format("{} during forward, {} during recomputation", places_.size(), saved),
                      .repair = "let the function depend on its arguments only: it must do the same each time",
                      .chapter = chapters::kAutograd);
    return answer;
  }

  // The second run saves `t`, without history, as number `number`.
  Tensor fill(size_t number, const Tensor& t, int64_t pass) {
    GB_CHECK_OR_THROW(number < places_.size(), Error,
                      .what = "checkpoint: trying to save more tensors during recomputation than during the original "
                              "forward pass",
                      .cause = fmt::format("{} during forward", places_.size()),
                      .repair = "let the function depend on its arguments only: it must do the same each time",
                      .chapter = chapters::kAutograd);
    const Metadata now(t);
    if (const std::shared_ptr<Place> place = places_[number].lock()) {  // else its node is gone
      GB_CHECK_OR_THROW(now == place->metadata, Error,
                        .what = "checkpoint: Recomputed values for the following tensors have different metadata than "
                                "during the forward pass",
                        .cause = fmt::format("tensor {}: {} in forward, {} recomputed", number, place->metadata.text(),
                                             now.text()),
                        .repair = "let the function depend on its arguments only: it must do the same each time",
                        .chapter = chapters::kAutograd);
      const std::lock_guard<std::mutex> lock(mutex_);
      place->recomputed = t;
      place->pass = pass;
    }
    if (options_.early_stop() && number + 1 == places_.size()) throw Enough();
    return t;
  }

  void forget(int64_t pass) {
    std::vector<Tensor> freed;  // outside of the lock: that may lead back here
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const std::weak_ptr<Place>& weak : places_) {
      const std::shared_ptr<Place> place = weak.lock();
      if (place && place->pass == pass) freed.push_back(std::move(place->recomputed)), place->pass = -1;
    }
  }

  autograd::Turn turn_;  // to run f: threads whose passes need the same places find them when it is theirs
  std::mutex mutex_;     // of the places' tensors
  const std::function<void(const std::vector<Tensor>&)> again_;
  const CheckpointOptions options_;
  std::vector<autograd::SavedVariable> arguments_;
  std::vector<std::weak_ptr<Place>> places_;  // a node that is released or gone takes its place with it
  std::optional<RngState> rng_;
  const AutocastState autocast_;
};

}  // namespace

CheckpointScope::CheckpointScope(std::function<void(const std::vector<Tensor>&)> again, const std::vector<Tensor>& tensors,
                                 const CheckpointOptions& options) {
  const auto frame = std::make_shared<CheckpointFrame>(std::move(again), tensors, options);
  SavedTensorDefaultHooks::push_hooks(
      [frame](const Tensor& t) { return frame->new_place(t); },
      [](const std::any& kept) {
        Place& place = *std::any_cast<const std::shared_ptr<Place>&>(kept);
        return place.frame->at(place);
      });
}

CheckpointScope::~CheckpointScope() { SavedTensorDefaultHooks::pop_hooks(); }

}  // namespace gb::nn::detail
