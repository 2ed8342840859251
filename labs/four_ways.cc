// The tour: one operator, the LM head Linear(64, 600) of the grammar model, taken apart four ways.
#include <fmt/format.h>

#include <cstdio>

#include "glassbox.h"
#include "labs/compiled_head.h"
#include "labs/custom_softmax.h"
#include "labs/dispatch_trace.h"
#include "labs/gradients_by_hand.h"
#include "labs/options.h"
#include "nn/grammar/model.h"
#include "nn/grammar/tokenizer.h"

namespace {

using namespace gb;

void tour(const labs::Options& options) {
  if (!options.device.is_cpu()) allocator_for(options.device);  // throws here, before anything is printed
  const auto head = nn::grammar::make_lm_head(options.seed, options.dtype, options.device);
  const auto example = nn::grammar::make_example(options.tokens, head);

  const auto& tokenizer = nn::grammar::Tokenizer::instance();
  GB_CHECK_OR_THROW(example.ids.size() == 2, ValueError, .what = "--tokens: the tour takes two tokens",
                    .cause = fmt::format("\"{}\" has {}", options.tokens, example.ids.size()),
                    .repair = "write two words of the vocabulary: --tokens \"i eat\"", .chapter = chapters::kGrammar);
  fmt::print("The LM head: {} tokens, x is {}, W is {}, b is {}, {} on {}, seed {}\n", tokenizer.size(),
             to_string(example.x.sizes()), to_string(head.weight.sizes()), to_string(head.bias.sizes()),
             toString(options.dtype), options.device.str(), options.seed);
  for (size_t i = 0; i < example.ids.size(); ++i) {
    fmt::print("  token {} \"{}\" (id {}), next \"{}\" (id {})\n", i, tokenizer.word(example.ids[i]), example.ids[i],
               tokenizer.word(example.next_ids[i]), example.next_ids[i]);
  }

  labs::show_dispatch_trace(head, example);
  labs::show_gradients(head, example);
  const CustomOpDef custom = labs::register_custom_softmax();
  labs::show_custom_softmax(custom, options);
  labs::show_compiled_head(head, example, custom);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const labs::Options options = labs::parse_options({argv + 1, argv + argc});
    if (options.help) {
      fmt::print("{}", labs::usage());
      return 0;
    }
    tour(options);
    return 0;
  } catch (const std::exception& e) {
    std::fflush(stdout);
    const auto* error = dynamic_cast<const gb::Error*>(&e);
    fmt::print(stderr, "four_ways: {}\n", error ? error->what_without_backtrace() : e.what());
    return 2;
  }
}
