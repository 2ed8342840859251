#!/usr/bin/env python3
"""//bench:cuda_report: tables and drawings from what bench/cuda.py measured.

  bazel run //bench:cuda_report [-- PATH/cuda.json]

Copies the file to bench/results/cuda.json (without an argument: takes that one) and writes bench/results/cuda.md,
cuda_softmax.svg, cuda_ladder.svg and cuda_roofline.svg beside it, and the tables between the markers of the ladders'
READMEs (kernels/cuda/softmax, linear and lm_head: the latter two where the file has measurements of them).
"""
import json
import math
import os
import pathlib
import re
import shutil
import sys

import linear_report
import lm_head_report
import roofline
from drawing import COLOURS, svg, text

ROOT = pathlib.Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", pathlib.Path(__file__).resolve().parent.parent))
RESULTS = ROOT / "bench/results"
LADDER_README = ROOT / "kernels/cuda/softmax/README.md"
LINEAR_README = ROOT / "kernels/cuda/linear/README.md"
LM_HEAD_README = ROOT / "kernels/cuda/lm_head/README.md"
NAMES = {"softmax": "forward", "softmax_backward": "backward"}
# What the kernels are held to: (operator, dtype or all, from, to, least share of copy).
GOALS = [("softmax", None, 64, 1024, 0.97), ("softmax", None, 1025, 32768, 0.95), ("softmax", None, 32769, 262144, 0.90),
         ("softmax_backward", None, 1024, 32768, 0.93)]


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values))


def share(row):
    return row["gb_per_s"]["ours"] / row["gb_per_s"]["copy"]


def summary(rows):
    """Each goal: the least figure, where, and whether it is met."""
    lines = ["| goal | least | where | |", "|---|---|---|---|"]

    def add(goal, of, selected, least):
        worst = min(selected, key=of)
        met = "met" if of(worst) >= least else "**missed**"
        lines.append(f"| {goal} | {of(worst):.3f} | {worst['dtype']}, {worst['cols']} columns | {met} |")

    for op, _, first, last, least in GOALS:
        add(f"{NAMES[op]}, {first} to {last} columns: at least {least} of copy", share,
            [r for r in rows if r["op"] == op and first <= r["cols"] <= last], least)
    add("backward: at least 1.75 times torch eager", lambda r: r["gb_per_s"]["ours"] / r["gb_per_s"]["eager"],
        [r for r in rows if r["op"] == "softmax_backward"], 1.75)
    compiled = [r for r in rows if "compile" in r["gb_per_s"] and r["dtype"] == "bfloat16"]
    if compiled:
        over = lambda r: r["gb_per_s"]["ours"] / r["gb_per_s"]["compile"]  # noqa: E731
        add("forward, bfloat16: at least 0.98 times torch.compile", over, compiled, 0.98)
        add("the same from 2048 columns: at least 1.9 times", over, [r for r in compiled if r["cols"] >= 2048], 1.9)
    return lines


def means(rows):
    lines = []
    for op in NAMES:
        for dtype in ["float32", "bfloat16"]:
            some = [r for r in rows if r["op"] == op and r["dtype"] == dtype]
            peers = [p for p in some[0]["gb_per_s"] if p not in ("ours", "copy")]
            ratios = ", ".join(
                f"{geometric_mean([r['gb_per_s']['ours'] / r['gb_per_s'][p] for r in some]):.2f} times {p}" for p in peers)
            lines.append(f"* {NAMES[op]} {dtype}, geometric mean of {len(some)} shapes: "
                         f"{geometric_mean([share(r) for r in some]):.3f} of copy, {ratios}.")
    return lines


def table(rows, op):
    peers = [p for p in ("copy", "eager", "compile") if any(p in r["gb_per_s"] for r in rows if r["op"] == op)]
    lines = ["| matrix | dtype | rung | ours | " + " | ".join(peers) + " | ours / copy |",
             "|---|---|---|---|" + "---|" * len(peers) + "---|"]
    for r in rows:
        if r["op"] != op:
            continue
        rates = " | ".join(f"{r['gb_per_s'][p]:.0f}" for p in peers)
        lines.append(f"| {r['rows']} x {r['cols']} | {r['dtype']} | {r['rung']} | {r['gb_per_s']['ours']:.0f} | {rates} "
                     f"| {share(r):.3f} |")
    return lines


