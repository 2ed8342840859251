"""last_run.py on event files written by hand: what counts as passed, failed and skipped."""

import json
import unittest

import last_run

DOCTEST_LOG = """[doctest] doctest version is "2.4.9"
SKIPPED: softmax on the device: no GPU
glassbox-tests: 3 passed, 0 failed, 1 skipped
"""


def configured(label, rule):
    return {"id": {"targetConfigured": {"label": label}}, "configured": {"targetKind": f"{rule} rule"}}


def completed(label, **how):
    return {"id": {"targetCompleted": {"label": label}}, **how}


def result(label, log, shard=1, attempt=1, **how):
    output = [{"name": "test.log", "uri": f"file:///logs/{log}"}]
    return {"id": {"testResult": {"label": label, "shard": shard, "attempt": attempt}},
            "testResult": {"testActionOutput": output, **how}}


def summary(label, status):
    return {"id": {"testSummary": {"label": label}}, "testSummary": {"overallStatus": status}}


def test(label, status, log, rule="cc_test"):
    return [configured(label, rule), completed(label, completed={"success": True}), result(label, log),
            summary(label, status)]


def finished(name):
    return {"id": {"buildFinished": {}}, "finished": {"exitCode": {"name": name}}}


def read(events, logs):
    lines = [json.dumps(event) for event in events]
    return last_run.read_events(lines, lambda path: logs[path.removeprefix("/logs/")])


def counts(target):
    return target.passed, target.failed, target.skipped


class LastRunTest(unittest.TestCase):
    def test_doctest_binary_counts_by_its_closing_line(self):
        targets, verdict = read(test("//a:t", "PASSED", "log") + [finished("SUCCESS")], {"log": DOCTEST_LOG})
        self.assertEqual(counts(targets["//a:t"]), (3, 0, 1))
        self.assertEqual(targets["//a:t"].skips, ["softmax on the device: no GPU"])
        self.assertEqual(verdict, "SUCCESS")

    def test_last_closing_line_of_a_log_counts(self):
        log = "glassbox-tests: 9 passed, 9 failed, 9 skipped\n" + DOCTEST_LOG
        targets, _ = read(test("//a:t", "PASSED", "log"), {"log": log})
        self.assertEqual(counts(targets["//a:t"]), (3, 0, 1))

    def test_shards_add_up_and_the_last_attempt_counts(self):
        events = test("//a:t", "FLAKY", "bad") + [result("//a:t", "one", attempt=2), result("//a:t", "two", shard=2)]
        logs = {
            "bad": "glassbox-tests: 0 passed, 4 failed, 0 skipped\n",
            "one": "glassbox-tests: 4 passed, 0 failed, 0 skipped\n",
            "two": "glassbox-tests: 3 passed, 0 failed, 2 skipped\n",
        }
        targets, _ = read(events, logs)
        self.assertEqual(counts(targets["//a:t"]), (7, 0, 2))

    def test_script_counts_as_one(self):
        logs = {"good": "fine\n", "bad": "not fine\n", "skip": "SKIPPED: gdb session: ptrace is forbidden\n"}
        events = (test("//a:good", "PASSED", "good", "sh_test") + test("//a:bad", "FAILED", "bad", "py_test") +
                  test("//a:skip", "PASSED", "skip", "sh_test"))
        targets, _ = read(events, logs)
        self.assertEqual(counts(targets["//a:good"]), (1, 0, 0))
        self.assertEqual(counts(targets["//a:bad"]), (0, 1, 0))
        self.assertEqual(counts(targets["//a:skip"]), (0, 0, 1))

    def test_crash_after_the_closing_line_is_a_failure(self):
        targets, _ = read(test("//a:leak", "FAILED", "log"), {"log": DOCTEST_LOG})
        self.assertEqual(counts(targets["//a:leak"]), (3, 1, 1))

    def test_timeout_without_any_line_is_a_failure(self):
        targets, _ = read(test("//a:slow", "TIMEOUT", "log"), {"log": ""})
        self.assertEqual(counts(targets["//a:slow"]), (0, 1, 0))

    def test_incompatible_target_is_skipped_and_counts_only_if_it_is_a_test(self):
        aborted = {"aborted": {"reason": "SKIPPED"}}
        events = [configured("//k:gpu_test", "cc_test"), configured("//k:gpu", "cc_library"),
                  completed("//k:gpu_test", **aborted), completed("//k:gpu", **aborted)]
        targets, _ = read(events, {})
        self.assertEqual(counts(targets["//k:gpu_test"]), (0, 0, 1))
        self.assertEqual(counts(targets["//k:gpu"]), (0, 0, 0))
        self.assertEqual(targets["//k:gpu"].status, "SKIPPED")

    def test_what_does_not_build_is_a_failure_test_or_not(self):
        events = [configured("//a:t", "cc_test"), configured("//a:lib", "cc_library"),
                  completed("//a:t", completed={}), summary("//a:t", "FAILED_TO_BUILD"),
                  completed("//a:lib", aborted={"reason": "ANALYSIS_FAILURE"}), finished("BUILD_FAILURE")]
        targets, verdict = read(events, {})
        self.assertEqual(counts(targets["//a:t"]), (0, 1, 0))
        self.assertEqual(counts(targets["//a:lib"]), (0, 1, 0))
        self.assertEqual(targets["//a:t"].status, "FAILED TO BUILD")
        self.assertEqual(verdict, "BUILD_FAILURE")

    def test_test_that_never_ran_is_a_failure_and_a_cut_file_is_unfinished(self):
        lines = [json.dumps(configured("//a:t", "cc_test")), '{"id": {"targetComp']
        targets, verdict = last_run.read_events(lines, lambda path: "")
        self.assertEqual(counts(targets["//a:t"]), (0, 1, 0))
        self.assertEqual(verdict, "UNFINISHED")


if __name__ == "__main__":
    unittest.main()
