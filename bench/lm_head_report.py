"""The fused LM head's part of //bench:cuda_report, from the rows that cuda_lm_head.py writes."""


def goals(row):
    """What the row is held to: each figure, the least it should be, and in words."""
    us, kind, dtype = row["us"], row["kind"], row["dtype"]
    held = []
    if kind == "forward":
        held.append((row["floor_us"] / us["ours"], 0.55 if dtype == "float32" else 0.80, "of the floor"))
        if dtype != "float32":
            held.append((us["compile"] / us["ours"] if "compile" in us else None, 3.0, "times compile"))
    elif kind == "backward" and dtype == "bfloat16":
        held.append((us["eager"] / us["ours"], 3.0, "times eager"))
    elif "compile" in us:
        held.append((us["compile"] / us["ours"], 2.0, "times compile"))
    return held


def table(rows):
    lines = ["| what | dtype | rows | rung | ours, us | eager | compile | floor | goal |", "|---|---|---|---|---|---|---|---|---|"]
    for r in rows:
        time = lambda peer, r=r: f"{r['us'][peer]:.1f}" if peer in r["us"] else "-"  # noqa: E731
        floor = f"{r['floor_us']:.1f}" if "floor_us" in r else "-"
        verdict = "; ".join(f"{least} {words}: not measured" if figure is None else
                            f"{figure:.2f} {words} ({least}, {'met' if figure >= least else '**missed**'})"
                            for figure, least, words in goals(r)) or "-"
        lines.append(f"| {r['kind']} | {r['dtype']} | {r['rows']} | {r['rung']} | {time('ours')} | {time('eager')} "
                     f"| {time('compile')} | {floor} | {verdict} |")
    return lines


def memory(rows):
    """Peak memory of the loss beside the arguments, against what the logits would take."""
    megabytes = lambda r, who: f"{who} {r['peak_bytes'][who] / 1e6:.1f}"  # noqa: E731
    lines = []
    for r in rows:
        if r["kind"].startswith("loss"):
            logits = r["rows"] * 600 * (2 if r["dtype"] == "bfloat16" else 4)
            verdict = "below them, met" if r["peak_bytes"]["ours"] < logits else "**not below them**"
            lines.append(f"* {r['kind']}, {r['dtype']}, {r['rows']} rows: " + ", ".join(megabytes(r, who) for who in r["peak_bytes"])
                         + f" MB; the logits {logits / 1e6:.1f}: {verdict}.")
    return lines


RUNG_COLUMNS = [("forward", "bfloat16"), ("forward", "tf32"), ("forward", "float32"), ("backward", "bfloat16"), ("loss", "bfloat16"),
                ("loss_backward", "bfloat16")]


def rungs(data):
    """A line for each rung, short enough for a README: microseconds, and the share of the floor where memory sets it."""
    rows = data["lm_head ladder"]
    floors = {(r["kind"], r["dtype"]): r["floor_us"] for r in data["lm_head"] if "floor_us" in r and r["rows"] == 65_536}
    lines = ["| 65,536 rows, us | " + " | ".join(" ".join(c) for c in RUNG_COLUMNS) + " |", "|---|" + "---|" * len(RUNG_COLUMNS)]
    for rung in sorted({r["rung"] for r in rows}):
        cells = []
        for column in RUNG_COLUMNS:
            us = next((r["us"] for r in rows if r["rung"] == rung and (r["kind"], r["dtype"]) == column), None)
            share = f" ({floors[column] / us:.2f} of the floor)" if us and column in floors else ""
            cells.append(f"{us:.1f}{share}" if us else "-")
        lines.append(f"| {rung} | " + " | ".join(cells) + " |")
    return lines


def sums_table(rows):
    lines = ["| column sums | share of copy | torch's | error |", "|---|---|---|---|"]
    for r in rows:
        lines.append(f"| {r['rows']} x {r['cols']} {r['dtype']} | {r['share_of_copy']['ours']:.3f} "
                     f"| {r['share_of_copy']['eager']:.3f} | {r['error']:.1e} |")
    return lines


def ladder_table(rows):
    kinds = list(dict.fromkeys(r["kind"] for r in rows))
    lines = ["| 65,536 rows, us | dtype | " + " | ".join(kinds) + " |", "|---|---|" + "---|" * len(kinds)]
    cells = {(r["rung"], r["dtype"], r["kind"]): r["us"] for r in rows}
    for rung, dtype in sorted({(r["rung"], r["dtype"]) for r in rows}):
        lines.append(f"| {rung} | {dtype} | " + " | ".join(
            f"{cells[rung, dtype, k]:.1f}" if (rung, dtype, k) in cells else "-" for k in kinds) + " |")
    return lines


def markdown(data):
    lines = ["## lm_head", ""] + table(data["lm_head"]) + [""]
    lines += ["## lm_head_more", "", "Linear 64 -> 600 with softmax, or with cross-entropy; the fastest rung of each. The floor is one pass over",
              "memory at the rate of a copy; the goal in brackets. compile: torch.compile, max-autotune for the forward, its default mode",
              "for the loss.", "", "Peak memory beside the arguments:", ""]
    lines += memory(data["lm_head"]) + [""]
    if "column sums" in data:
        lines += sums_table(data["column sums"]) + [""]
    if "lm_head ladder" in data:
        lines += ladder_table(data["lm_head ladder"]) + [""]
    return lines
