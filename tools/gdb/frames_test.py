"""How many frames gdb lists between a call of gb::softmax(x, -1) and its CPU kernel, in a -O0 build, no gradient, both
ends not counted: in a plain `bt` of a plain gdb at most four. Prints them, and those that glassbox.py leaves.
"""

import re
import sys

from gdb_session import SETTINGS, find_gdb, said_by_gdb

MOST = 4
PROGRAM = "tape_demo_O0"  # its first softmax takes no gradient
BY_NAME = ("set print frame-arguments none", "set print frame-info short-location")
COMMANDS = (*BY_NAME, "break softmax_cpu", "run", "backtrace")
PLAIN = tuple(line for line in SETTINGS if not line.startswith("source"))


def frames_between(text):
    """Names of the frames between gb::softmax and softmax_cpu."""
    names = [m.group(1) for m in re.finditer(r"(?m)^#\d+\s+(?:0x[0-9a-f]+ in )?(.*)$", text)]
    inner = next(i for i, name in enumerate(names) if "softmax_cpu" in name)
    outer = next(i for i, name in enumerate(names) if re.match(r"gb::softmax ?\(", name))
    return names[inner + 1 : outer]


def main():
    gdb = find_gdb("frames_test")
    plain = frames_between(said_by_gdb(gdb, PROGRAM, COMMANDS, settings=PLAIN))
    filtered = frames_between(said_by_gdb(gdb, PROGRAM, COMMANDS))
    for title, names in (("a plain bt", plain), ("with glassbox.py", filtered)):
        print(f"between gb::softmax and softmax_cpu, {title}: {len(names)} frames")
        for name in names:
            print(f"  {name}")
    passed = len(plain) <= MOST and len(filtered) <= MOST
    print(f"glassbox-tests: {int(passed)} passed, {int(not passed)} failed, 0 skipped")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
