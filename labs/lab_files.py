"""What the labs that write an experiment share: the folder, the manifest, the flag --out, the end of their tests."""

import datetime
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import unittest


def git(*arguments):
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if root is None:
        return "unknown: not run by bazel run"
    done = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown: " + done.stderr.strip()


def manifest(experiment, command, versions, texts):
    return {
        "experiment": experiment,
        "command": " ".join([command] + (["--"] + sys.argv[1:] if sys.argv[1:] else [])),
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "git_commit": git("rev-parse", "HEAD"),
        "git_changed_files": len(git("status", "--porcelain").splitlines()),
        "versions": dict(versions, python=platform.python_version(), system=platform.platform()),
        "files": [{"path": name, "bytes": len(text.encode()), "sha256": hashlib.sha256(text.encode()).hexdigest()}
                  for name, text in texts.items()],
    }


def write(folder, experiment, command, versions, texts):
    """Writes `texts`, by their names, and manifest.json, which describes them."""
    described = manifest(pathlib.PurePath(experiment).name, command, versions, texts)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in dict(texts, **{"manifest.json": json.dumps(described, indent=2) + "\n"}).items():
        (folder / name).write_text(text)


def folder_for(arguments, experiment):
    """Where to write: the experiment's own folder, or that of --out, relative to the caller's. None: bad arguments."""
    if arguments and (arguments[0] != "--out" or len(arguments) != 2):
        return None
    caller = os.environ.get("BUILD_WORKING_DIRECTORY", ".")
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY", caller)
    return pathlib.Path(caller, arguments[1]) if arguments else pathlib.Path(root, experiment)


def changed_since(folder):
    """The files of an experiment that are not what its manifest says."""
    files = json.loads((folder / "manifest.json").read_text())["files"]
    content = {f["path"]: (folder / f["path"]).read_bytes() for f in files}
    return [f["path"] for f in files
            if (f["bytes"], f["sha256"]) != (len(content[f["path"]]), hashlib.sha256(content[f["path"]]).hexdigest())]


def run_tests(golden, text):
    """The end of a lab's test: its cases, or with --update the golden file recorded anew."""
    if "--update" in sys.argv:
        (pathlib.Path(os.environ["BUILD_WORKSPACE_DIRECTORY"]) / golden).write_text(text())
        return
    result = unittest.main(module="__main__", argv=[sys.argv[0]], exit=False, verbosity=2).result
    failed = len(result.failures) + len(result.errors)
    print(f"glassbox-tests: {result.testsRun - failed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)
