"""The products of a Linear beside cuBLAS through torch: forward (with bias), dX and dW, in bfloat16, TF32 and float32.

Ours and torch's take turns in batches of 40 ms; the median of six rounds after a first one is what lasts, for these
products draw so much power that the card lowers its clocks. The matrices rotate, so that neither side finds its input in
the L2 cache. FLOP/s count 2 rows in out for each product.
"""
from cuda_turns import in_turns, launches_for, sustained

SHAPES = [(4096, 4096, 4096), (8192, 8192, 8192), (8192, 768, 50304), (4096, 4096, 11008)]  # rows, in, out
QUICK = [(4096, 4096, 4096)]
PRODUCTS = ["forward", "dX", "dW"]
DTYPES = ["bfloat16", "tf32", "float32"]
LADDER_SHAPE = (4096, 4096, 4096)
TOP = ("08", "13", "14")  # these are timed on all shapes
ERROR_SHAPES = [(1024, 4096, 1024), (1000, 64, 600), (333, 4100, 77)]
ROUNDS = 7
BATCH = 40_000  # microseconds
ROTATED = 256 << 20  # bytes of all sets of matrices


def peer(torch, product, dtype, shape):
    """A call of torch for the product, on the next set of matrices each time."""
    rows, ins, outs = shape
    kind = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    one = (rows * ins + ins * outs + rows * outs) * (2 if dtype == "bfloat16" else 4)
    sets = []
    for _ in range(max(1, min(64, -(-ROTATED // one)))):
        uniform = lambda *size: (torch.rand(*size, device="cuda") * 2 - 1).to(kind)  # noqa: E731
        sets.append((uniform(rows, ins), uniform(outs, ins), uniform(outs), uniform(rows, outs)))
    turn = [0]

    def call():
        x, weight, bias, dy = sets[turn[0] % len(sets)]
        turn[0] += 1
        if product == "forward":
            return torch.nn.functional.linear(x, weight, bias)
        return dy @ weight if product == "dX" else dy.t() @ x

    return call


def set_precision(torch, dtype):
    torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False  # sums in float32, as ours


def sizes(product, rows, ins, outs):
    """m, n, k of the product itself."""
    return {"forward": (rows, outs, ins), "dX": (rows, ins, outs), "dW": (outs, ins, rows)}[product]


def compare(torch, ours, quick, ladder):
    """A row for each rung and product (their form: linear_report.py): the top rungs, and for 4096^3 with `ladder` all."""
    rows_out = []
    for dtype in DTYPES:
        set_precision(torch, dtype)
        for shape in QUICK if quick else SHAPES:
            rows, ins, outs = shape
            for product in PRODUCTS:
                call = peer(torch, product, dtype, shape)
                call()
                m, n, k = sizes(product, *shape)
                for number, rung in enumerate(ours.rungs("linear"), 1):
                    if rung == "cublas" or (rung[:2] not in TOP and not (ladder and shape == LADDER_SHAPE)):
                        continue
                    request = f"{product} {dtype} {rows} {ins} {outs} {number}"
                    name, first = ours.time("linear", request, 1)
                    if name != rung:
                        continue  # does not take the product: a lower one ran
                    rounds = ROUNDS if rung[:2] in TOP else 3 if first < BATCH else 1
                    launches = launches_for(first, BATCH) if first < BATCH else 1
                    best = in_turns(torch, lambda: ours.time("linear", request, launches)[1], {"cublas": call}, launches,
                                    rounds, sustained)
                    rows_out.append({"op": "linear", "dtype": dtype, "m": m, "n": n, "k": k, "product": product,
                                     "rung": rung, "microseconds": best["ours"],
                                     "cublas_microseconds": best["cublas"]})
                    rate = {p: round(2e-6 * m * n * k / us, 1) for p, us in best.items()}
                    print("linear", product, dtype, f"{m}x{n}x{k}", rung, rate, "TFLOP/s", flush=True)
                del call
                torch.cuda.empty_cache()
    return rows_out


def errors(ours):
    """The error of every rung against float64, as a share of the result: the root mean square over sampled elements."""
    rows_out = []
    for dtype in DTYPES + ["float16"]:
        for product in PRODUCTS:
            for number, rung in enumerate(ours.rungs("linear"), 1):
                worst, shapes = 0.0, 0
                for rows, ins, outs in ERROR_SHAPES:
                    name, error = ours.error("linear", f"{product} {dtype} {rows} {ins} {outs} {number}")
                    if name == rung:
                        worst, shapes = max(worst, error), shapes + 1
                if shapes:
                    rows_out.append({"product": product, "dtype": dtype, "rung": rung, "error": worst,
                                     "shapes": shapes})
    return rows_out
