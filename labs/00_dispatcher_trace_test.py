"""Lab 00: what it writes, and that the page's solutions are what the program says.

    bazel run //labs:00_dispatcher_trace_test -- --update     records testdata/00_dispatcher_trace.golden anew

The page quotes the golden file section by section (//tests:docs_test compares), so a solution cannot go stale.
"""

import json
import os
import pathlib
import subprocess
import unittest

import dispatcher_trace_lab as lab
import lab_files

GOLDEN = pathlib.Path("labs/testdata/00_dispatcher_trace.golden")


def golden_text(run):
    sections = [("table", lab.table(run["settings"]))]
    sections += [(s["setting"], f"{lab.short(s['tree'])}\n-> {s['result']}") for s in run["settings"]]
    return "\n".join(f"== {name}\n{text}\n" for name, text in sections)


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(os.environ["TEST_TMPDIR"], "25-dispatcher-trace")
        cls.run_ = lab.write(cls.folder)

    def hops(self, name):
        return lab.hops(next(s for s in self.run_["settings"] if s["setting"] == name))

    def test_golden(self):
        self.assertEqual(golden_text(self.run_), GOLDEN.read_text())

    def test_the_report_has_every_setting_and_its_hops(self):
        text = (self.folder / "REPORT.md").read_text()
        for setting in self.run_["settings"]:
            self.assertIn(f"\n## {setting['setting']}\n", text)
            self.assertIn(lab.short(setting["tree"]), text)
        self.assertIn(lab.table(self.run_["settings"]), text)

    def test_the_chrome_trace_nests(self):
        events = [e for e in json.loads((self.folder / "trace.json").read_text())["traceEvents"] if e["ph"] == "X"]
        of_hops = {e["args"]["id"]: e for e in events if e["cat"] != "setting"}
        self.assertEqual(len(of_hops), sum(len(lab.hops(s)) for s in self.run_["settings"]))
        for event in of_hops.values():
            parent = of_hops.get(event["args"]["parent"])
            if parent is not None:  # inside it, within the rounding of the printed times
                self.assertGreaterEqual(event["ts"], parent["ts"] - 0.002)
                self.assertLessEqual(event["ts"] + event["dur"], parent["ts"] + parent["dur"] + 0.002)

    def test_the_manifest_describes_the_files(self):
        manifest = json.loads((self.folder / "manifest.json").read_text())
        self.assertEqual(sorted(f["path"] for f in manifest["files"]), ["REPORT.md", "trace.json"])
        self.assertEqual(lab_files.changed_since(self.folder), [])
        self.assertTrue(all(manifest[key] for key in ("command", "date", "git_commit", "versions")))

    # What the solutions of the page say in words.
    def test_no_grad_has_the_hops_of_grad(self):
        path = lambda name: [(h["op"], h["kind"], h["key"]) for h in self.hops(name)]
        self.assertEqual(path("no-grad"), path("grad"))

    def test_inference_mode_skips_autograd(self):
        self.assertEqual(self.hops("inference")[0]["key"], "CPU")
        self.assertFalse([h for h in self.hops("inference") if "Autograd" in h["key"]])
        passing = [h for h in self.hops("inference") if h["key"] == "ADInplaceOrView"]
        self.assertEqual([h["op"] for h in passing], ["aten::t"])
        self.assertNotIn("ADInplaceOrView", passing[0]["tls_include"])
        self.assertIn("ADInplaceOrView", passing[0]["arguments"]["self"])

    def test_casts_are_recorded(self):
        casts = [h for h in self.hops("autocast") if h["op"] == "aten::_to_copy"]
        self.assertEqual([h["key"] for h in casts], ["AutogradCPU", "CPU"] * 3)

    def test_the_mode_stands_below_autograd(self):
        mode = [h for h in self.hops("logging") if h["key"] == "Python"]
        self.assertTrue(mode)
        by_id = {h["id"]: h for h in self.hops("logging")}
        below_autograd = [h for h in mode if h["parent"] in by_id and by_id[h["parent"]]["key"] == "AutogradCPU"]
        self.assertTrue(below_autograd)

    def test_meta_takes_the_same_way_to_another_slot(self):
        ends = {h["op"]: h["key"] for h in self.hops("meta") if h["op"] == "aten::addmm"}
        self.assertEqual(ends["aten::addmm"], "Meta")

    def test_the_inside_of_a_custom_operator_is_below_autograd(self):
        kernel = next(h for h in self.hops("custom-op") if h["op"] == "lab00::softmax" and h["key"] == "CPU")
        inside = [h["key"] for h in self.hops("custom-op") if h["parent"] == kernel["id"]]
        self.assertEqual(inside, ["CPU"] * 5)

    def test_zeros_starts_at_backend_select(self):
        self.assertEqual([h["key"] for h in self.hops("zeros")[:2]], ["BackendSelect", "CPU"])

    def test_an_unknown_setting_is_refused(self):
        done = subprocess.run([lab.PROGRAM, "--only", "gard"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, "there is no setting gard\n"))


class Committed(unittest.TestCase):
    """The experiment in the tree is one that the program wrote, of the settings that it has."""

    def test_its_files_are_those_of_its_manifest(self):
        self.assertEqual(lab_files.changed_since(pathlib.Path(lab.EXPERIMENT)), [])


if __name__ == "__main__":
    lab_files.run_tests(GOLDEN, lambda: golden_text(lab.run_settings()))
