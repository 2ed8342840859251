"""Runs faults_asan and faults_tsan, one planted fault a process, and looks for what each report must say.

Places are looked up in faults.cc: the lines with the comment `fault: NAME`.
"""

import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path("kernels/cuda/simt")
THREAD = r"'thread \(\d+,0,0\)'"
RACE = r"(?s)data race.*"

# fault -> (program, what its report must match; {1}, {2} are the places of the lines `fault: NAME, 1`).
FAULTS = {
    "global_range": ("asan", [r"heap-buffer-overflow", r"WRITE of size 4(?s:.*?)#0 \S+ in global_range_kernel \S*{0}\b",
                              r"0 bytes to the right of 256-byte region"]),
    "dynamic_range": ("asan", [r"heap-buffer-overflow", r"#0 \S+ in dynamic_range_kernel \S*{0}\b",
                               r"allocated by(?s:.*)SharedMemory"]),
    "static_range": ("asan", [r"global-buffer-overflow", r"#0 \S+ in static_range_kernel<64> \S*{0}\b",
                              r"0 bytes to the right of global variable 'tile'"]),
    "row_range": ("asan", [r"{0}:\d+: runtime error: index 64 out of bounds for type 'float \[64\]'"]),
    "alignment": ("asan", [r"{0}:\d+: runtime error: .*misaligned address .* requires 16 byte alignment"]),
    "stack": ("asan", [r"stack-overflow on address", r"#0 \S+ in stack_kernel \S*faults\.cc"]),
    "race": ("tsan", [RACE + r"Write of size 4(?s:.*?)#0 race_kernel \S*{1}\b", r"read of size 4(?s:.*?)#0 race_kernel \S*{2}\b",
                      r"race_kernel\(float\*\)::race_tile' of size 256", r"'thread \(32,0,0\)'", r"'thread \(0,0,0\)'"]),
    "dynamic_race": ("tsan", [RACE + r"Write of size 4(?s:.*?)#0 dynamic_race_kernel \S*{3}\b",
                              r"#0 dynamic_race_kernel \S*{2}\b", r"heap block of size 272(?s:.*)SharedMemory", THREAD]),
    "no_fence": ("tsan", [RACE + r"Read of size 4(?s:.*?)#0 no_fence_kernel \S*{2}\b", r"#0 no_fence_kernel \S*{1}\b",
                          r"no_fence_kernel\(float\*\)::lanes'", r"'thread \(31,0,0\)'"]),
    "same_value": ("tsan", [RACE + r"Write of size 4(?s:.*?){0}\b(?s:.*?)Previous write(?s:.*?){0}\b", THREAD]),
    "static_unwritten": ("tsan", [r"kernel static_unwritten_kernel.*: a read of shared memory that this block has not written",
                                  r"{0}: thread \(37,0,0\) of block \(0,0,0\) reads 4 bytes"]),
    "from_last_block": ("tsan", [r"{0}: thread \(0,0,0\) of block \(1,0,0\) reads 4 bytes"]),
}


def places(source, fault):
    """0: the only line of the fault; 1, 2, ...: the numbered ones. As regular expressions."""
    found = {}
    for number, line in enumerate(source.splitlines(), 1):
        if m := re.search(rf"// fault: {fault}(?:, (\d))?$", line):
            found[int(m.group(1) or 0)] = rf"faults\.cc:{number}"
    return found


def said(program, fault):
    environment = dict(os.environ, TSAN_OPTIONS="halt_on_error=1")
    done = subprocess.run([str(HERE / f"faults_{program}"), fault], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env=environment, timeout=60)
    return done.returncode, done.stdout


def problems():
    source = (HERE / "faults.cc").read_text()
    for fault, (program, expected) in FAULTS.items():
        code, text = said(program, fault)
        if code == 0:
            yield f"{fault}: faults_{program} ended as if nothing were wrong:\n{text}"
        for pattern in expected:
            for number, place in places(source, fault).items():
                pattern = pattern.replace(f"{{{number}}}", place)
            if not re.search(pattern, text):
                yield f"{fault}: no match for {pattern} in:\n{text}"
    for program in ("asan", "tsan"):
        code, text = said(program, "good")
        if code != 0 or not text.endswith("no fault found\n"):
            yield f"good: faults_{program} ended with {code}:\n{text}"


def main():
    failed = list(problems())
    for message in failed:
        print(f"FAILED: {message}")
    print(f"glassbox-tests: {max(0, len(FAULTS) + 2 - len(failed))} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
