#include "nn/grammar/model.h"

#include <algorithm>

#include "core/autograd_state.h"
#include "core/error.h"
#include "nn/grammar/tokenizer.h"
#include "nn/init.h"
#include "ops/common/empty.h"
#include "ops/embedding/embedding.h"

namespace gb::nn::grammar {
namespace {

constexpr double kGptStd = 0.02;

Tensor to_tensor(const std::vector<int64_t>& values, Device device) {
  const Tensor t = empty_cpu({static_cast<int64_t>(values.size())}, kLong);
  std::copy(values.begin(), values.end(), t.mutable_data_ptr<int64_t>());
  return t.to(device, kLong);
}

}  // namespace

LmHead make_lm_head(uint64_t seed, ScalarType dtype, Device device) {
  const int64_t vocabulary = Tokenizer::instance().size();
  const Generator numbers(seed);
  LmHead head{empty_on(device, {vocabulary, kModelWidth}, dtype), empty_on(device, {vocabulary, kModelWidth}, dtype),
              empty_on(device, {vocabulary}, dtype)};
  init::normal_(head.embedding, 0, kGptStd, numbers);
  init::normal_(head.weight, 0, kGptStd, numbers);
  init::zeros_(head.bias);
  head.weight.requires_grad_();
  head.bias.requires_grad_();
  return head;
}

Example make_example(std::string_view tokens, const LmHead& head) {
  Example example;
  example.ids = Tokenizer::instance().encode(tokens);
  GB_CHECK_OR_THROW(!example.ids.empty(), ValueError, .what = "make_example: the text has no tokens",
                    .cause = "it is empty, or nothing but spaces", .repair = "give a few words, such as \"i eat\"",
                    .chapter = chapters::kGrammar);
  example.next_ids = next_tokens(example.ids);
  const Device device = head.embedding.device();
  example.next = to_tensor(example.next_ids, device);
  NoGradGuard unrecorded;
  example.x = embedding(head.embedding, to_tensor(example.ids, device)).detach();
  example.x.requires_grad_();
  return example;
}

}  // namespace gb::nn::grammar
