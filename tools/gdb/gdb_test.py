"""Runs session.gdb on the demo and compares what gdb says with session.golden, addresses and line numbers left out.

    bazel run //tools/gdb:gdb_test -- --update      records the golden file anew (look at the difference)

Also: at most four frames lie between the call of a composite operator and the CPU kernel, and gdb's hops are the
library's own (GB_TRACE=1).
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path("tools/gdb")
ENVIRONMENT = dict(os.environ, LC_ALL="C", TERM="dumb")


def session():
    gdb = shutil.which("gdb")
    if gdb is None:
        print("SKIPPED: gdb_test: no gdb on the PATH (./setup.sh installs it)")
        print("glassbox-tests: 0 passed, 0 failed, 1 skipped")
        sys.exit(0)
    # One -ex per line: in a sourced file the first command that fails would end the session, and some are to fail.
    lines = [line for line in (HERE / "session.gdb").read_text().splitlines() if line and not line.startswith("#")]
    command = [gdb, "-batch", "-nx", "-iex", "set debuginfod enabled off", "-ex", f"source {HERE / 'glassbox.py'}"]
    command += [word for line in lines for word in ("-ex", line)] + [str(HERE / "demo")]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, timeout=120)
    return done.stdout


def normalised(text):
    text = re.sub(r"0x[0-9a-f]+", "0xADDRESS", text)
    text = re.sub(r"\b([\w/]+\.(?:cc|h)):\d+", r"\1:N", text)
    text = re.sub(r"(?m)^\d+\t", "N\t", text)
    text = re.sub(r"line \d+\.", "line N.", text)
    text = re.sub(r"process \d+", "process N", text)
    text = re.sub(r"(?m)^(\[Thread debugging|Using host libthread_db|(?:.*gdb: )?warning:|Download failed).*\n", "", text)
    return text.replace(str(pathlib.Path.cwd()) + "/", "")


def frames_between(text, heading):
    """Frames of the backtrace after `heading` between demo::affine and scale_cpu, both not counted."""
    part = text.split(heading)[1].split("\n--- ")[0]
    names = [m.group(1) for m in re.finditer(r"(?m)^#\d+\s+(?:0x[0-9a-f]+ in )?(.*)$", part)]
    inner = next(i for i, name in enumerate(names) if "scale_cpu" in name)
    outer = next(i for i, name in enumerate(names) if re.match(r"gb::demo::affine[ (]", name))
    return names[inner + 1 : outer]


HOP = re.compile(r"^ *(call|redispatch)\w* ([\w:.]+).* => (\w+) : (.*)$")


def hops(text):
    """(operator, key, reason and place) of every line that is a hop."""
    return [m.groups()[1:] for m in map(HOP.match, text.splitlines()) if m]


def main():
    text = session()
    if "--update" in sys.argv:
        target = pathlib.Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]) / HERE / "session.golden"
        target.write_text(normalised(text))
        print(f"recorded {target}")
        return 0
    failed = []
    golden = (HERE / "session.golden").read_text()
    if normalised(text) != golden:
        failed.append(f"the session differs from session.golden; it said:\n{normalised(text)}")
    between = frames_between(text, "how many frames lie between")
    everything = frames_between(text, "every frame, by name only")
    print(f"between demo::affine and scale_cpu lie {len(between)} frames ({len(everything)} with the folded ones):")
    for name in between:
        print(f"  {name}")
    if len(between) > 4:
        failed.append("more than four frames lie between the call and the CPU kernel")
    traced = subprocess.run([str(HERE / "demo")], stderr=subprocess.PIPE, text=True, env=dict(ENVIRONMENT, GB_TRACE="1"))
    if hops(text) != hops(traced.stderr):
        failed.append(f"gdb's hops are not the library's own:\n{hops(text)}\n{hops(traced.stderr)}")
    for message in failed:
        print(f"FAILED: {message}")
    print(f"glassbox-tests: {3 - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
