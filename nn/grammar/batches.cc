#include "nn/grammar/batches.h"

#include <fmt/format.h>

#include <random>

#include "core/error.h"
#include "nn/grammar/tokenizer.h"
#include "ops/common/empty.h"

namespace gb::nn::grammar {
namespace {

// The order of `count` sentences in round `round`.
std::vector<size_t> shuffled(size_t count, uint64_t seed, uint64_t round) {
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = i;
  std::seed_seq both{seed, seed >> 32, round};
  std::mt19937_64 dice(both);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[dice() % i]);
  return order;
}

}  // namespace

Batch make_batch(const Sentences& sentences, int64_t length) {
  const int64_t rows = static_cast<int64_t>(sentences.size());
  const Batch batch{empty_cpu({rows, length}, kLong), empty_cpu({rows, length}, kLong)};
  int64_t *input = batch.input.mutable_data_ptr<int64_t>(), *target = batch.target.mutable_data_ptr<int64_t>();
  for (const Sentence* sentence : sentences) {
    const std::vector<int64_t> line = Tokenizer::instance().encode_line(*sentence, length + 1);
    for (int64_t i = 0; i < length; ++i) {
      const int64_t next = line[static_cast<size_t>(i + 1)];
      *input++ = line[static_cast<size_t>(i)];
      *target++ = next == kPad ? kNoTarget : next;
    }
  }
  return batch;
}

Batches::Batches(Sentences sentences, int64_t batch, int64_t length, uint64_t seed)
    : sentences_(std::move(sentences)), batch_(batch), length_(length), seed_(seed) {
  GB_CHECK_OR_THROW(!sentences_.empty() && batch > 0 && length > 0, ValueError,
                    .what = "Batches: needs sentences, and a batch and a length of 1 or more",
                    .cause = fmt::format("{} sentences, batch {}, length {}", sentences_.size(), batch, length),
                    .repair = "split_corpus().train has sentences", .chapter = chapters::kGrammar);
  for (const Sentence* sentence : sentences_) Tokenizer::instance().encode_line(*sentence, length + 1);  // throws
}

Sentences Batches::sentences_at(int64_t step) const {
  GB_CHECK_OR_THROW(step >= 0, ValueError, .what = fmt::format("Batches: there is no step {}", step),
                    .cause = "steps count from 0", .repair = "ask for step 0 or later", .chapter = chapters::kGrammar);
  const uint64_t count = sentences_.size(), rows = static_cast<uint64_t>(batch_);
  Sentences chosen;
  std::vector<size_t> order;
  for (uint64_t i = static_cast<uint64_t>(step) * rows, end = i + rows; i < end; ++i) {
    if (order.empty() || i % count == 0) order = shuffled(count, seed_, i / count);
    chosen.push_back(sentences_[order[i % count]]);
  }
  return chosen;
}

Batch Batches::at(int64_t step) const { return make_batch(sentences_at(step), length_); }

}  // namespace gb::nn::grammar
