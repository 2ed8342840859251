#!/usr/bin/env python3
"""//bench:cuda: our CUDA kernels beside torch eager, torch.compile and a device copy, on one GPU.

Softmax; cuda_linear.py has the products of a Linear, cuda_lm_head.py the fused LM head. The peers take turns: for each
case ours, copy, eager and compile run one batch each, then again, five rounds; the best round of each counts. Matrices of
2 GB: far more than the 60 MB of L2 cache, so that memory is what is measured. Bytes are what must move: forward reads and
writes the matrix once, backward reads two and writes one.

  python3 bench/cuda.py --ours PATH/cuda_ours [--out FOLDER] [--quick] [--cols 64,128] [--no-compile] [--ladder] [--errors]
                        [--only softmax|linear|lm_head] [--host PATH/cuda_host_ours]

Needs torch 2.x on a machine with a GPU; writes cuda.json into FOLDER. bench/cuda_report.py makes the tables and
drawings from it, on any machine.
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cuda_linear
import cuda_lm_head
from cuda_turns import Ours, in_turns, launches_for

MATRIX_BYTES = 1 << 31
ROUNDS = 5
COLS = [64, 128, 256, 600, 1000, 1024, 2048, 2049, 4096, 4097, 8192, 9217, 16384, 32768, 50257, 65536, 131072, 262144]
LADDER_BYTES = 1 << 29
LADDER_COLS = [64, 600, 1024, 4096, 32768, 262144]
ERROR_COLS = [1, 7, 64, 600, 1024, 4097, 32768, 50257, 262144]
SIZE = {"float32": 4, "bfloat16": 2, "float16": 2, "float64": 8}


def peers_of(torch, op, x, y, dy, compiled):
    """Calls that do what `op` does, by name."""
    if op == "softmax":
        peers = {"eager": lambda: torch.softmax(x, -1)}
        if compiled:
            peers["compile"] = lambda: compiled(x)
    else:
        peers = {"eager": lambda: torch._softmax_backward_data(dy, y, -1, x.dtype)}
    return peers


def compare(torch, ours, lengths, with_compile):
    import torch._dynamo

    torch._dynamo.config.recompile_limit = 1000
    torch._dynamo.config.accumulated_recompile_limit = 1000
    rows_out = []
    for dtype in ["float32", "bfloat16"]:
        elements = MATRIX_BYTES // SIZE[dtype]
        x_all = (torch.rand(elements, device="cuda", dtype=torch.float32) * 16 - 8).to(getattr(torch, dtype))
        dy_all = torch.rand(elements, device="cuda", dtype=torch.float32).to(getattr(torch, dtype))
        for cols in lengths:
            rows = elements // cols
            x, dy = x_all[: rows * cols].view(rows, cols), dy_all[: rows * cols].view(rows, cols)
            y = torch.softmax(x, -1)
            copied = torch.empty_like(x)
            compiled = None
            if with_compile:
                torch._dynamo.reset()
                compiled = torch.compile(lambda t: torch.softmax(t, -1), dynamic=False)
                compiled(x)
            for op in ["softmax", "softmax_backward"]:
                peers = {"copy": lambda: copied.copy_(x), **peers_of(torch, op, x, y, dy, compiled)}
                for call in peers.values():
                    call()
                torch.cuda.synchronize()
                request = f"{op} {dtype} {rows} {cols} 0"
                name, first = ours.time("softmax", request, 3)
                launches = launches_for(first)
                best = in_turns(torch, lambda: ours.time("softmax", request, launches)[1], peers, launches, ROUNDS)
                moved = rows * cols * SIZE[dtype]
                rate = {peer: moved * (2 if peer == "copy" or op == "softmax" else 3) / us / 1e3
                        for peer, us in best.items()}
                rows_out.append({"op": op, "dtype": dtype, "rows": rows, "cols": cols, "rung": name,
                                 "us": best, "gb_per_s": rate})
                print(op, dtype, f"{rows}x{cols}", name,
                      " ".join(f"{peer} {value:.0f}" for peer, value in rate.items()), "GB/s", flush=True)
            del y, copied, compiled
    return rows_out


def ladder(ours):
    """Every rung on some row lengths, float32: what each step of the ladder brings."""
    rows_out = []
    for op in ["softmax", "softmax_backward"]:
        for cols in LADDER_COLS:
            rows = LADDER_BYTES // 4 // cols
            for number, rung in enumerate(ours.rungs("softmax"), 1):
                request = f"{op} float32 {rows} {cols} {number}"
                name, first = ours.time("softmax", request, 1)
                if name != rung:
                    continue  # does not take the shape: a lower one ran
                launches = launches_for(first)
                us = min(ours.time("softmax", request, launches)[1] for _ in range(3))
                rows_out.append({"op": op, "cols": cols, "rung": rung, "us": us,
                                 "gb_per_s": rows * cols * 4 * (2 if op == "softmax" else 3) / us / 1e3})
    return rows_out


def errors(ours):
    rows_out = []
    for op in ["softmax", "log_softmax", "softmax_backward", "log_softmax_backward"]:
        for dtype in ["float32", "bfloat16", "float16", "float64"]:
            for number, rung in enumerate(ours.rungs("softmax"), 1):
                worst, shapes = 0.0, 0
                for cols in ERROR_COLS:
                    name, ulp = ours.error("softmax", f"{op} {dtype} 133 {cols} {number}")
                    if name == rung:
                        worst, shapes = max(worst, ulp), shapes + 1
                if shapes:
                    rows_out.append({"op": op, "dtype": dtype, "rung": rung, "max_ulp": worst, "shapes": shapes})
    # More than 2^31 elements: 2,200,000 rows of 1000 bfloat16, 4.4 GB; sampled rows.
    for number, rung in enumerate(ours.rungs("softmax"), 1):
        name, ulp = ours.error("softmax", f"softmax bfloat16 2200000 1000 {number}")
        if name == rung:
            rows_out.append({"op": "softmax, 2.2e9 elements", "dtype": "bfloat16", "rung": rung, "max_ulp": ulp,
                             "shapes": 1})
    return rows_out


def host_cost(torch, program):
    """Nanoseconds of one linear on the host, ours and LibTorch's C++, in turns."""
    root = pathlib.Path(__file__).resolve().parent.parent
    home = pathlib.Path(torch.__file__).parent
    libraries = [home / "lib", *home.parent.glob("nvidia/*/lib")]
    with tempfile.TemporaryDirectory() as folder:
        theirs = f"{folder}/cuda_host_torch"
        subprocess.run(["g++", "-std=c++20", "-O2", "-DNDEBUG", f"-I{root}", f"-isystem{home}/include",
                        f"-isystem{home}/include/torch/csrc/api/include",
                        str(root / "bench/cuda_host_torch.cc"), "-o", theirs, f"-L{home}/lib", "-Wl,--no-as-needed",
                        "-ltorch", "-ltorch_cpu", "-ltorch_cuda", "-lc10", "-lc10_cuda",
                        "-Wl,--unresolved-symbols=ignore-in-shared-libs"], check=True)
        environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, libraries)) + ":" + os.environ.get("LD_LIBRARY_PATH", "")}
        run = lambda path: float(subprocess.run([path], env=environment, check=True, capture_output=True, text=True).stdout)  # noqa: E731
        rounds = [(run(program), run(theirs)) for _ in range(8)]
    return {"ours": min(ours for ours, _ in rounds), "torch": min(torch for _, torch in rounds)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ours", required=True)
    parser.add_argument("--out", default=".")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--cols", type=lambda text: [int(n) for n in text.split(",")],
                        help="softmax: these row lengths only; others stay as cuda.json has them")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--ladder", action="store_true", help="also every rung on some row lengths")
    parser.add_argument("--errors", action="store_true", help="also the largest error of every rung")
    parser.add_argument("--only", choices=["softmax", "linear", "lm_head"])
    parser.add_argument("--host", help="our program for the host cost of a linear; torch's is compiled here")
    args = parser.parse_args()
    try:
        import torch
    except ImportError:
        sys.exit("bench/cuda.py: needs torch on a machine with a GPU")
    if not torch.cuda.is_available():
        sys.exit("bench/cuda.py: torch sees no GPU")
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                            capture_output=True, text=True).stdout.strip()
    written = pathlib.Path(args.out, "cuda.json")
    result = json.loads(written.read_text()) if written.exists() else {}  # of other parts, by --only
    result |= {"card": torch.cuda.get_device_name(0), "driver": driver, "torch": torch.__version__,
              "cuda": torch.version.cuda, "date": datetime.date.today().isoformat()}
    ours = Ours(args.ours)

    def write():  # after each step: what was measured is kept if the next one fails
        written.write_text(json.dumps(result, indent=1))

    if args.only in (None, "softmax"):
        kept = [r for r in result.get("softmax", []) if args.cols and r["cols"] not in args.cols]
        rows = kept + compare(torch, ours, args.cols or ([64, 1024, 4096] if args.quick else COLS), not args.no_compile)
        result["softmax"] = sorted(rows, key=lambda r: (r["dtype"] != "float32", r["cols"], r["op"]))
        if args.ladder:
            result["ladder"] = ladder(ours)
        if args.errors:
            result["errors"] = errors(ours)
        write()
    if args.only in (None, "linear"):
        result["linear"] = cuda_linear.compare(torch, ours, args.quick, args.ladder)
        if args.errors:
            result["linear errors"] = cuda_linear.errors(ours)
        write()
    if args.only in (None, "lm_head"):
        result["lm_head"] = cuda_lm_head.compare(torch, ours, args.quick)
        result["column sums"] = cuda_lm_head.column_sums(torch, ours)
        write()
        if args.ladder:
            result["lm_head ladder"] = cuda_lm_head.ladder(ours)
        write()
    if args.host:
        result["host cost of linear, ns"] = host_cost(torch, args.host)
    clocks = subprocess.run(["nvidia-smi", "--query-gpu=clocks.sm,clocks.mem", "--format=csv,noheader"],
                            capture_output=True, text=True).stdout.strip()
    result["clocks at the end"] = clocks
    write()
    print("written:", written)


if __name__ == "__main__":
    main()
