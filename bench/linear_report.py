"""The linear ladder's part of //bench:cuda_report.

data["linear"] in cuda.json is a list of measurements, one per rung and call:
  {"op": "linear", "dtype": "float32", "m": 4096, "n": 4096, "k": 4096, "product": "forward",
   "rung": "08_warp_tile", "microseconds": 2700.0, "cublas_microseconds": 2702.2}
dtype: float32, tf32, float16, bfloat16 or float64; m, n, k: of the product itself, d is m x n; product: forward (y = x W^T:
both operands along k), dX (dY W: b along lines) or dW (dY^T X: both along lines); rung: the one that ran the call, which
is not always the one asked for; cublas_microseconds: cuBLAS in the same run, in turns with ours.
"""
import math

# What an H200's data sheet promises without sparsity, TFLOP/s: the ceilings.
PEAK = {"float32": 67, "tf32": 495, "float16": 989, "bfloat16": 989, "float64": 34}
PRODUCTS = ["forward", "dX", "dW"]
LADDER_SIZE = 4096


def tflops(row, microseconds):
    return 2 * row["m"] * row["n"] * row["k"] / microseconds * 1e-6


def ladder_table(rows):
    """Each rung's share of the ceiling for square matrices, and the same of cuBLAS."""
    square = [r for r in rows if r["m"] == r["n"] == r["k"] == LADDER_SIZE]
    columns = [(d, p) for d in PEAK for p in PRODUCTS if any(r["dtype"] == d and r["product"] == p for r in square)]
    cells = {}
    for r in square:
        column = (r["dtype"], r["product"])
        cells[r["rung"], column] = tflops(r, r["microseconds"]) / PEAK[r["dtype"]]
        cells["cublas", column] = tflops(r, r["cublas_microseconds"]) / PEAK[r["dtype"]]
    rungs = sorted({rung for rung, _ in cells} - {"cublas"}) + ["cublas"]
    lines = [f"| {LADDER_SIZE} x {LADDER_SIZE} x {LADDER_SIZE} | " + " | ".join(f"{d} {p}" for d, p in columns) + " |",
             "|---|" + "---|" * len(columns)]
    for rung in rungs:
        lines.append(f"| {rung} | " + " | ".join(
            f"{cells[rung, c]:.3f}" if (rung, c) in cells else "-" for c in columns) + " |")
    return lines


def best_of(rows):
    """The fastest rung of each call, in the order in which the calls first appear."""
    best = {}
    for r in rows:
        call = (r["dtype"], r["product"], r["m"], r["n"], r["k"])
        if call not in best or r["microseconds"] < best[call]["microseconds"]:
            best[call] = r
    return list(best.values())


def means(rows):
    """Of the fastest rung against cuBLAS: geometric mean per dtype and product, and the worst call."""
    lines = []
    speed = lambda r: r["cublas_microseconds"] / r["microseconds"]  # noqa: E731
    for dtype in PEAK:
        for product in PRODUCTS:
            some = [r for r in best_of(rows) if r["dtype"] == dtype and r["product"] == product]
            if not some:
                continue
            mean = math.exp(sum(math.log(speed(r)) for r in some) / len(some))
            worst = min(some, key=speed)
            lines.append(f"* {product} {dtype}, geometric mean of {len(some)} shapes: {mean:.2f} times cuBLAS; the least "
                         f"{speed(worst):.2f}, {worst['m']} x {worst['n']} x {worst['k']}.")
    return lines


def best_table(rows):
    lines = ["| product | m x n x k | dtype | fastest rung | microseconds | TFLOP/s | cuBLAS microseconds | cuBLAS / ours |",
             "|---|---|---|---|---|---|---|---|"]
    for r in best_of(rows):
        lines.append(f"| {r['product']} | {r['m']} x {r['n']} x {r['k']} | {r['dtype']} | {r['rung']} | {r['microseconds']:.1f} "
                     f"| {tflops(r, r['microseconds']):.1f} | {r['cublas_microseconds']:.1f} "
                     f"| {r['cublas_microseconds'] / r['microseconds']:.3f} |")
    return lines


def markdown(rows):
    return (["## linear", "", "The fastest rung of each call against cuBLAS, m x n x k of the product itself.", ""] + means(rows)
            + [""] + best_table(rows) + ["", "Share of the data sheet's arithmetic. -: the rung does not take such a call.", ""]
            + ladder_table(rows) + [""])
