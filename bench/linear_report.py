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
    """Each rung's share of the ceiling for square matrices, and the same of cuBLAS, as it was in turns with the fastest."""
    square = [r for r in rows if r["m"] == r["n"] == r["k"] == LADDER_SIZE]
    columns = [(d, p) for d in PEAK for p in PRODUCTS if any(r["dtype"] == d and r["product"] == p for r in square)]
    cells = {}
    for r in square:
        column = (r["dtype"], r["product"])
        cells[r["rung"], column] = tflops(r, r["microseconds"]) / PEAK[r["dtype"]]
    for r in best_of([r for r in square if r["rung"] != "14_3xtf32"]):
        cells["cublas", (r["dtype"], r["product"])] = tflops(r, r["cublas_microseconds"]) / PEAK[r["dtype"]]
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


def speed(row):
    return row["cublas_microseconds"] / row["microseconds"]


def geometric_mean(rows):
    return math.exp(sum(math.log(speed(r)) for r in rows) / len(rows))


def means(rows):
    """Of the fastest rung against cuBLAS: geometric mean per dtype and product, and the worst call."""
    lines = []
    for dtype in PEAK:
        for product in PRODUCTS:
            some = [r for r in best_of(rows) if r["dtype"] == dtype and r["product"] == product]
            if not some:
                continue
            mean = geometric_mean(some)
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


# What the kernels are held to: dtype, rungs that count, products, geometric mean and least against cuBLAS.
GOALS = [("bfloat16", None, PRODUCTS, 1.00, 0.95), ("tf32", None, PRODUCTS, 1.00, 0.95), ("tf32", None, ["dW"], 1.10, None),
         ("float32", "08_warp_tile", PRODUCTS, 1.00, None), ("float32", "14_3xtf32", PRODUCTS, 2.00, None)]


def goals(rows, errors):
    """Each goal, the figures, and whether they meet it."""
    lines = ["| goal, against cuBLAS (float32: its SGEMM) | geometric mean | least | where | |", "|---|---|---|---|---|"]
    for dtype, rung, products, mean_goal, least_goal in GOALS:
        some = best_of([r for r in rows if r["dtype"] == dtype and r["product"] in products and rung in (None, r["rung"])])
        if not some:
            continue
        worst = min(some, key=speed)
        mean = geometric_mean(some)
        met = mean >= mean_goal and (least_goal is None or speed(worst) >= least_goal)
        what = f"{rung or dtype}{'' if products is PRODUCTS else ' ' + ', '.join(products)}: mean >= {mean_goal}"
        what += f", least >= {least_goal}" if least_goal else ""
        lines.append(f"| {what} | {mean:.3f} | {speed(worst):.3f} | {worst['product']} {worst['m']} x {worst['n']} x {worst['k']} "
                     f"| {'met' if met else '**missed**'} |")
    for product in PRODUCTS:
        of = {r["rung"]: r["error"] for r in errors if r["dtype"] == "float32" and r["product"] == product}
        if "14_3xtf32" in of and "cublas" in of:
            ratio = of["14_3xtf32"] / of["cublas"]
            lines.append(f"| error of 14_3xtf32, {product}: within 2 of SGEMM's | {ratio:.2f} | - | - "
                         f"| {'met' if ratio <= 2 else '**missed**'} |")
    return lines


def error_table(errors):
    """The root mean square error of each rung as a share of the result's, the largest of three shapes."""
    columns = list(dict.fromkeys((r["dtype"], r["product"]) for r in errors))
    cells = {(r["rung"], r["dtype"], r["product"]): r["error"] for r in errors}
    lines = ["| error | " + " | ".join(f"{d} {p}" for d, p in columns) + " |", "|---|" + "---|" * len(columns)]
    for rung in sorted({r["rung"] for r in errors}):
        lines.append(f"| {rung} | " + " | ".join(
            f"{cells[rung, d, p]:.1e}" if (rung, d, p) in cells else "-" for d, p in columns) + " |")
    return lines


def markdown(rows, errors):
    lines = ["## linear_goals", ""] + goals(rows, errors) + [""] + means(rows)
    lines += ["", "## linear", "", "The fastest rung of each call against cuBLAS, m x n x k of the product itself; the median of six rounds after a",
              "first, at the clocks that last.", ""] + best_table(rows)
    lines += ["", "Share of the data sheet's arithmetic. -: the rung does not take such a call.", ""] + ladder_table(rows) + [""]
    if errors:
        lines += ["Error against float64: root mean square over sampled elements, as a share of the result's; the largest of three shapes.",
                  ""] + error_table(errors) + [""]
    return lines
