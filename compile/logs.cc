#include "compile/logs.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "core/error.h"

namespace gb {
namespace {

constexpr const char* kNames[kNumCompileLogs] = {"graph_code", "fusion",     "output_code",
                                                 "guards",     "recompiles", "cache"};

thread_local LogCapture* t_capture = nullptr;

// The environment is read once; what it says does not change while the program runs.
uint32_t enabled_by_environment() {
  static const uint32_t bits = [] {
    const char* words = std::getenv("GB_LOGS");
    return words ? parse_logs(words) : 0u;
  }();
  return bits;
}

}  // namespace

const char* toString(CompileLog log) { return kNames[static_cast<int>(log)]; }

uint32_t parse_logs(const std::string& words) {
  uint32_t bits = 0;
  for (size_t begin = 0; begin <= words.size();) {
    size_t end = words.find(',', begin);
    if (end == std::string::npos) end = words.size();
    const std::string word = words.substr(begin, end - begin);
    int index = 0;
    while (index < kNumCompileLogs && word != kNames[index]) ++index;
    GB_CHECK_OR_THROW(index < kNumCompileLogs || word.empty(), ValueError,
                      .what = fmt::format("GB_LOGS: there is no log \"{}\"", word),
                      .cause = fmt::format("GB_LOGS is \"{}\"", words),
                      .repair = fmt::format("use some of: {}", fmt::join(kNames, ", ")),
                      .chapter = chapters::kCompile);
    if (!word.empty()) bits |= 1u << index;
    begin = end + 1;
  }
  return bits;
}

LogCapture::LogCapture() : outer_(t_capture) { t_capture = this; }
LogCapture::~LogCapture() { t_capture = outer_; }

std::string LogCapture::text(CompileLog log) const {
  std::string all;
  for (const LogEntry& entry : entries_) {
    if (entry.log == log) all += entry.text + "\n";
  }
  return all;
}

bool log_enabled(CompileLog log) {
  return t_capture || (enabled_by_environment() >> static_cast<int>(log) & 1u);
}

void log(CompileLog log, std::string text) {
  if (enabled_by_environment() >> static_cast<int>(log) & 1u) {
    fmt::print(stderr, "[gb:{}] {}\n", toString(log), text);
  }
  if (t_capture) t_capture->entries_.push_back({log, std::move(text)});
}

}  // namespace gb
