#include "compile/logs.h"

#include <doctest/doctest.h>

#include "core/error.h"

namespace gb {

TEST_CASE("GB_LOGS names logs, separated by commas") {
  CHECK(parse_logs("") == 0);
  CHECK(parse_logs("graph_code") == 1u << static_cast<int>(CompileLog::graph_code));
  CHECK(parse_logs("fusion,,cache") ==
        (1u << static_cast<int>(CompileLog::fusion) | 1u << static_cast<int>(CompileLog::cache)));
}

TEST_CASE("an unknown word in GB_LOGS is an error that lists the known ones") {
  try {
    parse_logs("fusion,output-code");
    FAIL("no error");
  } catch (const ValueError& e) {
    CHECK(e.msg().find("there is no log \"output-code\"") != std::string::npos);
    CHECK(e.msg().find("GB_LOGS is \"fusion,output-code\"") != std::string::npos);
    CHECK(e.msg().find("graph_code, fusion, output_code, guards, recompiles, cache") != std::string::npos);
  }
}

TEST_CASE("a LogCapture collects; the innermost one gets the text") {
  LogCapture outer;
  log(CompileLog::guards, "one");
  {
    LogCapture inner;
    CHECK(log_enabled(CompileLog::fusion));
    log(CompileLog::fusion, "two");
    log(CompileLog::guards, "three");
    CHECK(inner.text(CompileLog::guards) == "three\n");
    CHECK(inner.entries().size() == 2);
  }
  CHECK(outer.text(CompileLog::guards) == "one\n");
  CHECK(outer.text(CompileLog::fusion) == "");
}

}  // namespace gb
