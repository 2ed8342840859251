"""Lab 01: the gradients of the LM head by hand, by the tape and by LibTorch, into experiments/25-autograd-by-hand/.

    bazel run //labs:01-autograd-by-hand                    REPORT.md, the tape in four forms, manifest.json
    bazel run //labs:01-autograd-by-hand -- --out FOLDER    elsewhere; a relative folder is taken from the caller's

The numbers come from 01_autograd_by_hand.cc. The page is docs/en/lab/01-autograd-by-hand.md.
"""

import json
import subprocess
import sys

import lab_files

PROGRAM = "labs/01_autograd_by_hand_values"
EXPERIMENT = "experiments/25-autograd-by-hand"
COMMAND = "bazel run //labs:01-autograd-by-hand"


def run_program():
    return json.loads(subprocess.run([PROGRAM], capture_output=True, text=True, check=True).stdout)


def too_far(run):
    """The rows whose difference is not within the bound of their dtype."""
    return [dict(row, dtype=case["dtype"]) for case in run["cases"] for row in case["rows"]
            if row["difference"] is None or row["difference"] > case["bound"]]


def table(run):
    rows = ["dtype    against   gradient  entries  largest |a-b|  bound  at           by the tape        by the other"]
    for case in run["cases"]:
        for r in case["rows"]:
            at = f"[{r['row']}, {r['column']}]"
            rows.append(f"{case['dtype']:<8} {r['against']:<9} {r['gradient']:<8} {r['entries']:>8}  {r['difference']:>13.2e}  "
                        f"{case['bound']:.0e}  {at:<10} {r['tape']:>+17.9e} {r['other']:>+19.9e}")
    return "\n".join(rows)


def losses(run):
    rows = ["dtype    by the tape           by hand               LibTorch"]
    for case in run["cases"]:
        torch = "not installed" if case["loss_libtorch"] is None else f"{case['loss_libtorch']:.15f}"
        rows.append(f"{case['dtype']:<8} {case['loss_tape']:.15f}     {case['loss_by_hand']:.15f}     {torch}")
    return "\n".join(rows)


def steps(run):
    return "\n".join(f"{i}. {step}" for i, step in enumerate(run["steps"], 1))


def report(run):
    torch = f"LibTorch {run['libtorch']}" if run["libtorch"] else "LibTorch, which is not installed here"
    verdict = "All differences are within their bounds." if not too_far(run) else f"{len(too_far(run))} rows are above their bound."
    return f"""# The gradients of `Linear(64, 600)`, by hand

Written by `{COMMAND}`: do not edit. The tasks are in [the lab](../../docs/en/lab/01-autograd-by-hand.md)
([en español](../../docs/es/lab/01-autograd-by-hand.md)). `tape.txt`, `tape.svg`, `tape.dot` and `tape.json` are the tape below in its forms.

The head gets `x` [2, 64], `W` [600, 64] and `b` [600]; the loss is the mean of -log p[next word] over two rows. By hand: formulas derived
on paper, in Eigen. By the tape: `autograd::grad`. Against both: {torch}.

## The loss

```text
{losses(run)}
```

## The gradients

{verdict} Each row is the entry at which the two differ most.

```text
{table(run)}
```

## The tape

![the tape of the loss](tape.svg)

```text
{run["tape"].rstrip()}
```

## Backward, a node at a time

```text
{steps(run)}
```
"""


def write(folder):
    run = run_program()
    texts = {"REPORT.md": report(run), "tape.txt": run["tape"], "tape.svg": run["svg"], "tape.dot": run["dot"],
             "tape.json": json.dumps(run["json"], indent=1) + "\n"}
    versions = {"compiler": run["compiler"], "libtorch": run["libtorch"] or "not installed"}
    lab_files.write(folder, EXPERIMENT, COMMAND, versions, texts)
    return run


def main(arguments):
    folder = lab_files.folder_for(arguments, EXPERIMENT)
    if folder is None:
        print(__doc__)
        return 2
    run = write(folder)
    print(f"{losses(run)}\n\n{table(run)}\n\nwritten: {folder}/REPORT.md, the tape in four forms, manifest.json")
    for row in too_far(run):
        print(f"above the bound: {row}", file=sys.stderr)
    return 1 if too_far(run) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
