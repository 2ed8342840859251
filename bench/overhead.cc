// What a call costs beside its arithmetic: glassbox and LibTorch, the same calls, in one program. See README.md.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>

#include "bench/callgrind.h"
#include "bench/overhead_cases.h"
#include "bench/report.h"
#include "bench/where.h"
#include "core/error.h"
#include "kernels/cpu/capability.h"

namespace gb::bench {
namespace {

constexpr const char* kUsage =
    "overhead: what an operator call costs beside its arithmetic, glassbox against LibTorch\n"
    "  --json FILE    also write the rows as JSON\n"
    "  --filter TEXT  only the rows with TEXT in their name\n"
    "  --quick        fewer repetitions: counts within about 5 %\n"
    "  --no-time      counts only    --no-count     times only\n"
    "  --where        also which parts of either library the instructions of four calls go to\n"
    "  --write        all of it, as bench/results/overhead.md and .json (under the workspace or the caller's folder)\n";

struct Settings {
  Flags flags;
  bool quick = false, time = true, count = true, where = false, write = false;
  bool in_child = false;  // this is the run under callgrind
};

// One number per case and side: instructions or nanoseconds per call.
struct Measured {
  std::map<std::string, double> ours, peer;
};

// The rows that are shown, in this order, with the most that glassbox's instructions may be of LibTorch's.
struct ShownRow {
  const char* name;
  std::optional<double> goal = {};
};
const std::vector<ShownRow> kRows{
    {kDirect},         {kDispatch, 0.30},      {kNoAutograd, 0.12},  {kRedispatch, 0.30}, {kBoxedNew, 0.35}, {kBoxedReused},
    {kFind, 0.25},     {kEmpty, 0.10},         {kAdd, 0.10},         {kAddRecorded, 0.12}, {kView, 0.15},    {kViewRecorded, 0.20},
    {kSoftmax},        {kLinear},              {kForwardNode, 0.15}, {kBackwardNode, 0.10}, {kOneBackward, 0.08}, {kBackwardFixed},
    {kFunction, 0.20}, {kOwnOutput, 0.20},
};
constexpr double kTraceGoal = 2;  // instructions
// The calls that --where takes apart.
const std::vector<const char*> kTakenApart{kDispatch, kEmpty, kAdd, kView};

bool is_needed(const std::string& raw, const Flags& flags) {
  if (raw == kEmptyLoop) return true;
  const bool trace_wanted = flags.selects(kTraceOff);
  if (raw == kUntraced) return trace_wanted;
  if (raw == kDispatch) return trace_wanted || flags.selects(raw);
  const bool chain = raw == kChainShort || raw == kChainLong, one = raw == kOneBackward;
  const bool node_wanted = flags.selects(kBackwardNode), fixed_wanted = flags.selects(kBackwardFixed);
  if (raw == kForwardShort || raw == kForwardLong) return flags.selects(kForwardNode);
  return chain ? node_wanted || fixed_wanted : one ? flags.selects(raw) || fixed_wanted : flags.selects(raw);
}

int64_t counted_calls(const OverheadCase& one, bool quick) { return quick ? std::max<int64_t>(one.counted_calls / 10, 4) : one.counted_calls; }

void count_side(const std::vector<OverheadCase>& cases, const char* side, const Settings& settings) {
  for (const OverheadCase& one : cases) {
    if (!is_needed(one.name, settings.flags)) continue;
    const Runner runner = one.prepare();
    runner(std::min<int64_t>(one.timed_calls, 50));  // caches and lazy tables are filled before counting
    begin_count();
    runner(counted_calls(one, settings.quick));
    end_count(one.name + "/" + side);
  }
}

std::map<std::string, Count> count(const Settings& settings) {
  std::vector<std::string> arguments{"--count-here", "--filter", settings.flags.filter};
  if (settings.quick) arguments.push_back("--quick");
  return count_instructions(arguments);
}

Measured per_call(const std::map<std::string, Count>& counts, bool quick) {
  Measured measured;
  for (const OverheadCase& one : our_cases()) {
    const double calls = static_cast<double>(counted_calls(one, quick));
    const auto ours = counts.find(one.name + "/ours"), peer = counts.find(one.name + "/peer");
    if (ours != counts.end()) measured.ours[one.name] = ours->second.total / calls;
    if (peer != counts.end()) measured.peer[one.name] = peer->second.total / calls;
  }
  return measured;
}

std::string taken_apart(const std::map<std::string, Count>& counts, bool quick) {
  std::string text;
  for (const OverheadCase& one : our_cases()) {
    const bool shown = std::find(kTakenApart.begin(), kTakenApart.end(), one.name) != kTakenApart.end();
    const auto ours = counts.find(one.name + "/ours"), peer = counts.find(one.name + "/peer");
    if (!shown || ours == counts.end() || peer == counts.end()) continue;
    text += fmt::format("\n## Where the instructions go: {}\n\n", one.name);
    text += parts_table(ours->second, peer->second, static_cast<double>(counted_calls(one, quick)), "LibTorch");
  }
  return text;
}

double nanoseconds_per_call(const Runner& runner, int64_t calls) {
  const auto start = std::chrono::steady_clock::now();
  runner(calls);
  const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - start;
  return elapsed.count() / static_cast<double>(calls);
}

// The least of many short timings, the two sides taking turns, so that a slow moment of the machine hits both.
Measured time(const Settings& settings) {
  const std::vector<OverheadCase> ours = our_cases(), peer = libtorch_cases();
  Measured measured;
  for (size_t i = 0; i < peer.size(); ++i) {  // ours has one more, which is counted only
    if (!is_needed(ours[i].name, settings.flags)) continue;
    const Runner our_runner = ours[i].prepare(), peer_runner = peer[i].prepare();
    double least_ours = 1e300, least_peer = 1e300;
    for (int round = 0; round < (settings.quick ? 5 : 40); ++round) {
      least_ours = std::min(least_ours, nanoseconds_per_call(our_runner, ours[i].timed_calls));
      least_peer = std::min(least_peer, nanoseconds_per_call(peer_runner, peer[i].timed_calls));
    }
    measured.ours[ours[i].name] = least_ours;
    measured.peer[ours[i].name] = least_peer;
  }
  return measured;
}

constexpr const char* kInstructions = "instructions";

// Takes the empty loop off, and works out the rows of the chain: the slope between its two lengths is one node.
void derive(std::map<std::string, double>& values) {
  const double loop = values[kEmptyLoop];
  for (auto& [name, value] : values) value -= loop;
  if (values.count(kForwardLong)) values[kForwardNode] = (values[kForwardLong] - values[kForwardShort]) / 900;
  if (!values.count(kChainLong)) return;
  values[kBackwardNode] = (values[kChainLong] - values[kChainShort]) / 900;
  if (values.count(kOneBackward)) values[kBackwardFixed] = values[kOneBackward] - values[kBackwardNode];
}

void add_rows(Measured measured, const std::string& metric, const Flags& flags, std::vector<Row>& rows) {
  derive(measured.ours), derive(measured.peer);
  const bool has_goals = metric == kInstructions;
  for (const auto& [name, goal] : kRows)
    if (flags.selects(name) && measured.ours.count(name) && measured.peer.count(name))
      rows.push_back({name, metric, measured.ours[name], measured.peer[name], has_goals ? goal : std::nullopt});
  if (has_goals && flags.selects(kTraceOff) && measured.ours.count(kUntraced))
    rows.push_back({kTraceOff, metric, measured.ours[kDispatch] - measured.ours[kUntraced], 0, kTraceGoal});
}

Settings parse(int argc, char** argv) {
  Settings settings{.flags = parse_flags(argc, argv)};
  for (const std::string& flag : settings.flags.others) {
    if (flag == "--quick") settings.quick = true;
    else if (flag == "--no-time") settings.time = false;
    else if (flag == "--no-count") settings.count = false;
    else if (flag == "--where") settings.where = true;
    else if (flag == "--write") settings.write = true;
    else if (flag == "--count-here") settings.in_child = true;
    else
      GB_THROW(ValueError, .what = fmt::format("overhead: unknown flag {}", flag), .cause = "it is not one of its flags",
               .repair = "see --help", .chapter = chapters::kDispatch);
  }
  return settings;
}

int run(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  if (settings.flags.help) return std::fputs(kUsage, stdout), 0;
  if (settings.in_child) {
    count_side(our_cases(), "ours", settings);
    count_side(libtorch_cases(), "peer", settings);
    return 0;
  }
  const bool counts = settings.count && valgrind_available();
  const std::string text = heading(
      "overhead: cost of a call, glassbox against LibTorch",
      {{"compiler", "g++ " __VERSION__},
       {"LibTorch", fmt::format("{}, {}", libtorch_version(), libtorch_capability())},
       {"glassbox", fmt::format("kernels for {}", toString(cpu_capability()))},
       {"threads", "1"},
       {"ns", "least of repeated timings, the two taking turns"},
       {"instructions", counts ? "callgrind, mean per call, empty loop taken off"
                               : settings.count ? "not counted: valgrind is not installed" : "not asked for"}});
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
  std::vector<Row> rows;
  std::string where;
  if (counts) {
    const std::map<std::string, Count> found = count(settings);
    add_rows(per_call(found, settings.quick), kInstructions, settings.flags, rows);
    where = taken_apart(found, settings.quick);
  }
  if (settings.time) add_rows(time(settings), "ns", settings.flags, rows);
  std::fputs(table(rows).c_str(), stdout);
  if (settings.where) std::fputs(where.c_str(), stdout);
  if (!settings.flags.json.empty()) write_json(settings.flags.json, rows);
  if (settings.write)
    write_results("overhead", fmt::format("```\n{}```\n\n## The calls\n\n{}{}", text, markdown(rows, "LibTorch"), where), rows);
  return 0;
}

}  // namespace
}  // namespace gb::bench

int main(int argc, char** argv) { return gb::bench::run_benchmark(gb::bench::run, argc, argv); }
