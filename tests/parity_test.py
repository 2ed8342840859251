"""docs/parity.tsv, PyTorch feature by feature, says of this tree only what is so.

Four columns, separated by tabs: the feature; where it is in PyTorch; where it is here, `path:Symbol`; its test, `path` or
`path:word` where the test says that word. Where the third column is "not here", the fourth is the reason.
How a test sees the whole source tree: house_rules_test.py.
"""

import pathlib
import re
import unittest

RUNFILES_ROOT = pathlib.Path(__file__).parent.parent


def says(file, word):
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", file.read_text()) is not None


def broken(root, lines):
    seen = set()
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            continue
        cells = line.split("\t")
        if len(cells) != 4 or not all(cell.strip() for cell in cells):
            yield f"{number}: not four columns"
            continue
        feature, _, here, test = cells
        if feature in seen:
            yield f"{number}: {feature} stands twice"
        seen.add(feature)
        if here == "not here":
            if "/" in test and (root / test).is_file():
                yield f"{number}: {feature}: a reason, not a test"
            continue
        path, _, symbol = here.partition(":")
        if not (root / path).is_file() or not symbol or not says(root / path, symbol):
            yield f"{number}: {feature}: {path} does not say '{symbol}'"
        path, _, word = test.partition(":")
        if not (root / path).is_file() or "test" not in path:
            yield f"{number}: {feature}: there is no test {path}"
        elif word and not says(root / path, word):
            yield f"{number}: {feature}: {path} does not say '{word}'"


class ParityTest(unittest.TestCase):
    root = (RUNFILES_ROOT / "WORKSPACE").resolve().parent

    def test_every_row_holds(self):
        lines = (self.root / "docs/parity.tsv").read_text().splitlines()
        self.assertGreater(len(lines), 100)
        found = list(broken(self.root, lines))
        self.assertEqual(found, [], "\n" + "\n".join(found))

    def test_the_check_finds_what_is_not_so(self):
        good = "x\tc10/x.h\tcore/device.h:Device\tcore/tensor_test.cc"
        for line in ("x\tc10/x.h\tcore/device.h:Device", good.replace(":Device", ":NoSuchThing"), good.replace("tensor_test", "no_test"),
                     good + ":no_such_word", good.replace("core/device.h:Device", "not here"), good.replace("core/tensor_test.cc", " ")):
            self.assertEqual(len(list(broken(self.root, [line]))), 1, line)
        self.assertEqual(len(list(broken(self.root, [good, good]))), 1)
        self.assertEqual(list(broken(self.root, ["# a comment", good, "y\tc10/y.h\tnot here\tno such thing is needed"])), [])


if __name__ == "__main__":
    unittest.main()
