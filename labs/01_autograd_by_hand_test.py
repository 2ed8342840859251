"""Lab 01: the bounds hold, what it writes is whole, and the page's solutions are what the program says.

    bazel run //labs:01_autograd_by_hand_test -- --update     records testdata/01_autograd_by_hand.golden anew
"""

import copy
import json
import os
import pathlib
import subprocess
import unittest
import xml.etree.ElementTree

import autograd_by_hand_lab as lab
import lab_files

GOLDEN = pathlib.Path("labs/testdata/01_autograd_by_hand.golden")
FILES = ["REPORT.md", "tape.dot", "tape.json", "tape.svg", "tape.txt"]


def golden_text(run):
    return f"== tape\n{run['tape']}\n== steps\n{lab.steps(run)}\n"


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(os.environ["TEST_TMPDIR"], "25-autograd-by-hand")
        cls.run_ = lab.write(cls.folder)

    def test_golden(self):
        self.assertEqual(golden_text(self.run_), GOLDEN.read_text())

    def test_every_gradient_is_within_its_bound(self):
        self.assertEqual(lab.too_far(self.run_), [])
        others = ["by hand", "LibTorch"] if self.run_["libtorch"] else ["by hand"]
        for case, bound in zip(self.run_["cases"], (1e-7, 1e-12), strict=True):
            self.assertEqual(case["bound"], bound)
            self.assertEqual([(r["against"], r["gradient"]) for r in case["rows"]],
                             [(other, name) for other in others for name in ("dz", "dx", "dW", "db")])
            self.assertEqual([r["entries"] for r in case["rows"]], [1200, 128, 38400, 600] * len(others))
            self.assertAlmostEqual(case["loss_tape"], case["loss_by_hand"], delta=1e-5)

    def test_a_wrong_gradient_is_seen(self):
        wrong = copy.deepcopy(self.run_)
        wrong["cases"][0]["rows"][0]["difference"] = 2e-7
        wrong["cases"][1]["rows"][1]["difference"] = None  # a NaN
        self.assertEqual([(r["dtype"], r["gradient"]) for r in lab.too_far(wrong)], [("float32", "dz"), ("float64", "dx")])

    # What the solutions of the page say in words.
    def test_backward_runs_in_the_order_of_the_tape(self):
        printed = [line for line in self.run_["tape"].splitlines() if not line.startswith(" ")]
        self.assertEqual(self.run_["steps"], printed)

    def test_who_saved_what(self):
        nodes = {node["name"]: node for node in self.run_["json"]["nodes"] if not node["leaf"]}
        tensors = {name: [s["name"] for s in node["saved"] if s["kind"] in ("input", "output")] for name, node in nodes.items()}
        self.assertEqual(tensors["SoftmaxBackward0"], ["result"])
        self.assertEqual(tensors["AddmmBackward0"], ["mat1", "mat2"])
        self.assertEqual(tensors["TBackward0"], [])
        self.assertEqual(tensors["MeanBackward0"], [])

    def test_the_tape_as_json(self):
        nodes = json.loads((self.folder / "tape.json").read_text())["nodes"]
        self.assertEqual([node["id"] for node in nodes], list(range(len(nodes))))
        for node in nodes:
            for edge in node["edges"]:
                if edge["to"] is not None:
                    self.assertGreater(edge["to"], node["id"])
                    self.assertLess(nodes[edge["to"]]["topological_nr"], node["topological_nr"])
        self.assertEqual([n["saved"][0]["tensor"] for n in nodes if n["leaf"]], ["b", "x", "W"])

    def test_the_drawing_is_xml(self):
        root = xml.etree.ElementTree.parse(self.folder / "tape.svg").getroot()
        words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
        for node in self.run_["json"]["nodes"]:
            self.assertTrue(any(word.startswith(node["name"]) for word in words), node["name"])

    def test_the_report_has_the_tables(self):
        text = (self.folder / "REPORT.md").read_text()
        for part in (lab.table(self.run_), lab.losses(self.run_), lab.steps(self.run_), self.run_["tape"]):
            self.assertIn(part, text)

    def test_the_manifest_describes_the_files(self):
        manifest = json.loads((self.folder / "manifest.json").read_text())
        self.assertEqual(sorted(f["path"] for f in manifest["files"]), FILES)
        self.assertEqual(lab_files.changed_since(self.folder), [])
        self.assertTrue(all(manifest[key] for key in ("command", "date", "git_commit", "versions")))

    def test_the_tape_alone(self):
        for form, name in (("text", "tape"), ("dot", "dot"), ("svg", "svg")):
            done = subprocess.run([lab.PROGRAM, "--tape", form], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, self.run_[name]), form)
        done = subprocess.run([lab.PROGRAM, "--tape", "json"], capture_output=True, text=True)
        self.assertEqual(json.loads(done.stdout), self.run_["json"])
        done = subprocess.run([lab.PROGRAM, "--tape", "pdf"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no form 'pdf'", done.stderr)


class Committed(unittest.TestCase):
    """The experiment in the tree is one that the program wrote."""

    def test_its_files_are_those_of_its_manifest(self):
        self.assertEqual(lab_files.changed_since(pathlib.Path(lab.EXPERIMENT)), [])


if __name__ == "__main__":
    lab_files.run_tests(GOLDEN, lambda: golden_text(lab.run_program()))
