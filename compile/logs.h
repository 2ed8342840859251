// Logs: what the compiler says about each stage. GB_LOGS=graph_code,fusion,... (comma separated) prints them
// to stderr; a LogCapture collects them in the program, for tests and labs, whatever GB_LOGS says.
//
//   graph_code    the captured graph                      guards      the guards of each compiled entry
//   fusion        what was fused, what was not, and why   recompiles  which guard failed, and the count
//   output_code   the generated C++                       cache       where the library came from
//
// An unknown word in GB_LOGS is a ValueError at the first compile: a misspelt log that stays silent would
// look like "nothing happened". Names follow torch/_logging/_registrations.py.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gb {

enum class CompileLog : uint8_t { graph_code, fusion, output_code, guards, recompiles, cache };
inline constexpr int kNumCompileLogs = 6;

const char* toString(CompileLog log);

struct LogEntry {
  CompileLog log;
  std::string text;
};

// Collects all logs of this thread for a scope. Inner captures receive; outer ones wait.
class LogCapture {
 public:
  LogCapture();
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  const std::vector<LogEntry>& entries() const { return entries_; }
  std::string text(
      CompileLog log) const;  // the entries of one log, one after the other, each ending its line
  void clear() { entries_.clear(); }

 private:
  friend void log(CompileLog, std::string);
  std::vector<LogEntry> entries_;
  LogCapture* outer_;
};

// Does anybody listen? Ask before building a long text.
bool log_enabled(CompileLog log);
void log(CompileLog log, std::string text);

// "graph_code,guards" -> a bit per CompileLog. Throws ValueError naming the unknown word and the known ones.
uint32_t parse_logs(const std::string& words);

}  // namespace gb
