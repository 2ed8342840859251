#include "labs/options.h"

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"

using gb::labs::parse_options;

TEST_CASE("defaults, and both spellings of a flag") {
  const auto defaults = parse_options({});
  CHECK(defaults.tokens == "i eat");
  CHECK((defaults.dtype == gb::kFloat));
  CHECK(defaults.device.is_cpu());
  const auto given = parse_options({"--tokens", "you eat", "--dtype=float64", "--device", "cuda:1", "--seed=18446744073709551615"});
  CHECK(given.tokens == "you eat");
  CHECK((given.dtype == gb::kDouble));
  CHECK((given.device == gb::Device(gb::kCUDA, 1)));
  CHECK(given.seed == 18446744073709551615u);
  CHECK(parse_options({"--help"}).help);
}

TEST_CASE("bad flags and values say what they are and what would do") {
  const auto message = [](std::vector<std::string> arguments) -> std::string {
    try {
      parse_options(arguments);
      return "no error";
    } catch (const gb::ValueError& e) {
      return e.what_without_backtrace();
    }
  };
  CHECK(message({"--tokes", "i eat"}).find("unknown flag --tokes") != std::string::npos);
  CHECK(message({"--tokens"}).find("--tokens needs a value") != std::string::npos);
  CHECK(message({"--dtype", "float16"}).find("unknown dtype \"float16\"") != std::string::npos);
  CHECK(message({"--device", "tpu"}).find("not a device string") != std::string::npos);
  CHECK(message({"--device", "meta"}).find("do not run on \"meta\"") != std::string::npos);
  CHECK(message({"--seed", "-1"}).find("\"-1\" is not a number") != std::string::npos);
  CHECK(message({"--seed", "1x"}).find("repair:") != std::string::npos);
}
