#!/usr/bin/env python3
"""What the profiler says of our kernels: ncu over requests to cuda_ours, as one table.

  python3 bench/cuda_profile.py --ours PATH/cuda_ours [--out FOLDER] [REQUEST ...]     e.g. "softmax softmax bfloat16 4194304 64 0"

A request is a line of cuda_ours after `time SUBJECT LAUNCHES` (bench/cuda_ours.cc), with its subject in front; without one,
the shapes that miss a goal. Needs ncu on a machine with a GPU. Writes cuda_profile.md into FOLDER. The profiler's runs are
slower than a benchmark's: read shares and stalls, not times.
"""
import argparse
import csv
import io
import shutil
import subprocess
import sys

# 512 MB each: several times the L2 cache, and quick to save and restore for each of the profiler's passes.
REQUESTS = ["softmax softmax bfloat16 4194304 64 0", "softmax softmax bfloat16 1048576 256 0",
            "softmax softmax bfloat16 447392 600 0", "softmax softmax float32 2097152 64 0"]
SECTIONS = ["SpeedOfLight", "MemoryWorkloadAnalysis", "ComputeWorkloadAnalysis", "SchedulerStats", "WarpStateStats",
            "LaunchStats", "Occupancy"]
# The rows of the table: (section's name or part of it, metric, label).
METRICS = [("Speed Of Light", "Duration", "duration"), ("Speed Of Light", "Memory Throughput", "memory"),
           ("Speed Of Light", "DRAM Throughput", "DRAM"), ("Speed Of Light", "Compute (SM) Throughput", "compute"),
           ("Compute Workload", "SM Busy", "multiprocessors busy"), ("Compute Workload", "Issue Slots Busy", "issue slots busy"),
           ("Scheduler", "Eligible Warps Per Scheduler", "warps ready per scheduler"),
           ("Scheduler", "Active Warps Per Scheduler", "warps there per scheduler"),
           ("Warp State", "Warp Cycles Per Issued Instruction", "cycles of a warp per instruction"),
           ("Launch", "Registers Per Thread", "registers"), ("Launch", "Block Size", "threads of a block"),
           ("Launch", "Waves Per SM", "waves"), ("Occupancy", "Achieved Occupancy", "occupancy"),
           ("Occupancy", "Theoretical Occupancy", "occupancy possible"),
           ("Occupancy", "Block Limit Registers", "blocks that registers allow")]


def profile(ncu, ours, request):
    subject, rest = request.split(" ", 1)
    # The first launch makes the matrices; the one profiled is the second.
    command = [ncu, "--clock-control", "none", "--csv", "--page", "details", "--launch-skip", "1", "--launch-count", "1"]
    for section in SECTIONS:
        command += ["--section", section]
    done = subprocess.run(command + [ours], input=f"time {subject} 1 {rest}\n", capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"cuda_profile: {request}: ncu: {done.stdout[-500:]} {done.stderr[-500:]}")
    return parse(done.stdout)


def parse(output):
    """The kernel's name, the metrics by (section, metric), and the advice of ncu's rules."""
    start = output.index('"ID"')
    rows = list(csv.DictReader(io.StringIO(output[start:])))
    metrics = {(r["Section Name"], r["Metric Name"]): f"{r['Metric Value']} {r['Metric Unit']}".strip()
               for r in rows if r.get("Metric Name")}
    advice = [r["Rule Description"] for r in rows if r.get("Rule Type") in ("OPT", "WRN") and r.get("Rule Description")]
    return rows[0]["Kernel Name"], metrics, advice


def column(metrics):
    def find(section, name):
        for (its_section, its_name), value in metrics.items():
            if section in its_section and its_name == name:
                return value
        return "-"

    return [find(section, name) for section, name, _ in METRICS]


def markdown(results):
    lines = ["| | " + " | ".join(request for request, _ in results) + " |", "|---" * (len(results) + 1) + "|"]
    columns = [column(metrics) for _, (_, metrics, _) in results]
    for i, (_, _, label) in enumerate(METRICS):
        lines.append(f"| {label} | " + " | ".join(c[i] for c in columns) + " |")
    for request, (kernel, _, advice) in results:
        lines += ["", f"**{request}**: `{kernel[:100]}`"] + [f"* {text}" for text in advice]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--ours", required=True)
    parser.add_argument("--out", default=".")
    parser.add_argument("requests", nargs="*", default=REQUESTS)
    args = parser.parse_args()
    ncu = shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin")
    if not ncu:
        sys.exit("cuda_profile: ncu is not on this machine")
    card = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"], capture_output=True,
                          text=True).stdout.strip()
    results = [(request, profile(ncu, args.ours, request)) for request in args.requests]
    text = f"# What ncu says\n\n{card}\n\n" + markdown(results)
    with open(f"{args.out}/cuda_profile.md", "w") as file:
        file.write(text)
    print(text)


if __name__ == "__main__":
    main()
