// Training: the grammar MiniGPT, its optimizer, its batches and the number of the next step; all that a checkpoint holds.
//
// A step reads the batch of its number, so a run that is saved and loaded goes on with the same bits. A checkpoint is one
// safetensors file: "model.wte.weight", ..., "optimizer.0.exp_avg", ..., "generator.state", and the options and the step
// as metadata.
#pragma once

#include <string>
#include <vector>

#include "labs/minigpt/options.h"
#include "nn/gpt.h"
#include "nn/grammar/batches.h"
#include "nn/optim/adamw.h"

namespace gb::labs {

class Training {
 public:
  explicit Training(const TrainingOptions& options);
  // The run that `checkpoint` holds, on `device`, whichever it ran on before. Throws ValueError for a file that is no
  // checkpoint of a Training.
  static Training resumed(const std::string& checkpoint, Device device = Device(kCPU));

  double step();  // one batch: loss, backward, clipping, AdamW; returns the loss before the update
  int64_t steps_done() const { return static_cast<int64_t>(losses_.size()); }
  const std::vector<double>& losses() const { return losses_; }
  int64_t tokens_in_last_step() const { return tokens_; }  // that were predicted
  void save(const std::string& checkpoint) const;

  const nn::MiniGPT& model() const { return model_; }
  const nn::grammar::Split& split() const { return split_; }

 private:
  TrainingOptions options_;
  nn::grammar::Split split_;
  nn::grammar::Batches batches_;
  nn::MiniGPT model_;
  std::unique_ptr<optim::AdamW> optimizer_;
  std::vector<double> losses_;
  int64_t tokens_ = 0;
};

}  // namespace gb::labs
