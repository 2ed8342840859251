#include "bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.h"

namespace gb::bench {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string readable(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

std::string peer_text(const Row& row) { return row.peer == 0 ? "-" : readable(row.peer); }
std::string ratio_text(const Row& row) { return row.peer == 0 ? "-" : fmt::format("{:.3f}", row.ratio()); }
std::string verdict(const Row& row) { return !row.goal ? "" : row.met() ? "met" : "missed"; }

}  // namespace

int run_benchmark(int (*run)(int argc, char** argv), int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return EXIT_FAILURE;
  }
}

Flags parse_flags(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      flags.help = true;
    } else if (argument == "--json" || argument == "--filter") {
      GB_CHECK_OR_THROW(i + 1 < argc, ValueError, .what = fmt::format("{} needs a value", argument),
                        .cause = "it is the last word of the command",
                        .repair = argument == "--json" ? "--json results.json" : "--filter add",
                        .chapter = chapters::kKernels);
      (argument == "--json" ? flags.json : flags.filter) = argv[++i];
    } else {
      flags.others.push_back(argument);
    }
  }
  return flags;
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string heading(const std::string& title, const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string text = title + "\n";
  text += fmt::format("  {:<12} {}\n", "processor", processor_name());
  for (const auto& [name, value] : facts) text += fmt::format("  {:<12} {}\n", name, value);
  return text;
}

std::string table(const std::vector<Row>& rows) {
  size_t width = 4;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string text = fmt::format("{:<{}}  {:<12} {:>12} {:>12} {:>8} {:>8}\n", "case", width, "metric", "glassbox", "peer",
                                 "ratio", "goal");
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<12} {:>12} {:>12} {:>8}", row.name, width, row.metric, readable(row.ours),
                        peer_text(row), ratio_text(row));
    text += row.goal ? fmt::format(" {:>8.2f}  {}\n", *row.goal, verdict(row)) : "\n";
  }
  return text;
}

std::string markdown(const std::vector<Row>& rows, const std::string& peer_name) {
  std::string text = fmt::format("| call | metric | glassbox | {} | ratio | goal | |\n|---|---|---|---|---|---|---|\n", peer_name);
  for (const Row& row : rows)
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", row.name, row.metric, readable(row.ours), peer_text(row),
                        ratio_text(row), row.goal ? fmt::format("<= {:.2f}", *row.goal) : "", verdict(row));
  return text;
}

std::string to_json(const std::vector<Row>& rows) {
  std::string text = "[";
  for (const Row& row : rows) {
    text += fmt::format("{}\n  {{\"case\": {}, \"metric\": {}, \"ours\": {:.6g}, \"peer\": {:.6g}, \"ratio\": {:.6g}",
                        text.size() > 1 ? "," : "", quoted(row.name), quoted(row.metric), row.ours, row.peer, row.ratio());
    text += row.goal ? fmt::format(", \"goal\": {:.6g}, \"met\": {}}}", *row.goal, row.met()) : "}";
  }
  return text + "\n]\n";
}

void write_json(const std::string& path, const std::vector<Row>& rows) { write_text(path, to_json(rows)); }

void write_text(const std::string& path, const std::string& text) {
  const char* caller = std::getenv("BUILD_WORKING_DIRECTORY");  // set by `bazel run`, which changes the folder
  const std::string full = path.front() == '/' || !caller ? path : std::string(caller) + "/" + path;
  std::ofstream out(full);
  out << text;
  out.close();
  GB_CHECK_OR_THROW(static_cast<bool>(out), Error, .what = fmt::format("cannot write {}", full),
                    .cause = "the file could not be opened or written",
                    .repair = "name a file in a folder that exists and that you may write", .chapter = chapters::kKernels);
}

void write_results(const std::string& name, const std::string& markdown, const std::vector<Row>& rows) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  const std::filesystem::path folder = std::filesystem::absolute(workspace ? workspace : ".") / "bench" / "results";
  std::filesystem::create_directories(folder);
  write_text((folder / (name + ".md")).string(), markdown);
  write_text((folder / (name + ".json")).string(), to_json(rows));
}

}  // namespace gb::bench
