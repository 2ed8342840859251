// The grammar MiniGPT in training, by either library: from the same weights, on the same batches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gb::tests::libtorch {

struct MiniGptWeight {
  std::string name;  // "h.0.attn.c_attn.weight"
  std::vector<int64_t> sizes;
  std::vector<double> values;
};

struct MiniGptSetup {
  bool single_precision = true;
  int64_t heads = 4, layers = 2;
  double lr = 1e-3, weight_decay = 0.01, max_norm = 1;  // AdamW, after clip_grad_norm_
  std::vector<MiniGptWeight> weights = {};              // of MiniGPT; LibTorch's side takes them over
};

struct MiniGptBatch {
  int64_t rows, length;
  std::vector<int64_t> ids, targets;  // [rows, length]; -100: no target
};

// A step, in its three parts.
class MiniGptTrainer {
 public:
  virtual ~MiniGptTrainer() = default;
  virtual double forward(const MiniGptBatch& batch) = 0;  // the loss
  virtual void backward() = 0;
  virtual void update() = 0;
  double step(const MiniGptBatch& batch) {
    const double loss = forward(batch);
    backward();
    update();
    return loss;
  }
};

// LibTorch's uses one thread from then on.
std::unique_ptr<MiniGptTrainer> make_libtorch_trainer(const MiniGptSetup& setup);
// Fills setup.weights: fresh ones of seed 1, with 600 words, width 64, d_ff 256, context 32.
std::unique_ptr<MiniGptTrainer> make_glassbox_trainer(MiniGptSetup& setup);

// What step `step` of a run with 32 rows of 32 words reads.
MiniGptBatch grammar_batch(int64_t step);

}  // namespace gb::tests::libtorch