def ladder_table(data, op):
    copy = max(r["gb_per_s"]["copy"] for r in data["softmax"] if r["dtype"] == "float32")
    cells = {(r["rung"], r["cols"]): r["gb_per_s"] / copy for r in data["ladder"] if r["op"] == op}
    columns = sorted({cols for _, cols in cells})
    lines = [f"| {NAMES[op]}, float32 | " + " | ".join(f"{c} columns" for c in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for rung in sorted({rung for rung, _ in cells}):
        lines.append(f"| {rung} | " + " | ".join(
            f"{cells[rung, c]:.3f}" if (rung, c) in cells else "-" for c in columns) + " |")
    return lines


def error_table(errors):
    dtypes = ["float32", "bfloat16", "float16", "float64"]
    lines = ["| operator | rung | " + " | ".join(dtypes) + " |", "|---|---|" + "---|" * len(dtypes)]
    cells = {(r["op"], r["rung"], r["dtype"]): r["max_ulp"] for r in errors}
    for op, rung in dict.fromkeys((r["op"], r["rung"]) for r in errors):
        lines.append(f"| {op} | {rung} | " + " | ".join(
            f"{cells[op, rung, d]:.2f}" if (op, rung, d) in cells else "-" for d in dtypes) + " |")
    return lines


def heading(data):
    return (f"{data['card']}, driver {data['driver']}, torch {data['torch']}, CUDA {data['cuda']}, {data['date']}; "
            f"clocks at the end {data['clocks at the end']}.")


def markdown(data):
    rows = data["softmax"]
    out = ["# CUDA kernels beside torch", "", heading(data), "",
           "Matrices of 2 GB (the ladder: 512 MB), GB/s of the bytes that must move (forward 2, backward 3 times the matrix), the best of five",
           "rounds in which all take turns. copy: a device-to-device copy of the matrix. Written by `bench/cuda_report.py`.",
           "", "## goals", ""]
    out += summary(rows) + [""] + means(rows)
    if "host cost of linear, ns" in data:
        cost = data["host cost of linear, ns"]
        part = cost["ours"] / cost["torch"]
        out += [f"* One linear(2, 64 to 600) costs the host {cost['ours']:.0f} ns, LibTorch's C++ {cost['torch']:.0f} ns: {part:.3f} "
                f"(goal: at most 0.5, {'met' if part <= 0.5 else '**missed**'})."]
    for op in NAMES:
        out += ["", f"## softmax {NAMES[op]}", ""] + table(rows, op)
    if "ladder" in data:
        out += ["", "## ladder", "", "Share of the copy's rate. -: the rung does not take such rows.", ""]
        for op in NAMES:
            out += ladder_table(data, op) + [""]
    if "linear" in data:
        out += linear_report.markdown(data["linear"], data.get("linear errors", []))
    if "lm_head" in data:
        out += lm_head_report.markdown(data)
    if "errors" in data:
        out += ["## errors", "",
                "The largest error against long double, in units of the last place of the output type, over rows of 1 to 262144",
                "columns. Where numbers of like size are subtracted, the unit is that of the larger of them. log_softmax near 0 is the",
                "logarithm of a sum just above 1, in which a float has lost the digits that the logarithm would need.", ""]
        out += error_table(data["errors"])
    return "\n".join(out).rstrip() + "\n"


def softmax_drawing(rows):
    """Share of the memory's roof against row length: one panel per operator and dtype."""
    body = []
    for panel, (op, dtype) in enumerate((op, dtype) for op in NAMES for dtype in ["float32", "bfloat16"]):
        left, top, width, height = 60 + panel % 2 * 400, 40 + panel // 2 * 270, 320, 200
        some = [r for r in rows if r["op"] == op and r["dtype"] == dtype]
        x = lambda cols: left + (math.log2(cols) - 6) / 12 * width  # noqa: E731
        y = lambda part: top + height - min(part, 1.1) / 1.1 * height  # noqa: E731
        body.append(text(left + width / 2, top - 12, f"softmax {NAMES[op]}, {dtype}"))
        for part in (0, 0.25, 0.5, 0.75, 1):
            body.append(f'<path d="M{left} {y(part):.1f}h{width}" stroke="#dddddd"/>')
            body.append(text(left - 6, y(part) + 4, f"{part:.2f}", "end"))
        body.append(f'<path d="M{left} {y(1):.1f}h{width}" stroke="{COLOURS["copy"]}" stroke-dasharray="4 3"/>')
        for power in range(6, 19, 3):
            body.append(text(x(1 << power), top + height + 16, f"{1 << power}"))
        for peer in ("eager", "compile", "ours"):
            points = [(x(r["cols"]), y(r["gb_per_s"][peer] / r["gb_per_s"]["copy"])) for r in some if peer in r["gb_per_s"]]
            if points:
                body.append(f'<polyline fill="none" stroke="{COLOURS[peer]}" stroke-width="2" points="'
                            + " ".join(f"{a:.1f},{b:.1f}" for a, b in points) + '"/>')
    for i, (peer, label) in enumerate([("ours", "glassbox"), ("eager", "torch eager"), ("compile", "torch.compile"),
                                       ("copy", "a copy: the roof")]):
        body.append(f'<rect x="{120 + i * 150}" y="562" width="12" height="12" fill="{COLOURS[peer]}"/>')
        body.append(text(138 + i * 150, 572, label, "start"))
    body.append(text(400, 590, "elements in a row; share of the rate at which the same bytes are copied"))
    return svg(800, 600, body)


def ladder_drawing(data, op="softmax"):
    """Each rung's rate for rows of 1024 and of 32768 elements, under the roof."""
    copy = max(r["gb_per_s"]["copy"] for r in data["softmax"] if r["dtype"] == "float32")
    body = [text(400, 20, f"softmax {NAMES[op]}, float32: each rung under the roof ({copy:.0f} GB/s)")]
    for panel, cols in enumerate([1024, 32768]):
        rungs = [r for r in data["ladder"] if r["op"] == op and r["cols"] == cols]
        top = 50 + panel * 200
        body.append(text(20, top, f"rows of {cols}", "start"))
        for i, r in enumerate(rungs):
            part = r["gb_per_s"] / copy
            y = top + 10 + i * 19
            body.append(text(150, y + 12, r["rung"], "end"))
            body.append(f'<rect x="160" y="{y}" width="{560 * part:.0f}" height="14" fill="{COLOURS["ours"]}"/>')
            body.append(text(166 + 560 * part, y + 12, f"{part:.3f}", "start"))
        body.append(f'<path d="M720 {top}v165" stroke="{COLOURS["copy"]}" stroke-dasharray="4 3"/>')
    return svg(800, 440, body)


def fill(path, block):
    content = path.read_text()
    pattern = r"(<!-- measured: bench/cuda_report.py -->\n).*?(<!-- end -->)"
    changed, count = re.subn(pattern, lambda m: m.group(1) + block + "\n" + m.group(2), content, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"{path}: {count} places between '<!-- measured: bench/cuda_report.py -->' and '<!-- end -->', not one")
    path.write_text(changed)


def main():
    kept = RESULTS / "cuda.json"
    if len(sys.argv) > 1:
        given = pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", ".")) / sys.argv[1]
        shutil.copyfile(given, kept)
    data = json.loads(kept.read_text())
    (RESULTS / "cuda.md").write_text(markdown(data))
    (RESULTS / "cuda_softmax.svg").write_text(softmax_drawing(data["softmax"]))
    (RESULTS / "cuda_ladder.svg").write_text(ladder_drawing(data))
    fill(LADDER_README, "\n".join(ladder_table(data, "softmax")))
    written = "bench/results/cuda.md, .json, cuda_softmax.svg, cuda_ladder.svg; kernels/cuda/softmax/README.md"
    if "linear" in data:
        (RESULTS / "cuda_roofline.svg").write_text(roofline.drawing(data))
        fill(LINEAR_README, "\n".join(linear_report.ladder_table(data["linear"])))
        written += ", cuda_roofline.svg, kernels/cuda/linear/README.md"
    if "lm_head ladder" in data:
        fill(LM_HEAD_README, "\n".join(lm_head_report.rungs(data)))
        written += ", kernels/cuda/lm_head/README.md"
    print(f"written: {written}")


if __name__ == "__main__":
    main()
