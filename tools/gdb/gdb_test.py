"""Runs sessions/NAME.gdb on a program at -O0 and at -O2, and compares what gdb says with sessions/NAME.O0.golden and
sessions/NAME.O2.golden.

    bazel run //tools/gdb:why_test -- --update      records both anew (look at the difference)

Where the library itself can say the same thing, that is compared too: hops with GB_TRACE=1, gb-why and gb-table with
explain() and dumpComputedTable(), gb-tape with format_tape().
"""

import os
import pathlib
import re
import sys

from gdb_session import HERE, LEVELS, find_gdb, normalised, said_by_gdb, said_by_program

HOP = re.compile(r"^ *(call|redispatch)\w* ([\w:.]+).* => (\w+) : (.*)$")


def hops(text):
    """(operator, key, reason and place) of every line that is a hop."""
    return [m.groups()[1:] for m in map(HOP.match, text.splitlines()) if m]


def check_hops(program, text):
    """The part with gb-trace only has all hops of the program."""
    part = text.split("--- gb-trace: without stopping\n")[1].split("\n--- ")[0]
    expected = hops(said_by_program(program, GB_TRACE="1").stderr)
    if expected and hops(part) == expected:
        return []
    return [f"gdb's hops are not the library's own:\n{hops(part)}\n{expected}"]


def check_why(program, text):
    """Every text of the library, an explanation or a table, stands in the session."""
    plain = re.sub(r"(?m)^(->|  ) (?=\w+ +[a-zA-Z])", "", text)
    blocks = [b.strip("\n") for b in said_by_program(program, "texts").stdout.split("\n\n") if b.strip()]
    missing = [b for b in blocks if b not in plain]
    if not blocks:
        return ["the library said nothing"]
    return [f"the library says, and gdb does not:\n{b}" for b in missing]


def check_tape(program, text):
    """Nodes, their order, their edges. (What a node saved is read off its members here, and may be named otherwise.)"""
    def shape(tape):
        saved = ("  saved", "  around", "    saved")  # of a node, and of the one inside of CopySlices
        lines = [line for line in tape.splitlines() if not line.startswith(saved)]
        return [re.sub(r" \(dependencies \d+\)", "", line) for line in lines]

    part = text.split("--- the tape\n")[1].split("\n--- ")[0]
    expected = said_by_program(program, "texts").stdout
    return [] if shape(part) == shape(expected) else [f"gb-tape says\n{part}\nthe library\n{expected}"]


def check_version(program, text):
    """Both ways of watching: the one that was made to do without hardware must have said so."""
    said = text.split("--- with a hardware watchpoint")[0]
    return [] if "no hardware watchpoint here" in said else ["gb-version did not say that it steps"]


CHECKS = {"hops": check_hops, "inplace": check_tape, "tape": check_tape, "version": check_version, "why": check_why}


def main():
    session, program = sys.argv[1:3]
    gdb = find_gdb(f"{session}_test")
    lines = (HERE / "sessions" / f"{session}.gdb").read_text().splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    failed, run = [], 0
    for level in LEVELS:
        name = f"{program}_{level}"
        text = said_by_gdb(gdb, name, commands)
        golden = HERE / "sessions" / f"{session}.{level}.golden"
        if "--update" in sys.argv:
            target = pathlib.Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]) / golden
            target.write_text(normalised(text))
            print(f"recorded {target}")
            continue
        run += 1
        if normalised(text) != golden.read_text():
            failed.append(f"{level}: the session differs from {golden}; it said:\n{normalised(text)}")
        if session in CHECKS:
            run += 1
            failed += [f"{level}: {message}" for message in CHECKS[session](name, text)][:1]
    for message in failed:
        print(f"FAILED: {message}")
    print(f"glassbox-tests: {run - len(failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
