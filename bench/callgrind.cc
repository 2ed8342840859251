#include "bench/callgrind.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "core/error.h"

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define GB_HAS_CALLGRIND 1
#else
#define GB_HAS_CALLGRIND 0
#endif

namespace gb::bench {
namespace {

constexpr const char* kValgrind = "/usr/bin/valgrind";
constexpr const char* kNameMark = "desc: Trigger: Client Request: ";
constexpr const char* kTotalMark = "totals: ";

std::string this_program() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return std::string(path, length > 0 ? static_cast<size_t>(length) : 0);
}

// A callgrind file names the stretch near its top and the sum at its end. Between them, function by function:
//
//   fn=(12) at::native::add     the function of the cost lines that follow; later only fn=(12)
//   35 4                        4 instructions at line 35
//   calls=1 70                  the next line is the cost of a call, counted where it is made: left out
//   35 812
void read_counts(const std::filesystem::path& file, std::map<std::string, Count>& counts) {
  std::ifstream in(file);
  Count count;
  std::map<std::string, std::string> names;  // "(12)" -> "at::native::add"
  std::string stretch, function;
  bool skip = false;
  for (std::string line; std::getline(in, line);) {
    const auto starts_with = [&](const char* mark) { return line.rfind(mark, 0) == 0; };
    if (starts_with(kNameMark)) stretch = line.substr(std::strlen(kNameMark));
    else if (starts_with(kTotalMark)) count.total = std::stod(line.substr(std::strlen(kTotalMark)));
    else if (starts_with("fn=(") || starts_with("cfn=(")) {
      const size_t from = line.find('('), to = line.find(')') + 1;
      std::string& name = names[line.substr(from, to - from)];
      if (to < line.size()) name = line.substr(to + 1);
      if (line[0] == 'f') function = name;
    } else if (starts_with("calls=")) skip = true;
    else if (!line.empty() && (std::isdigit(line[0]) || line[0] == '+' || line[0] == '-' || line[0] == '*')) {
      if (!std::exchange(skip, false)) count.functions[function] += std::stod(line.substr(line.find(' ')));
    }
  }
  if (!stretch.empty()) counts[stretch] = std::move(count);
}

}  // namespace

bool valgrind_available() { return GB_HAS_CALLGRIND && access(kValgrind, X_OK) == 0; }

#if GB_HAS_CALLGRIND
bool running_under_valgrind() { return RUNNING_ON_VALGRIND != 0; }
void begin_count() {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}
void end_count(const std::string& name) {
  CALLGRIND_DUMP_STATS_AT(name.c_str());
  CALLGRIND_STOP_INSTRUMENTATION;
}
#else
bool running_under_valgrind() { return false; }
void begin_count() {}
void end_count(const std::string&) {}
#endif

std::map<std::string, Count> count_instructions(const std::vector<std::string>& arguments) {
  const char* folder = std::getenv("TEST_TMPDIR");
  std::string scratch = std::string(folder ? folder : "/tmp") + "/glassbox-callgrind-XXXXXX";
  GB_CHECK_OR_THROW(mkdtemp(scratch.data()) != nullptr, Error, .what = "callgrind: no folder for its results",
                    .cause = fmt::format("cannot make {}", scratch), .repair = "free some space, or set TEST_TMPDIR",
                    .chapter = chapters::kKernels);
  std::string command = fmt::format("{} --tool=callgrind --instr-atstart=no --callgrind-out-file={}/out {}", kValgrind,
                                    scratch, this_program());
  for (const std::string& argument : arguments) command += " '" + argument + "'";
  command += fmt::format(" > {}/log 2>&1", scratch);
  const int status = std::system(command.c_str());
  std::map<std::string, Count> counts;
  std::string log;
  for (const auto& entry : std::filesystem::directory_iterator(scratch)) {
    if (entry.path().filename() != "log") {
      read_counts(entry.path(), counts);
      continue;
    }
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    log = text.str();
  }
  std::filesystem::remove_all(scratch);
  GB_CHECK_OR_THROW(WIFEXITED(status) && WEXITSTATUS(status) == 0, Error, .what = "callgrind: the counted run failed",
                    .cause = log.substr(log.size() > 2000 ? log.size() - 2000 : 0),
                    .repair = "run the command by hand: " + command, .chapter = chapters::kKernels);
  return counts;
}

}  // namespace gb::bench
