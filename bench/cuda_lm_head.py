"""The fused LM head beside torch: eager, and torch.compile; and column sums beside a copy.

Softmax of a Linear 64 -> 600 and its backward, and the cross-entropy of one, forward and forward with backward. The floor
counts the bytes that one pass must move, at the rate of a copy measured in the same run; the peak memory is what torch's
allocator says, less what the arguments take, and of ours the outputs and scratch memory.
"""
import math

from cuda_turns import in_turns, launches_for, time_torch

IN, OUT = 64, 600
ROWS = [65_536, 262_144]
DTYPES = ["bfloat16", "tf32", "float32"]
SIZE = {"bfloat16": 2, "tf32": 4, "float32": 4}
ROUNDS = 4
# Where torch.compile takes part, and in which mode: searching for kernels takes it half a minute for each.
COMPILED = {("forward", "bfloat16", 65_536): "max-autotune-no-cudagraphs", ("forward", "bfloat16", 262_144): "max-autotune-no-cudagraphs",
            ("loss", "bfloat16", 65_536): "default", ("loss and backward", "bfloat16", 65_536): "default",
            ("loss", "tf32", 65_536): "default", ("loss and backward", "tf32", 65_536): "default"}
SUMS = [("bfloat16", 262_144, 600), ("bfloat16", 32_768, 4096), ("float32", 131_072, 600), ("float32", 16_384, 8192)]
# Numbers of a row that one pass reads and writes. The loss reads x and the target, and writes 8 bytes.
FLOOR = {"forward": IN + OUT, "backward": 2 * OUT + 2 * IN}


def copy_rate(torch):
    """Bytes per second of a device-to-device copy of 1 GB, read and written."""
    a = torch.rand(1 << 28, device="cuda")
    b = torch.empty_like(a)
    b.copy_(a)
    return 2 * a.nbytes / (min(time_torch(torch, lambda: b.copy_(a), 10) for _ in range(3)) * 1e-6)


def calls(torch, kind, dtype, rows):
    """The call by name, eager and compiled, and the bytes that it needs beside its arguments."""
    of = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    x = (torch.rand(rows, IN, device="cuda") * 2 - 1).to(of).requires_grad_()
    weight = ((torch.rand(OUT, IN, device="cuda") * 2 - 1) / 8).to(of).requires_grad_()
    bias = (torch.rand(OUT, device="cuda") * 2 - 1).to(of).requires_grad_()
    target = torch.randint(0, OUT, (rows,), device="cuda")
    leaves = [x, weight, bias]

    def softmax_of_linear(x, weight, bias):
        return torch.softmax(torch.nn.functional.linear(x, weight, bias), -1)

    def loss_of_linear(x, weight, bias):
        return torch.nn.functional.cross_entropy(torch.nn.functional.linear(x, weight, bias), target)

    forward = softmax_of_linear if kind in ("forward", "backward") else loss_of_linear
    functions = {"eager": forward}
    mode = COMPILED.get((kind, dtype, rows))
    if mode:
        import torch._functorch.config

        torch._functorch.config.donated_buffer = False  # a graph that is kept for the next backward needs its buffers
        functions["compile"] = torch.compile(forward, mode=mode, dynamic=False)
    result = {}
    for name, function in functions.items():
        if kind in ("forward", "loss"):
            def call(function=function):
                with torch.no_grad():
                    return function(*leaves)
        elif kind == "backward":
            dp = torch.rand(rows, OUT, device="cuda").to(of)
            p = function(*leaves)

            def call(p=p):
                return torch.autograd.grad(p, leaves, dp, retain_graph=True)
        else:  # the loss with its backward

            def call(function=function):
                return torch.autograd.grad(function(*leaves), leaves)
        call()
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        call()
        torch.cuda.synchronize()
        result[name] = (call, torch.cuda.max_memory_allocated() - before)
    return result


def fastest(ours, part, dtype, rows):
    """The request for the rung that is fastest in a few launches."""
    requests = [f"{part} {dtype} {rows} {IN} {OUT} {n}" for n in range(1, len(ours.rungs("lm_head")) + 1)]
    return min(requests, key=lambda request: ours.time("lm_head", request, 3)[1])


def compare(torch, ours, quick):
    rate = copy_rate(torch)
    rows_out = []
    for dtype in DTYPES:
        torch.backends.cuda.matmul.allow_tf32 = dtype == "tf32"
        for rows in ROWS[:1] if quick else ROWS:
            for kind in ["forward", "backward", "loss", "loss and backward"]:
                torch._dynamo.reset()
                peers = calls(torch, kind, dtype, rows)
                parts = ["loss", "loss_backward"] if kind == "loss and backward" else [kind]
                requests = [fastest(ours, part, dtype, rows) for part in parts]
                first = [ours.time("lm_head", request, 2) for request in requests]
                launches = launches_for(sum(us for _, us in first), 10_000)
                best = in_turns(torch, lambda: sum(ours.time("lm_head", r, launches)[1] for r in requests),
                                {name: call for name, (call, _) in peers.items()}, launches, ROUNDS)
                row = {"kind": kind, "dtype": dtype, "rows": rows, "rung": first[-1][0], "us": best,
                       "peak_bytes": {name: peak for name, (_, peak) in peers.items()}
                       | {"ours": sum(ours.bytes("lm_head", r) for r in requests)}, "copy_bytes_per_s": rate}
                if kind in FLOOR:
                    row["floor_us"] = rows * FLOOR[kind] * SIZE[dtype] / rate * 1e6
                rows_out.append(row)
                print("lm_head", kind, dtype, rows, row["rung"], {k: round(v, 1) for k, v in best.items()}, "us",
                      "floor %.1f" % row.get("floor_us", math.nan), flush=True)
                del peers
                torch.cuda.empty_cache()
    return rows_out


def column_sums(torch, ours):
    rate = copy_rate(torch)
    rows_out = []
    for dtype, rows, cols in SUMS:
        x = (torch.rand(rows, cols, device="cuda") * 2 - 1).to(getattr(torch, dtype))
        request = f"{dtype} {rows} {cols} 0"
        _, first = ours.time("column_sums", request, 2)
        launches = launches_for(first, 10_000)
        best = in_turns(torch, lambda: ours.time("column_sums", request, launches)[1], {"eager": lambda: x.sum(0)}, launches,
                        ROUNDS)
        rows_out.append({"dtype": dtype, "rows": rows, "cols": cols, "us": best,
                         "share_of_copy": {p: x.nbytes / (us * 1e-6) / rate for p, us in best.items()},
                         "error": ours.error("column_sums", request)[1]})
        print("column sums", rows_out[-1], flush=True)
    return rows_out


def ladder(ours):
    """Every rung that takes the call, 65,536 rows."""
    rows_out = []
    for kind in ["forward", "backward", "loss", "loss_backward"]:
        for dtype in DTYPES:
            for number, rung in enumerate(ours.rungs("lm_head"), 1):
                request = f"{kind} {dtype} {ROWS[0]} {IN} {OUT} {number}"
                name, first = ours.time("lm_head", request, 1)
                if name == rung:
                    us = min(ours.time("lm_head", request, launches_for(first, 5000))[1] for _ in range(2))
                    error = ours.error("lm_head", f"{kind} {dtype} 1000 {IN} {OUT} {number}")[1]
                    rows_out.append({"kind": kind, "dtype": dtype, "rung": rung, "us": us, "error": error})
    return rows_out
