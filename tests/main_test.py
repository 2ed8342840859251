"""tests/main.cc, seen from outside: the closing line, the filter, the XML file, the shards, a binary without tests."""

import os
import pathlib
import subprocess
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).parent  # the runfiles; both binaries lie beside this file
TEMPORARY = pathlib.Path(os.environ["TEST_TMPDIR"])


def run(binary="main_fixture", *arguments, **environment):
    """(exit status, the lines of standard output) under just these environment variables."""
    done = subprocess.run([HERE / binary, *arguments], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


class MainTest(unittest.TestCase):
    def test_closing_line_counts_each_case_once(self):
        status, lines = run()
        self.assertEqual(lines[-1], "glassbox-tests: 2 passed, 2 failed, 2 skipped")
        self.assertNotEqual(status, 0)

    def test_skips_are_printed_with_case_and_reason(self):
        _, lines = run()
        self.assertIn("SKIPPED: delta skips itself: no such device", lines)
        self.assertIn("SKIPPED: zeta is marked: marked doctest::skip() in the source", lines)

    def test_filter_of_bazel_chooses_by_part_of_the_name(self):
        status, lines = run(TESTBRIDGE_TEST_ONLY="alpha")
        self.assertEqual(lines[-1], "glassbox-tests: 1 passed, 0 failed, 1 skipped")
        self.assertEqual(status, 0)

    def test_filter_with_a_star_is_doctests_own(self):
        _, lines = run(TESTBRIDGE_TEST_ONLY="*passes*subcase")
        self.assertEqual(lines[-1], "glassbox-tests: 1 passed, 0 failed, 1 skipped")

    def test_xml_file_is_junit_and_the_console_still_speaks(self):
        path = TEMPORARY / "result.xml"
        _, lines = run(XML_OUTPUT_FILE=str(path))
        suite = xml.etree.ElementTree.parse(path).getroot().find("testsuite")
        self.assertEqual(suite.get("failures"), "2")
        failed = [case.get("name") for case in suite.findall("testcase") if case.find("failure") is not None]
        self.assertEqual(failed, ["gamma fails", "epsilon fails, then skips itself"])
        self.assertTrue(any("gamma fails" in line for line in lines))

    def test_shards_run_every_case_once(self):
        passed = failed = skipped = 0
        for index in range(8):  # more shards than cases: some are empty
            status_file = TEMPORARY / f"shard_{index}"
            _, lines = run(TEST_TOTAL_SHARDS="8", TEST_SHARD_INDEX=str(index), TEST_SHARD_STATUS_FILE=str(status_file))
            words = lines[-1].split()
            passed, failed, skipped = passed + int(words[1]), failed + int(words[3]), skipped + int(words[5])
            self.assertTrue(status_file.exists())
        self.assertEqual((passed, failed, skipped), (2, 2, 2))

    def test_binary_without_test_cases_fails(self):
        status, lines = run("main_empty_fixture")
        self.assertEqual(lines[-1], "glassbox-tests: 0 passed, 0 failed, 0 skipped")
        self.assertIn("alwayslink", lines[-2])
        self.assertNotEqual(status, 0)

    def test_listing_runs_nothing_and_counts_nothing(self):
        status, lines = run("main_fixture", "--list-test-cases")
        self.assertIn("alpha passes", lines)
        self.assertFalse(any(line.startswith("glassbox-tests:") for line in lines))
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
