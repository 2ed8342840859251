"""What the last `bazel test` did, from its event file and its tests' logs. No output here: see what_ran.py.

`bazel test` writes one JSON object a line (--build_event_json_file in .bazelrc). Logs alone would not do: the log of a
test that no longer builds still lies there and still says "passed".

A doctest binary counts by its closing line (tests/main.cc). Every other test counts as one; as skipped, if it passed
and its log has a SKIPPED line.
"""

import dataclasses
import json
import re
import urllib.parse

COUNTS = re.compile(r"^glassbox-tests: (\d+) passed, (\d+) failed, (\d+) skipped$", re.MULTILINE)
SKIPPED = re.compile(r"^SKIPPED: (.*)$", re.MULTILINE)


@dataclasses.dataclass
class Target:
    """One target that the command named, and how it ended."""

    label: str
    is_test: bool
    status: str = "NO STATUS"  # Bazel's word for a test; BUILT, FAILED TO BUILD or SKIPPED for the rest
    cached: bool = False
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    skips: list = dataclasses.field(default_factory=list)  # "test case: reason", as its log says them


def counts_of_log(text):
    """(passed, failed, skipped, skip lines) of one test's log, the closing line missing: None for the counts."""
    found = COUNTS.findall(text)
    skips = SKIPPED.findall(text)
    if not found:
        return None, None, None, skips
    passed, failed, skipped = (int(n) for n in found[-1])
    return passed, failed, skipped, skips


def add_log(target, text):
    """Adds one log (of one shard) to its target."""
    passed, failed, skipped, skips = counts_of_log(text)
    target.skips += skips
    if passed is not None:
        target.passed += passed
        target.failed += failed
        target.skipped += skipped
    elif target.status in ("PASSED", "FLAKY"):
        if skips:
            target.skipped += 1
        else:
            target.passed += 1


def read_events(lines, read_log):
    """The targets by label, and Bazel's own verdict: {"//core:tensor_test": Target}, "SUCCESS".

    read_log(path) returns a log's text. An unfinished event file (Bazel was killed) has the verdict "UNFINISHED".
    """
    targets, logs, verdict = {}, {}, "UNFINISHED"
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue  # the last line of a run that was killed
        kind, key = next(iter(event["id"].items()))
        label = key.get("label") if isinstance(key, dict) else None
        if kind == "targetConfigured":
            rule = event.get("configured", {}).get("targetKind", "")
            targets[label] = Target(label, is_test=rule.endswith("_test rule"))
        elif kind == "targetCompleted":
            target = targets.setdefault(label, Target(label, is_test=False))
            if event.get("aborted", {}).get("reason") == "SKIPPED":
                target.status = "SKIPPED"
            elif not event.get("completed", {}).get("success"):
                target.status = "FAILED TO BUILD"
            elif not target.is_test:
                target.status = "BUILT"
        elif kind == "testResult":
            result = event["testResult"]
            targets[label].cached |= bool(result.get("cachedLocally"))
            # A flaky test has several attempts at a shard: the last one counts.
            for output in result.get("testActionOutput", []):
                if output["name"] == "test.log":
                    logs[label, key.get("shard")] = urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path)
        elif kind == "testSummary":
            targets[label].status = event["testSummary"]["overallStatus"].replace("_", " ")
        elif kind == "buildFinished":
            verdict = event["finished"]["exitCode"]["name"]

    for (label, _), path in sorted(logs.items(), key=str):
        add_log(targets[label], read_log(path))
    for target in targets.values():
        settle(target)
    return targets, verdict


def settle(target):
    """Makes counts and status agree: what did not pass counts, whatever its log says or does not say."""
    if target.status == "SKIPPED":
        target.skipped = 1 if target.is_test else 0
    elif target.status not in ("PASSED", "FLAKY", "BUILT") and target.failed == 0:
        target.failed = 1  # a crash, a time-out, a leak found at exit, a build failure
