#include "labs/flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"

namespace gb::labs {
namespace {

template <class T>
T parse(const std::string& flag, const std::string& value, const char* repair) {
  T number{};
  const auto [end, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
  GB_CHECK_OR_THROW(failure == std::errc() && end == value.data() + value.size(), ValueError,
                    .what = fmt::format("{}: \"{}\" is not a number", flag, value),
                    .cause = std::is_integral_v<T> ? "it takes an unsigned 64-bit integer" : "it takes a decimal number",
                    .repair = repair, .chapter = chapters::kGrammar);
  return number;
}

}  // namespace

bool read_flags(const std::vector<std::string>& arguments, const std::vector<std::string>& known,
                const std::function<void(const std::string&, const std::string&)>& take) {
  bool help = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string flag = arguments[i], value;
    const size_t equals = flag.find('=');
    const bool joined = equals != std::string::npos;
    if (joined) {
      value = flag.substr(equals + 1);
      flag.resize(equals);
    }
    if (flag == "--help" || flag == "-h") {
      help = true;
      continue;
    }
    GB_CHECK_OR_THROW(std::find(known.begin(), known.end(), flag) != known.end(), ValueError,
                      .what = fmt::format("unknown flag {}", flag),
                      .cause = fmt::format("the flags are {} and --help", fmt::join(known, ", ")), .repair = "see --help",
                      .chapter = chapters::kGrammar);
    if (!joined) {
      GB_CHECK_OR_THROW(i + 1 < arguments.size(), ValueError, .what = fmt::format("{} needs a value", flag),
                        .cause = "it is the last argument", .repair = "see --help", .chapter = chapters::kGrammar);
      value = arguments[++i];
    }
    take(flag, value);
  }
  return help;
}

uint64_t parse_number(const std::string& flag, const std::string& value) {
  return parse<uint64_t>(flag, value, "write digits only, for example 7");
}

double parse_fraction(const std::string& flag, const std::string& value) {
  return parse<double>(flag, value, "write a number such as 0.003");
}

Device parse_device(const std::string& value) {
  const Device device(value);
  GB_CHECK_OR_THROW(device.is_cpu() || device.is_cuda(), ValueError,
                    .what = fmt::format("--device: the labs do not run on \"{}\"", value),
                    .cause = "a lab prints values, so it needs a device that computes some", .repair = "use cpu or cuda",
                    .chapter = chapters::kKernels);
  return device;
}

}  // namespace gb::labs
