#include "labs/options.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"

namespace gb::labs {
namespace {

ScalarType parse_dtype(const std::string& value) {
  if (value == "float32") return kFloat;
  if (value == "float64") return kDouble;
  GB_THROW(ValueError, .what = fmt::format("--dtype: unknown dtype \"{}\"", value),
           .cause = "the lab compares gradients, so it takes floating types that Eigen has",
           .repair = "use float32 or float64", .chapter = chapters::kTensors);
}

Device parse_device(const std::string& value) {
  const Device device(value);
  GB_CHECK_OR_THROW(device.is_cpu() || device.is_cuda(), ValueError,
                    .what = fmt::format("--device: the labs do not run on \"{}\"", value),
                    .cause = "a lab prints values, so it needs a device that computes some", .repair = "use cpu or cuda",
                    .chapter = chapters::kKernels);
  return device;
}

uint64_t parse_seed(const std::string& value) {
  uint64_t seed = 0;
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), seed);
  GB_CHECK_OR_THROW(failure == std::errc() && end == value.data() + value.size(), ValueError,
                    .what = fmt::format("--seed: \"{}\" is not a number", value), .cause = "a seed is an unsigned 64-bit integer",
                    .repair = "write digits only, for example --seed 7", .chapter = chapters::kGrammar);
  return seed;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string flag = arguments[i], value;
    const size_t equals = flag.find('=');  // --flag=value and --flag value are the same
    const bool joined = equals != std::string::npos;
    if (joined) {
      value = flag.substr(equals + 1);
      flag.resize(equals);
    }
    if (flag == "--help" || flag == "-h") {
      options.help = true;
      continue;
    }
    const bool known = flag == "--tokens" || flag == "--dtype" || flag == "--device" || flag == "--seed";
    GB_CHECK_OR_THROW(known, ValueError, .what = fmt::format("unknown flag {}", flag),
                      .cause = "the flags are --tokens, --dtype, --device, --seed and --help",
                      .repair = "see --help", .chapter = chapters::kGrammar);
    if (!joined) {
      GB_CHECK_OR_THROW(i + 1 < arguments.size(), ValueError, .what = fmt::format("{} needs a value", flag),
                        .cause = "it is the last argument", .repair = "see --help", .chapter = chapters::kGrammar);
      value = arguments[++i];
    }
    if (flag == "--tokens") options.tokens = value;
    if (flag == "--dtype") options.dtype = parse_dtype(value);
    if (flag == "--device") options.device = parse_device(value);
    if (flag == "--seed") options.seed = parse_seed(value);
  }
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
