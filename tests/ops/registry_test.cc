// The registry against the list of cases: an operator without a case would escape every generic test.
#include <doctest/doctest.h>

#include <set>

#include "dispatcher/dispatcher.h"
#include "tests/op_cases.h"

namespace gb::tests {
namespace {

TEST_CASE("every operator registered in aten has a case") {
  // What returns a plain number or nothing is tested beside its code, and so is what needs a device to run.
  const std::set<std::string> without{"aten::item",       "aten::_local_scalar_dense", "aten::is_pinned",
                                      "aten::pin_memory", "aten::_pin_memory",         "aten::record_stream"};
  std::set<std::string> named;
  for (const OpCase& op_case : all_op_cases()) named.insert(op_case.op);
  for (const OperatorName& name : Dispatcher::singleton().getAllOpNames()) {
    const std::string text = toString(name);
    if (name.getNamespace() != "aten" || without.count(text)) continue;
    CHECK_MESSAGE(named.count(text) == 1, text, " has no case in ops/*/cases.h");
  }
}

TEST_CASE("every case names a registered operator and fits its schema") {
  for (const OpCase& op_case : all_op_cases()) {
    CAPTURE(op_case.title());
    CHECK_NOTHROW(make_arguments(op_case, {}));
  }
}

}  // namespace
}  // namespace gb::tests
