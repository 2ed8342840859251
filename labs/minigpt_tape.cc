// The tape of a GPT of one block, printed: the chapter is docs/en/theory/02a-tape-of-a-mini-gpt.md.
//
//   minigpt_tape                             of the block alone, as text, and what it keeps for backward
//   minigpt_tape --of loss --tape svg        of the whole model with its loss; text, dot, json or svg
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "core/error.h"
#include "labs/flags.h"
#include "labs/tape_form.h"
#include "labs/tiny_gpt.h"

namespace {

using namespace gb;

void show(const std::string& of, const std::string& form) {
  GB_CHECK_OR_THROW(of == "block" || of == "loss", ValueError,
                    .what = fmt::format("--of: there is no part '{}'", of),
                    .cause = "the tape is that of a block, or of the loss", .repair = "write block or loss",
                    .chapter = chapters::kAutograd);
  const labs::TinyGpt model;
  const Tensor root = of == "block" ? model.block_on_leaf() : model.loss();
  fmt::print("{}", labs::tape_in_form(autograd::read_tape(root, model.names()), form));
  if (form == "text") fmt::print("\nkept for backward:\n{}", labs::kept_for_backward(root, model.names()));
}

}  // namespace

int main(int argc, char** argv) {
  std::string of = "block", form = "text";
  try {
    if (labs::read_flags({argv + 1, argv + argc}, {"--of", "--tape"},
                         [&](const std::string& flag, const std::string& value) {
                           (flag == "--of" ? of : form) = value;
                         })) {
      fmt::print("minigpt_tape [--of block|loss] [--tape text|dot|json|svg]\n");
      return 0;
    }
    show(of, form);
  } catch (const Error& e) {
    fmt::print(stderr, "{}\n", e.what_without_backtrace());
    return 2;
  }
  return 0;
}
