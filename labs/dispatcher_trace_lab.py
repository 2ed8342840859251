"""Lab 00: runs the LM head in eight settings and writes what its trace says to experiments/25-dispatcher-trace/.

    bazel run //labs:00-dispatcher-trace                    REPORT.md, trace.json (for ui.perfetto.dev), manifest.json
    bazel run //labs:00-dispatcher-trace -- --out FOLDER    elsewhere; a relative folder is taken from the caller's

The calls are made by 00_dispatcher_trace.cc. The page is docs/en/lab/00-dispatcher-trace.md.
"""

import json
import re
import subprocess
import sys

import lab_files

PROGRAM = "labs/00_dispatcher_trace_settings"
EXPERIMENT = "experiments/25-dispatcher-trace"
COMMAND = "bazel run //labs:00-dispatcher-trace"


def run_settings():
    """{"compiler": ..., "settings": [{"setting", "what", "result", "tree", "chrome"}, ...]}"""
    return json.loads(subprocess.run([PROGRAM, "--json"], capture_output=True, text=True, check=True).stdout)


def short(tree):
    """One line per hop, no arguments, sets or source lines: "call aten::t => AutogradCPU : ..., ops/t/autograd.cc"."""
    lines = [re.sub(r"\(.* => ", " => ", line) for line in tree.splitlines()]
    return re.sub(r"\b([\w/.-]+\.(?:cc|h)):\d+", r"\1", "\n".join(lines))


def hops(setting):
    """The hops in the order of the calls."""
    return sorted((event["args"] for event in setting["chrome"]), key=lambda hop: hop["id"])


def counts(setting):
    """The row of one setting in the table of the report."""
    all_hops = hops(setting)
    parents = {hop["parent"] for hop in all_hops}
    keys = list(dict.fromkeys(hop["key"] for hop in all_hops))
    redispatches = sum("redispatch" in hop["kind"] for hop in all_hops)
    ends = sum(hop["id"] not in parents for hop in all_hops)
    return len(all_hops), len(all_hops) - redispatches, redispatches, ends, ", ".join(keys)


def table(settings):
    rows = ["setting    hops  calls  redispatches  ends  keys, in the order of their first hop"]
    for setting in settings:
        n, calls, redispatches, ends, keys = counts(setting)
        rows.append(f"{setting['setting']:<10} {n:>4}  {calls:>5}  {redispatches:>12}  {ends:>4}  {keys}")
    return "\n".join(rows)


def report(run):
    text = f"""# Where `softmax(linear(x, W, b), -1)` goes

Written by `{COMMAND}`: do not edit. The tasks are in [the lab](../../docs/en/lab/00-dispatcher-trace.md)
([en español](../../docs/es/lab/00-dispatcher-trace.md)). `trace.json` has the same hops with times: open it in
ui.perfetto.dev or chrome://tracing.

A hop is one arrival at a kernel: a *call* computes its key set from the arguments and the thread, a *redispatch* takes the set
that it is given. An *end* is a hop below which there is no other.

```text
{table(run["settings"])}
```
"""
    for setting in run["settings"]:
        called = ", ".join(hop["op"] for hop in hops(setting) if hop["depth"] == 0)
        text += f"\n## {setting['setting']}\n\nCalled {setting['what']}. From outside: {called}.\n"
        text += f"Result: {setting['result']}.\n\n```text\n{short(setting['tree'])}\n```\n"
    return text


def chrome_trace(run):
    """One track; a span per setting around the spans of its hops."""
    events = [{"name": "process_name", "ph": "M", "pid": 1, "tid": 1, "args": {"name": COMMAND}}]
    for setting in run["settings"]:
        of_it = [dict(event, pid=1, tid=1) for event in setting["chrome"]]
        start, end = min(e["ts"] for e in of_it), max(e["ts"] + e["dur"] for e in of_it)
        events.append({"name": setting["setting"], "cat": "setting", "ph": "X", "ts": start, "dur": round(end - start, 3),
                       "pid": 1, "tid": 1, "args": {"what": setting["what"], "result": setting["result"]}})
        events += of_it
    return {"displayTimeUnit": "ns", "traceEvents": events}


def write(folder):
    run = run_settings()
    events = ",\n".join(json.dumps(event) for event in chrome_trace(run)["traceEvents"])
    texts = {"REPORT.md": report(run), "trace.json": f'{{"displayTimeUnit": "ns", "traceEvents": [\n{events}\n]}}\n'}
    lab_files.write(folder, EXPERIMENT, COMMAND, {"compiler": run["compiler"]}, texts)
    return run


def main(arguments):
    folder = lab_files.folder_for(arguments, EXPERIMENT)
    if folder is None:
        print(__doc__)
        return 2
    run = write(folder)
    print(table(run["settings"]))
    print(f"\nwritten: {folder}/REPORT.md, trace.json (open it in ui.perfetto.dev), manifest.json")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
