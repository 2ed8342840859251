"""bazel run //tests:what_ran: each target of the last `bazel test`, its counts, and every skip with its reason.

Ends with one line, "N passed, N failed, N skipped". With --check the exit status is 1 if anything failed.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import last_run

EVENTS = "bazel-last-test.json"
# The constraint values of //third_party:BUILD, as a person would say that they are missing.
PARTS = {
    "//third_party:cuda_toolkit": "no CUDA toolkit",
    "//third_party:gdb": "no gdb",
    "//third_party:libtorch": "no LibTorch",
}


def workspace():
    """The source tree: Bazel names it to what it runs; run as a script, this file lies in it."""
    return pathlib.Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY") or pathlib.Path(__file__).resolve().parent.parent)


def read_log(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


def how_it_ran(lines):
    """(startup options, command options) with which a query sees what the run saw: its output base, .../BASE of
    .../BASE/execroot/glassbox, so that the same server answers; and what it told the repository rules."""
    startup, options = [], []
    for line in lines:
        if '"localExecRoot"' in line:
            base = pathlib.PurePath(json.loads(line)["workspaceInfo"]["localExecRoot"]).parent.parent
            startup = [f"--output_base={base}"]
        elif '"optionsParsed":{' in line:
            explicit = json.loads(line).get("optionsParsed", {}).get("explicitCmdLine", [])
            options = options or [option for option in explicit if option.startswith("--repo_env=")]
    return startup, options


def missing_parts(labels, root, lines):
    """{label: "no CUDA toolkit, no gdb"} of skipped targets. requires_*() names a part only where it is absent, so
    what a target, or anything that it depends on, names is what was missing."""
    startup, options = how_it_ran(lines)
    reasons = {}
    for part, words in PARTS.items():
        query = f"rdeps(set({' '.join(labels)}), {part}) intersect set({' '.join(labels)})"
        answer = subprocess.run(["bazel", *startup, "query", "--noshow_progress", "--keep_going", *options, query],
                                cwd=root, capture_output=True, text=True, check=False)
        for label in answer.stdout.split():
            reasons.setdefault(label, []).append(words)
    return {label: ", ".join(parts) for label, parts in reasons.items()}


def print_table(targets):
    tests = [t for t in targets.values() if t.is_test]
    shown = sorted(tests + [t for t in targets.values() if not t.is_test and t.failed], key=lambda t: t.label)
    width = max([len(t.label) for t in shown] + [6])
    print(f"{'target':{width}}  passed  failed  skipped")
    for t in shown:
        note = t.status.lower() if t.status != "PASSED" else ("from the cache" if t.cached else "")
        print(f"{t.label:{width}}  {t.passed:6}  {t.failed:6}  {t.skipped:7}  {note}".rstrip())
    libraries = sum(1 for t in targets.values() if t.status == "BUILT")
    print(f"\n{len(tests)} test targets; {libraries} other targets were built.")


def print_skips(targets, reasons):
    by_label = sorted(targets.values(), key=lambda t: t.label)
    incompatible = [t for t in by_label if t.status == "SKIPPED"]
    if incompatible:
        print("\nNot built on this machine:")
        for t in incompatible:
            kind = "" if t.is_test else " (not a test)"
            print(f"  {t.label}{kind}: {reasons.get(t.label, 'a requirement that is not one of //third_party')}")
    if any(t.skips for t in by_label):
        print("\nSkipped themselves while running:")
        for t in by_label:
            for skip in t.skips:
                print(f"  {t.label}: {skip}")


def main():
    parser = argparse.ArgumentParser(prog="what_ran", description=__doc__.splitlines()[0])
    parser.add_argument("--events", help=f"another event file than the workspace's {EVENTS}")
    parser.add_argument("--check", action="store_true", help="exit with 1 if anything failed")
    arguments = parser.parse_args()

    root = workspace()
    path = root / (arguments.events or EVENTS)
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        sys.exit(f"what_ran: {path} is not there: run `bazel test //...` first")
    targets, verdict = last_run.read_events(lines, read_log)
    skipped = [t.label for t in targets.values() if t.status == "SKIPPED"]
    reasons = missing_parts(skipped, root, lines) if skipped else {}

    print_table(targets)
    print_skips(targets, reasons)
    passed, failed, left_out = (sum(getattr(t, n) for t in targets.values()) for n in ("passed", "failed", "skipped"))
    if verdict != "SUCCESS" and failed == 0:
        failed = 1
        print(f"\nBazel itself ended with {verdict}: see its output. That counts as one failure.")
    print(f"\n{passed} passed, {failed} failed, {left_out} skipped")
    return 1 if arguments.check and failed else 0


if __name__ == "__main__":
    sys.exit(main())
