"""I registered it, and it is not there: a linker takes from a library the objects that somebody refers to. Nobody
refers to one that only registers, so it is left out, and its static initialiser with it. Two programs of the same
sources: one links the library with alwayslink, one without.
"""

import subprocess
import sys
import unittest


def says(program):
    return subprocess.run([f"tests/confusions/{program}"], capture_output=True, text=True, check=True).stdout.strip()


class Linked(unittest.TestCase):
    def test_with_alwayslink_it_is_there(self):
        self.assertEqual(says("06_with_alwayslink"), "c6::from_afar is registered")

    def test_without_it_is_not_and_nobody_complains(self):
        self.assertEqual(says("06_without_alwayslink"), "c6::from_afar is not registered")


if __name__ == "__main__":
    result = unittest.main(argv=[sys.argv[0]], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"glassbox-tests: {result.testsRun - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)
