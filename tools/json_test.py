"""Everything that is said to be JSON, read by a JSON parser: gb's --json, and the traces of a threaded program."""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

GB = "tools/gb_demo"
PROGRAM = "tools/trace_demo"
CALLS = 41  # of demo::affine in the program, one of them ended by an exception


def gb(*words):
    done = subprocess.run([GB, *words], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def trace(**environment):
    """The trace of one run, from a file, and what the program printed on stderr besides."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
        path = pathlib.Path(folder, "trace")
        env = {k: v for k, v in os.environ.items() if not k.startswith("GB_")}
        done = subprocess.run([PROGRAM], capture_output=True, text=True, timeout=60,
                              env=dict(env, GB_TRACE_FILE=str(path), **environment))
        assert done.returncode == 0, done.stderr
        return path.read_text() if path.exists() else "", done.stderr


class Gb(unittest.TestCase):
    def test_ops(self):
        shift = gb("ops", "shift", "--json")
        self.assertEqual([o["op"] for o in shift], ["demo::shift_"])
        self.assertEqual(shift[0]["schema"], "demo::shift_(Tensor(a!) self, float by) -> Tensor(a!)")
        self.assertRegex(shift[0]["defined"], r"^tools/demo_ops\.cc:\d+$")
        self.assertEqual(gb("ops", "no such", "--json"), [])

    def test_table(self):
        slots = {s["key"]: s for s in gb("table", "demo::scale", "--json")["slots"]}
        self.assertEqual(slots["CPU"]["reason"], "kernel for this key")
        self.assertEqual(slots["CUDA"]["reason"], "missing")
        rules = slots["AutogradCUDA"]["rules"]
        self.assertEqual([r["decides"] for r in rules], [False] * (len(rules) - 1) + [True])
        self.assertEqual(len({s["slot"] for s in slots.values()}), len(slots))

    def test_table_with(self):
        changes = gb("table", "demo::affine", "--with", "CPU", "--json")["changes"]
        self.assertEqual([c["key"] for c in changes], ["CPU", "AutogradCPU"])
        self.assertEqual(changes[0]["before"]["reason"], "CompositeImplicitAutograd kernel")
        self.assertEqual(changes[0]["after"]["registered"], "what if")
        self.assertIn("must not decompose", changes[1]["why"])

    def test_explain(self):
        answer = gb("explain", "demo::scale", "cpu", "--json")
        self.assertEqual(answer["keyset"], ["CPU", "AutogradCPU"])
        self.assertEqual(answer["slot"]["key"], "AutogradCPU")
        self.assertEqual(gb("explain", "demo::scale", "cpu", "--inference", "--json")["slot"]["key"], "CPU")

    def test_schema(self):
        answer = gb("schema", 'f(Tensor x, str how="a \\"b\\"", int[2] n=1) -> (Tensor a, Tensor b)', "--json")
        self.assertEqual([a["name"] for a in answer["arguments"]], ["x", "how", "n"])
        self.assertEqual([a["has_default"] for a in answer["arguments"]], [False, True, True])
        self.assertEqual(answer["arguments"][2]["size"], 2)
        self.assertEqual(len(answer["returns"]), 2)


class Trace(unittest.TestCase):
    def test_json_lines(self):
        text, err = trace(GB_TRACE="json")
        self.assertEqual(err, "")
        hops = [json.loads(line) for line in text.splitlines()]
        by_id = {h["id"]: h for h in hops}
        self.assertEqual(sorted(by_id), list(range(1, len(hops) + 1)))  # each once, none lost
        for hop in hops:
            if hop["parent"] == 0:
                self.assertEqual((hop["depth"], hop["op"]), (0, "demo::affine"))
                continue
            parent = by_id[hop["parent"]]
            self.assertEqual((hop["depth"], hop["thread"]), (parent["depth"] + 1, parent["thread"]))
            self.assertLess(parent["id"], hop["id"])
        self.assertEqual(collections.Counter(h["depth"] for h in hops)[0], CALLS)
        self.assertEqual(len({h["thread"] for h in hops}), 3)
        failed = [h for h in hops if h["error"]]
        self.assertEqual([h["op"] for h in sorted(failed, key=lambda h: h["id"])],
                         ["demo::affine", "demo::scale", "demo::scale"])
        for hop in failed:
            self.assertIn("NotImplementedError: Could not run demo::scale", hop["error"])

    def test_chrome_trace(self):
        text, err = trace(GB_TRACE="chrome")
        self.assertEqual(err, "")
        events = json.loads(text)
        self.assertEqual({e["ph"] for e in events}, {"X"})
        self.assertEqual(len({e["pid"] for e in events}), 1)
        self.assertEqual(sum(e["args"]["error"] is not None for e in events), 3)
        for thread in {e["tid"] for e in events}:
            open_ = []  # (end, id) of the events around
            for e in sorted((e for e in events if e["tid"] == thread), key=lambda e: e["args"]["id"]):
                begin, end = round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)
                while open_ and open_[-1][0] <= begin:
                    open_.pop()
                if open_:
                    self.assertLessEqual(end, open_[-1][0], e)
                self.assertEqual(e["args"]["parent"], open_[-1][1] if open_ else 0)
                open_.append((end, e["args"]["id"]))

    def test_tree(self):
        for word in ("1", "tree"):
            text, err = trace(GB_TRACE=word)
            self.assertEqual(err, "")
            self.assertEqual(text.count("call demo::affine("), CALLS)
            self.assertEqual(text.count("end of "), 3)

    def test_filter(self):
        text, err = trace(GB_TRACE="json", GB_TRACE_FILTER="op=demo::s*,key=CPU")
        self.assertEqual(err, "")
        self.assertEqual({(h["op"], h["key"]) for h in map(json.loads, text.splitlines())},
                         {("demo::scale", "CPU"), ("demo::shift_", "CPU")})

    def test_settings_that_make_no_sense(self):
        text, err = trace(GB_TRACE="yes", GB_TRACE_FILTER="demo")
        self.assertIn("GB_TRACE=yes is none of 0, 1, tree, json, chrome; it is taken as tree", err)
        self.assertIn("GB_TRACE_FILTER is left out", err)
        self.assertEqual(text.count("call demo::affine("), CALLS)
        for word in ("0", ""):
            self.assertEqual(trace(GB_TRACE=word), ("", ""))

    def test_a_full_disk_does_not_end_the_program(self):
        for word in ("tree", "json", "chrome"):
            done = subprocess.run([PROGRAM], capture_output=True, text=True, timeout=60,
                                  env=dict(os.environ, GB_TRACE=word, GB_TRACE_FILE="/dev/full"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_file_that_cannot_be_written(self):
        done = subprocess.run([PROGRAM], capture_output=True, text=True, timeout=60,
                              env=dict(os.environ, GB_TRACE="chrome", GB_TRACE_FILE="/no/such/folder/trace"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("the trace goes to stderr", done.stderr)
        json.loads(done.stderr.split("\n", 1)[1])


if __name__ == "__main__":
    sys.exit(unittest.main())
