#include "labs/options.h"

#include <fmt/format.h>

#include "core/error.h"
#include "labs/flags.h"

namespace gb::labs {
namespace {

ScalarType parse_dtype(const std::string& value) {
  if (value == "float32") return kFloat;
  if (value == "float64") return kDouble;
  GB_THROW(ValueError, .what = fmt::format("--dtype: unknown dtype \"{}\"", value),
           .cause = "the lab compares gradients, so it takes floating types that Eigen has",
           .repair = "use float32 or float64", .chapter = chapters::kTensors);
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  options.help = read_flags(arguments, {"--tokens", "--dtype", "--device", "--seed"},
                            [&](const std::string& flag, const std::string& value) {
                              if (flag == "--tokens") options.tokens = value;
                              if (flag == "--dtype") options.dtype = parse_dtype(value);
                              if (flag == "--device") options.device = parse_device(value);
                              if (flag == "--seed") options.seed = parse_number(flag, value);
                            });
  return options;
}

std::string usage() {
  return R"(four_ways: the LM head Linear(64, 600) of the grammar model, taken apart four ways

  1  dispatch trace    every hop of linear(x, W, b), and the tape it leaves
  2  gradients         dx, dW, db by hand against the tape (and LibTorch, where it is installed)
  3  custom operator   lynx_cortex::softmax, registered, checked, and a wrong one caught
  4  compile           capture, graph, generated C++, guards, cache

  --tokens "i eat"           two words of the vocabulary (bazel run //nn/grammar:show lists it)
  --dtype float32|float64    of weights and gradients (default float32)
  --device cpu|cuda          where it runs (default cpu)
  --seed N                   of the weights (default 0)
  --help                     this text

Environment: GB_LOGS=output_code,fusion,guards prints more of part 4; GB_TRACE=1 traces every call of the program.
)";
}

}  // namespace gb::labs
