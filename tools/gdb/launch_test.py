"""The settings of VS Code (.vscode/launch.json) are JSON and name what exists: script, programs, source root."""

import json
import pathlib
import re
import sys

ROOT = "${workspaceFolder}/"


def problems(configuration, build):
    sources = [c["text"].split()[1] for c in configuration["setupCommands"] if c["text"].startswith("source ")]
    for script in sources:
        if not pathlib.Path(script.replace(ROOT, "")).is_file():
            yield f"there is no {script}"
    if not sources:
        yield "no script is sourced"
    if configuration["sourceFileMap"] != {"/proc/self/cwd": ROOT.rstrip("/")}:
        yield "sources are compiled in /proc/self/cwd and lie in the workspace"
    program = configuration["program"].rsplit("/", 1)[-1]
    if not program.startswith("${input:") and f'name = "{program}"' not in build:
        yield f"tools/gdb/BUILD has no {program}"


def main():
    launch = json.loads(pathlib.Path(".vscode/launch.json").read_text())
    build = pathlib.Path("tools/gdb/BUILD").read_text()
    failed = [f"{c['name']}: {problem}" for c in launch["configurations"] for problem in problems(c, build)]
    asked = set(re.findall(r"\$\{input:(\w+)\}", json.dumps(launch)))
    failed += [f"no input is called {name}" for name in asked - {i["id"] for i in launch["inputs"]}]
    for message in failed:
        print(f"FAILED: {message}")
    print(f"glassbox-tests: {int(not failed)} passed, {len(failed)} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
