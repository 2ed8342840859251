"""This tree keeps the house rules, and the checker finds a tree that does not.

Bazel shows a test only the files that the test names, and a glob does not cross packages, so "every file of the
repository" cannot be said in `data`. The test names one file of the root, WORKSPACE, which among its runfiles is a
link into the source tree, and follows that link. Hence its tags in BUILD: "local" (no sandbox in between) and
"external" (what it reads is not in its inputs, so its result must never come from the cache).
"""

import os
import pathlib
import unittest

import house_rules

TEMPORARY = pathlib.Path(os.environ["TEST_TMPDIR"])
RUNFILES_ROOT = pathlib.Path(__file__).parent.parent


class HouseRulesTest(unittest.TestCase):
    def test_this_tree_keeps_the_rules(self):
        root = (RUNFILES_ROOT / "WORKSPACE").resolve().parent
        self.assertTrue((root / "setup.sh").exists(), f"{root} is not the source tree")
        broken = house_rules.broken_rules(root)
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_the_checker_finds_what_it_looks_for(self):
        tree = {
            "WORKSPACE": "",
            "core/README.md": "line\n" * 61,
            "core/long.cc": "line\n" * 401,
            "core/fits.cc": "line\n" * 400,
            "core/words.txt": "TO" + "DO in a text file\n",
            "ops/add/add.h": "// TO" + "DO: add\nint AUTO" + "DOC;\n",
            "ops/README.md": "line\n" * 60,
            "nn/module.h": "",
            ".git/long.py": "line\n" * 401,
            "bazel-out/long.py": "line\n" * 401,
        }
        for name, text in tree.items():
            path = TEMPORARY / "tree" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.assertEqual(house_rules.broken_rules(TEMPORARY / "tree"), [
            "core/README.md: 61 lines, more than 60",
            "core/long.cc: 401 lines, more than 400: one concept per file",
            "ops/add/add.h:1: TO" + "DO: do it, or say it in the README under Limits",
            "nn/: no README.md (purpose, reading order, how to poke it, limits)",
        ])


if __name__ == "__main__":
    unittest.main()
