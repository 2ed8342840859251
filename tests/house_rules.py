"""The house rules that a program can check, over a source tree. house_rules_test.py applies them to this one."""

import os
import pathlib
import re

SOURCE_SUFFIXES = {".h", ".cc", ".cu", ".cuh", ".inc", ".py", ".bzl", ".sh"}
SOURCE_NAMES = {"BUILD", "WORKSPACE"}
MAX_SOURCE_LINES = 400
MAX_README_LINES = 60
LEFTOVER = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")  # in two halves, or this file would break its own rule
NOT_OURS = ("__pycache__", "minigpt.out")  # what programs write here; git ignores both


def files(root):
    """Every file of the tree, relative to it. Hidden folders and Bazel's links are not part of it."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "bazel-")) and f not in NOT_OURS)
        for name in sorted(names):
            yield (pathlib.Path(folder) / name).relative_to(root)


def broken_rules(root):
    """One line for each place that breaks a rule, in the order of the paths."""
    root = pathlib.Path(root)
    found = []
    top_folders, readmes = set(), set()
    for path in files(root):
        if len(path.parts) > 1:
            top_folders.add(path.parts[0])
        if path.name == "README.md" and len(path.parts) > 1:
            readmes.add(path)
        is_source = path.suffix in SOURCE_SUFFIXES or path.name in SOURCE_NAMES
        if not is_source and path.name != "README.md":
            continue
        lines = (root / path).read_text(errors="replace").splitlines()
        if is_source:
            if len(lines) > MAX_SOURCE_LINES:
                found.append(f"{path}: {len(lines)} lines, more than {MAX_SOURCE_LINES}: one concept per file")
            for number, line in enumerate(lines, 1):
                if word := LEFTOVER.search(line):
                    found.append(f"{path}:{number}: {word.group()}: do it, or say it in the README under Limits")
        elif path in readmes and len(lines) > MAX_README_LINES:
            found.append(f"{path}: {len(lines)} lines, more than {MAX_README_LINES}")
    for folder in sorted(top_folders):
        if pathlib.Path(folder, "README.md") not in readmes:
            found.append(f"{folder}/: no README.md (purpose, reading order, how to poke it, limits)")
    return found
