"""Runs the tour as a reader would, and looks at what it prints.

    bazel run //labs:four_ways_test -- --update     records four_ways.golden anew (look at the difference)

four_ways.golden holds the part without measured numbers: the trace and the tape, source line numbers left out.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = "labs/four_ways"
GOLDEN = pathlib.Path("labs/four_ways.golden")


def run(*flags, **environment):
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as cache:
        env = dict(os.environ, GB_CACHE_DIR=cache, **environment)
        done = subprocess.run([PROGRAM, *flags], capture_output=True, text=True, env=env, timeout=300)
    return done.returncode, done.stdout, done.stderr


def trace_and_tape(text):
    part = text[text.index("The LM head") : text.index("== 2.")]
    return re.sub(r"\b([\w/]+\.(?:cc|h)):\d+", r"\1:N", part)


class Tour(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.code, cls.out, cls.err = run()

    def test_ends_well_and_in_order(self):
        self.assertEqual(self.code, 0, self.err)
        at = [self.out.index(f"== {part}.") for part in (1, 2, 3, 4)]
        self.assertEqual(at, sorted(at))

    def test_trace_and_tape_golden(self):
        self.assertEqual(trace_and_tape(self.out), GOLDEN.read_text())

    def test_the_readmes_quote_it_truly(self):
        for page in ("README.md", "README.es.md"):
            quoted = re.search(r"<!-- tour -->\n```text\n(.*?)```", pathlib.Path(page).read_text(), re.S).group(1)
            for line in quoted.splitlines():  # "..." stands for what a README line leaves out
                pattern = "(?m)^" + ".*".join(map(re.escape, line.split("...")))
                self.assertRegex(self.out, pattern, page)

    def test_linear_decomposes_and_arrives_at_the_cpu_kernel(self):
        hops = re.findall(r"(?m)^( *)(call|redispatch) (aten::\w+)\(.*=> (\w+) :", self.out)
        self.assertEqual(
            [(len(indent) // 2, kind, op, key) for indent, kind, op, key in hops],
            [
                (0, "call", "aten::linear", "AutogradCPU"),
                (1, "call", "aten::t", "AutogradCPU"),
                (2, "redispatch", "aten::t", "ADInplaceOrView"),
                (3, "redispatch", "aten::t", "CPU"),
                (1, "call", "aten::addmm", "AutogradCPU"),
                (2, "redispatch", "aten::addmm", "CPU"),
            ],
        )

    def test_gradients_within_the_bounds(self):
        rows = re.findall(r"(?m)^  (?:by hand|LibTorch) +(dx|dW|db) +(\S+) +(\S+) ", self.out)
        self.assertIn(len(rows), (3, 6))  # without and with LibTorch
        for name, largest, relative in rows:
            self.assertLessEqual(float(largest), 1e-7, name)
            self.assertLessEqual(float(relative), 2e-6, name)

    def test_custom_operator(self):
        self.assertIn("gradcheck passed: 16384 entries", self.out)
        self.assertIn("gradcheck failed: 16384 entries", self.out)
        self.assertIn("Jacobian mismatch for output 0 with respect to input 0", self.out)

    def test_compile(self):
        self.assertIn("no lowering is registered for lynx_cortex::softmax: called as a black box", self.out)
        self.assertIn("calls 2, compiles 1, recompiles 0", self.out)
        self.assertIn("size of input 0 (x) at dimension 0: expected 2, actual 4", self.out)
        self.assertIn("One loop nest: aten::addmm (bias add), aten::_softmax", self.out)
        for difference in re.findall(r"compiled against eager: max \|difference\| (\S+)", self.out):
            self.assertLessEqual(float(difference), 1e-6)


class OtherFlags(unittest.TestCase):
    def test_float64(self):
        code, out, err = run("--dtype", "float64", "--tokens", "you eat", "--seed", "7")
        self.assertEqual(code, 0, err)
        rows = re.findall(r"(?m)^  (?:by hand|LibTorch) +(?:dx|dW|db) +(\S+) ", out)
        self.assertTrue(rows)
        self.assertLessEqual(max(map(float, rows)), 1e-12)

    def test_output_code_on_request(self):
        self.assertIn("a black box, called through the dispatcher", run(GB_LOGS="output_code")[2])

    def refused(self, *flags, **environment):
        code, _, err = run(*flags, **environment)
        self.assertEqual(code, 2)
        for part in ("cause:", "repair:", "chapter:"):
            self.assertIn(part, err)
        return err

    def test_bad_input_is_refused_clearly(self):
        self.assertIn("xylophone", self.refused("--tokens", "i xylophone"))
        self.assertIn("unknown flag --tokes", self.refused("--tokes", "i eat"))
        self.assertIn("no_such_compiler", self.refused(GB_CXX="/no_such_compiler"))
        self.assertIn("two tokens", self.refused("--tokens", "i"))

    def test_no_gpu(self):
        code, _, err = run("--device", "cuda")
        if code == 0:
            self.skipTest("this machine has a GPU")
        self.assertIn("repair:", err)


def main():
    if "--update" in sys.argv:
        code, out, err = run()
        assert code == 0, err
        root = pathlib.Path(os.environ["BUILD_WORKSPACE_DIRECTORY"])
        (root / GOLDEN).write_text(trace_and_tape(out))
        return
    result = unittest.main(argv=[sys.argv[0]], exit=False, verbosity=2).result
    for test, reason in result.skipped:
        print(f"SKIPPED: {test.id()}: {reason}")
    failed = len(result.failures) + len(result.errors)
    skipped = len(result.skipped)
    print(f"glassbox-tests: {result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
