"""//bench:overhead, from outside: its JSON, its flags, and the goals on instruction counts (see README.md)."""

import json
import os
import pathlib
import subprocess
import unittest

PROGRAM = pathlib.Path(__file__).parent / "overhead"
TEMPORARY = pathlib.Path(os.environ["TEST_TMPDIR"])
HAS_VALGRIND = os.access("/usr/bin/valgrind", os.X_OK)

# Goals of issue 4 that are not reached: the ratio that must not be exceeded until they are.
NOT_YET = {
    "the same, Autograd kernel that redispatches": 0.39,
    "callBoxed, new stack": 0.44,
    "empty({1})": 0.19,
    "view": 0.21,
    "add, recorded": 0.24,
    "view, recorded": 0.36,
    "forward per operator, chain of 1000 mul": 0.24,
    "backward of one mul": 0.09,
    "Function<T> apply with one mul inside": 0.27,
    "a node's own output, saved and unpacked": 0.28,
}


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def rows(name, *arguments):
    file = TEMPORARY / name
    done = run("--json", str(file), "--quick", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(file.read_text()), done.stdout


class OverheadTest(unittest.TestCase):
    def test_json_of_times(self):
        found, text = rows("times.json", "--no-count", "--filter", "view")
        self.assertEqual([row["case"] for row in found], ["view", "view, recorded"])
        for row in found:
            self.assertEqual(sorted(row), ["case", "metric", "ours", "peer", "ratio"])
            self.assertEqual(row["metric"], "ns")
            self.assertGreater(row["ours"], 0)
            self.assertAlmostEqual(row["ratio"], row["ours"] / row["peer"], delta=1e-3 * row["ratio"])
        for word in ("processor", "LibTorch", "2.11.0", "threads", "compiler"):
            self.assertIn(word, text)

    def test_bad_flags_are_refused(self):
        for arguments, part in ((["--fast"], "unknown flag --fast"), (["--json"], "--json needs a value")):
            done = run(*arguments)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(part, done.stderr)
        done = run("--no-count", "--quick", "--filter", "no-op", "--json", str(TEMPORARY / "missing" / "x.json"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot write", done.stderr)

    def test_goals_on_instruction_counts(self):
        if not HAS_VALGRIND:
            print("SKIPPED: goals_on_instruction_counts: valgrind is not installed")
            return
        found, text = rows("counts.json", "--no-time", "--where")
        print(text)
        counted = {row["case"]: row for row in found if row["metric"] == "instructions"}
        with_goals = {case: row for case, row in counted.items() if "goal" in row}
        self.assertEqual(len(with_goals), 16)
        for case, row in with_goals.items():
            with self.subTest(case=case):
                value = row["ratio"] if row["peer"] else row["ours"]
                self.assertLessEqual(value, NOT_YET.get(case, row["goal"]))
                if case not in NOT_YET:
                    self.assertIn(f"{row['goal']:.2f}  met", text)
        self.assertIn("## Where the instructions go: view", text)
        self.assertIn("| TensorIterator |", text)


if __name__ == "__main__":
    unittest.main()
