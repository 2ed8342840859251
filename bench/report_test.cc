#include "bench/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/error.h"

namespace gb::bench {
namespace {

Flags parse(std::vector<std::string> words) {
  std::vector<char*> argv;
  words.insert(words.begin(), "program");
  for (std::string& word : words) argv.push_back(word.data());
  return parse_flags(static_cast<int>(argv.size()), argv.data());
}

TEST_CASE("flags: the shared ones are read, the others are passed on") {
  const Flags flags = parse({"--json", "a.json", "--quick", "--filter", "add"});
  CHECK(flags.json == "a.json");
  CHECK(flags.selects("add of two"));
  CHECK(!flags.selects("view"));
  CHECK(flags.others == std::vector<std::string>{"--quick"});
  CHECK(parse({}).selects("anything"));
}

TEST_CASE("a flag without its value is an error that says so") {
  CHECK_THROWS_AS(parse({"--json"}), ValueError);
  try {
    parse({"--filter"});
  } catch (const ValueError& e) {
    CHECK(std::string(e.what()).find("--filter needs a value") != std::string::npos);
  }
}

TEST_CASE("a row meets its goal by its ratio, or by itself where there is no peer") {
  CHECK(Row{"add", "instructions", 100, 1000, 0.10}.met());
  CHECK(!Row{"add", "instructions", 101, 1000, 0.10}.met());
  CHECK(Row{"trace", "instructions", 2, 0, 2}.met());
  CHECK(!Row{"trace", "instructions", 3, 0, 2}.met());
  const std::string text = table({{"add", "ns", 100, 1000, 0.10}, {"trace", "ns", 3, 0, 2}, {"view", "ns", 1, 2}});
  CHECK(text.find("0.100     0.10  met\n") != std::string::npos);
  CHECK(text.find("-     2.00  missed\n") != std::string::npos);
  CHECK(text.find("0.500\n") != std::string::npos);
  CHECK(markdown({{"add", "ns", 100, 1000, 0.10}}, "LibTorch").find("| add | ns | 100.0 | 1000 | 0.100 | <= 0.10 | met |\n") !=
        std::string::npos);
  CHECK(to_json({{"a", "ns", 3, 0, 2}}).find("\"goal\": 2, \"met\": false}") != std::string::npos);
}

TEST_CASE("JSON holds the five fields, and escapes names") {
  CHECK(to_json({}) == "[\n]\n");
  CHECK(to_json({{"a \"b\"", "ns", 1.5, 3}}) ==
        "[\n  {\"case\": \"a \\\"b\\\"\", \"metric\": \"ns\", \"ours\": 1.5, \"peer\": 3, \"ratio\": 0.5}\n]\n");
}

TEST_CASE("the table shows every row with its ratio") {
  const std::string text = table({{"add", "instructions", 1200, 4800}, {"view", "ns", 10, 40}});
  CHECK(text.find("0.250") != std::string::npos);
  CHECK(text.find("4800") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

TEST_CASE("a JSON file is written where asked, or the error names it") {
  const std::string path = std::string(std::getenv("TEST_TMPDIR") ? std::getenv("TEST_TMPDIR") : "/tmp") + "/rows.json";
  write_json(path, {{"add", "ns", 1, 2}});
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  CHECK(text.str() == to_json({{"add", "ns", 1, 2}}));
  CHECK_THROWS_AS(write_json("/no/such/folder/rows.json", {}), Error);
}

}  // namespace
}  // namespace gb::bench
