// What every benchmark of glassbox shares: its flags, its heading, its table and its JSON.
//
//   --json FILE     also writes an array of {"case", "metric", "ours", "peer", "ratio", "goal", "met"}
//   --filter TEXT   only the cases with TEXT in their name
//
// ratio is ours / peer; below 1 glassbox does better where the metric is a cost (instructions, ns, us), worse where it is
// a rate (GB/s, TFLOP/s). `ours` and `peer` are numbers in the metric's unit. A row may have a goal, and is then met or
// missed; one whose peer has no such cost (peer 0) has no ratio, and its goal is for `ours`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gb::bench {

struct Row {
  std::string name;    // "add of one-element tensors"
  std::string metric;  // "instructions", "ns", "us", "GB/s", "TFLOP/s"
  double ours = 0, peer = 0;
  std::optional<double> goal = {};  // the most that ratio may be; that `ours` may be, where peer is 0
  double ratio() const { return peer == 0 ? 0 : ours / peer; }
  bool met() const { return !goal || (peer == 0 ? ours : ratio()) <= *goal; }
};

struct Flags {
  std::string json;    // empty: no file
  std::string filter;  // empty: all
  bool help = false;
  std::vector<std::string> others;  // what the benchmark itself has to understand
  bool selects(std::string_view name) const { return name.find(filter) != std::string_view::npos; }
};
// Throws ValueError: a flag without its value.
Flags parse_flags(int argc, char** argv);
// The main of a benchmark: what `run` returns, or failure with the text of the error that it threw.
int run_benchmark(int (*run)(int argc, char** argv), int argc, char** argv);

// "processor: ...", and the given pairs, one per line. States the number of threads.
std::string heading(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts);
std::string processor_name();

std::string table(const std::vector<Row>& rows);
std::string markdown(const std::vector<Row>& rows, const std::string& peer_name);
std::string to_json(const std::vector<Row>& rows);
// A relative path is taken from where the command was given, also under `bazel run`. Throws Error if it cannot be written.
void write_json(const std::string& path, const std::vector<Row>& rows);
void write_text(const std::string& path, const std::string& text);
// bench/results/NAME.md and .json, under the workspace (`bazel run`) or else the caller's folder.
void write_results(const std::string& name, const std::string& markdown, const std::vector<Row>& rows);

}  // namespace gb::bench
