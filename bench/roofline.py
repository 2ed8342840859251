"""The roofline of //bench:cuda_report: the products of a Linear and the LM head under the roofs of memory and arithmetic.

x: floating-point operations for each byte that must move (each matrix read or written once); y: TFLOP/s; both logarithmic.
The sloping roof is a copy's rate of the same run, the flat ones are the data sheet's.
"""
import math

from drawing import COLOURS, svg, text
from linear_report import PEAK, best_of, tflops

SIZE = {"float32": 4, "tf32": 4, "bfloat16": 2, "float16": 2, "float64": 8}
MARK = {"bfloat16": "circle", "tf32": "square", "float32": "diamond"}
LEFT, TOP, WIDTH, HEIGHT = 70, 50, 660, 420
X = (1, 10_000)  # FLOP per byte
Y = (1, 2000)    # TFLOP/s


def place(intensity, rate):
    along = lambda value, low, high: math.log(value / low) / math.log(high / low)  # noqa: E731
    return LEFT + along(intensity, *X) * WIDTH, TOP + HEIGHT - along(rate, *Y) * HEIGHT


def mark(shape, x, y, colour, filled):
    fill = colour if filled else "white"
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{fill}" stroke="{colour}"/>'
    if shape == "square":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{fill}" stroke="{colour}"/>'
    return f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{fill}" stroke="{colour}"/>'


def points(data):
    """(dtype, FLOP per byte, TFLOP/s, ours or cuBLAS's or eager's)."""
    for r in best_of(data["linear"]):
        m, n, k = r["m"], r["n"], r["k"]
        intensity = 2 * m * n * k / ((m * k + k * n + m * n) * SIZE[r["dtype"]])
        yield r["dtype"], intensity, tflops(r, r["cublas_microseconds"]), "copy"
        yield r["dtype"], intensity, tflops(r, r["microseconds"]), "ours"
    for r in data.get("lm_head", []):
        if r["kind"] == "forward":
            flop = 2 * r["rows"] * 64 * 600
            intensity = flop / (r["rows"] * (64 + 600) * SIZE[r["dtype"]])
            yield r["dtype"], intensity, flop / r["us"]["eager"] * 1e-6, "eager"
            yield r["dtype"], intensity, flop / r["us"]["ours"] * 1e-6, "ours"


def drawing(data):
    copy = max(r["gb_per_s"]["copy"] for r in data["softmax"]) * 1e9  # bytes per second
    body = [text(400, 24, "Linear and the LM head under the roofs of an H200")]
    for power in range(0, 5):
        x, _ = place(10**power, 1)
        body += [f'<path d="M{x:.1f} {TOP}v{HEIGHT}" stroke="#e4e4e4"/>', text(x, TOP + HEIGHT + 16, f"{10**power}")]
    for rate in (1, 10, 100, 1000):
        _, y = place(1, rate)
        body += [f'<path d="M{LEFT} {y:.1f}h{WIDTH}" stroke="#e4e4e4"/>', text(LEFT - 6, y + 4, f"{rate}", "end")]
    highest = PEAK["bfloat16"]
    (x0, y0), (x1, y1) = place(X[0], X[0] * copy * 1e-12), place(highest / (copy * 1e-12), highest)
    body.append(f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{COLOURS["copy"]}" fill="none"/>')
    body.append(text(x0 + 6, y0 - 16, f"memory: {copy * 1e-12:.2f} TB/s", "start"))
    for dtype in MARK:
        (x, y), (end, _) = place(PEAK[dtype] / (copy * 1e-12), PEAK[dtype]), place(X[1], 1)
        body.append(f'<path d="M{x:.1f} {y:.1f}H{end:.1f}" stroke="{COLOURS["copy"]}" stroke-dasharray="4 3"/>')
        body.append(text(end, y - 5, f"{dtype}: {PEAK[dtype]} TFLOP/s", "end"))
    for dtype, intensity, rate, whose in points(data):
        body.append(mark(MARK[dtype], *place(intensity, rate), COLOURS[whose], whose == "ours"))
    for i, (whose, label) in enumerate([("ours", "glassbox"), ("copy", "cuBLAS"), ("eager", "torch eager, two calls")]):
        body += [mark("circle", 90 + i * 130, 524, COLOURS[whose], whose == "ours"), text(100 + i * 130, 528, label, "start")]
    for i, (dtype, shape) in enumerate(MARK.items()):
        body += [mark(shape, 500 + i * 90, 524, "#333333", False), text(510 + i * 90, 528, dtype, "start")]
    body.append(text(400, TOP + HEIGHT + 34, "floating-point operations for each byte that must move; TFLOP/s"))
    return svg(800, 545, body)
