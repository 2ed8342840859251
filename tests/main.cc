// The main() of every doctest binary: what Bazel asks of a test, and the closing line of counts.
//
//  * TESTBRIDGE_TEST_ONLY (bazel test --test_filter=TEXT) becomes doctest's test-case filter;
//  * XML_OUTPUT_FILE is written as JUnit by doctest's own reporter, beside the text on the console;
//  * TEST_TOTAL_SHARDS and TEST_SHARD_INDEX (shard_count in BUILD) become doctest's first and last;
//  * the last line is "glassbox-tests: P passed, F failed, S skipped". A case that called GB_SKIP, or that
//  carries
//    doctest's skip decorator, is skipped and not passed. A binary with no test case in it fails: its tests
//    got lost.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/skip.h"

namespace gb::tests {
namespace {

// One run at a time, on one thread: doctest starts test cases one after the other.
struct Counts {
  int registered = 0, matching = 0, passed = 0, failed = 0, skipped = 0;
};
Counts counts;
std::string running_case;
bool running_case_skipped = false;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// doctest hands events to every listener, in addition to the console reporter. This one counts, and passes
// the events on to doctest's JUnit reporter where Bazel wants the file. (Chosen by --reporters=junit, the
// JUnit text would take the console's place.) The struct is visible here because this file holds doctest's
// implementation.
class BazelListener : public doctest::IReporter {
 public:
  explicit BazelListener(const doctest::ContextOptions& options) : xml_options_(options) {
    if (const std::string path = environment("XML_OUTPUT_FILE"); !path.empty()) {
      xml_file_.open(path);
      xml_options_.cout = &xml_file_;
      xml_.emplace(xml_options_);
    }
  }

  void report_query(const doctest::QueryData& data) override {
    if (data.run_stats) counts.matching = static_cast<int>(data.run_stats->numTestCasesPassingFilters);
  }
  void test_run_start() override {
    if (xml_) xml_->test_run_start();
  }
  void test_run_end(const doctest::TestRunStats& stats) override {
    counts.registered = static_cast<int>(stats.numTestCases);
    if (xml_) xml_->test_run_end(stats);
  }
  void test_case_start(const doctest::TestCaseData& data) override {
    running_case = data.m_name;
    running_case_skipped = false;
    if (xml_) xml_->test_case_start(data);
  }
  void test_case_reenter(const doctest::TestCaseData& data) override {
    if (xml_) xml_->test_case_reenter(data);
  }
  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    if (!stats.testCaseSuccess) {
      ++counts.failed;
    } else {
      ++(running_case_skipped ? counts.skipped : counts.passed);
    }
    if (xml_) xml_->test_case_end(stats);
  }
  void test_case_exception(const doctest::TestCaseException& exception) override {
    if (xml_) xml_->test_case_exception(exception);
  }
  void subcase_start(const doctest::SubcaseSignature& subcase) override {
    if (xml_) xml_->subcase_start(subcase);
  }
  void subcase_end() override {
    if (xml_) xml_->subcase_end();
  }
  void log_assert(const doctest::AssertData& data) override {
    if (xml_) xml_->log_assert(data);
  }
  void log_message(const doctest::MessageData& data) override {
    if (xml_) xml_->log_message(data);
  }
  // Called for a filtered-out case as well; only the decorator means that something was left out for good. Of
  // the shards of one test, the first reports it.
  void test_case_skipped(const doctest::TestCaseData& data) override {
    if (!data.m_skip || environment("TEST_SHARD_INDEX") > "0") return;
    running_case = data.m_name;
    record_skip("marked doctest::skip() in the source");
    ++counts.skipped;
  }

 private:
  doctest::ContextOptions xml_options_;
  std::ofstream xml_file_;
  std::optional<doctest::JUnitReporter> xml_;
};

REGISTER_LISTENER("bazel", 0, BazelListener);

// --test_filter=softmax names every case with that text in it; with a * in it, it is doctest's own wildcard.
void apply_filter(doctest::Context& context) {
  std::string filter = environment("TESTBRIDGE_TEST_ONLY");
  if (filter.empty()) return;
  if (filter.find('*') == std::string::npos) filter = "*" + filter + "*";
  context.addFilter("test-case", filter.c_str());
}

// Shard i of n runs the i-th of n equal ranges of the cases that pass the filters, counted by a first, silent
// run.
void apply_shard(doctest::Context& context, int argc, char** argv) {
  const int shards = std::atoi(environment("TEST_TOTAL_SHARDS").c_str());
  if (shards < 2) return;
  std::ofstream(
      environment("TEST_SHARD_STATUS_FILE"));  // its being there tells Bazel that sharding is understood

  std::ostringstream unread;
  std::vector<const char*> arguments(argv, argv + argc);
  arguments.push_back("--count");  // counts and runs nothing; doctest takes this one from a command line only
  doctest::Context query(static_cast<int>(arguments.size()), arguments.data());
  apply_filter(query);
  query.setCout(&unread);
  query.run();

  const int index = std::atoi(environment("TEST_SHARD_INDEX").c_str());
  const int first = counts.matching * index / shards + 1;
  const int last = counts.matching * (index + 1) / shards;
  if (last < first) context.addFilter("test-case-exclude", "*");  // more shards than cases
  context.setOption("first", first);
  context.setOption("last", last);
}

}  // namespace

void record_skip(const std::string& reason) {
  running_case_skipped = true;
  std::printf("SKIPPED: %s: %s\n", running_case.c_str(), reason.c_str());
  std::fflush(stdout);
}

}  // namespace gb::tests

int main(int argc, char** argv) {
  using gb::tests::counts;
  doctest::Context context(argc, argv);
  gb::tests::apply_filter(context);
  gb::tests::apply_shard(context, argc, argv);
  int status = context.run();
  if (context.shouldExit()) return status;  // --help, --list-test-cases and the like: nothing was run

  if (counts.registered == 0) {
    std::printf("no test case in this binary: a library of test cases needs alwayslink = True\n");
    status = EXIT_FAILURE;
  }
  std::printf("glassbox-tests: %d passed, %d failed, %d skipped\n", counts.passed, counts.failed,
              counts.skipped);
  return status;
}
