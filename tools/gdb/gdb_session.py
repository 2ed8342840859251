"""Runs gdb commands on a program, and puts what gdb says into a form that does not change from run to run."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path("tools/gdb")
LEVELS = ("O0", "O2")
ENVIRONMENT = dict(os.environ, LC_ALL="C", TERM="dumb")
SETTINGS = ("set pagination off", "set width 0", "set disable-randomization off", f"source {HERE / 'glassbox.py'}")


def find_gdb(test):
    """The path of gdb; without one the test ends here, skipped."""
    gdb = shutil.which("gdb")
    if gdb is None:
        print(f"SKIPPED: {test}: no gdb on the PATH (./setup.sh installs it)")
        print("glassbox-tests: 0 passed, 0 failed, 1 skipped")
        sys.exit(0)
    return gdb


def said_by_gdb(gdb, program, commands, settings=SETTINGS):
    # One -ex per line: in a sourced file the first command that fails would end the session, and some are to fail.
    words = [word for line in (*settings, *commands) for word in ("-ex", line)]
    done = subprocess.run([gdb, "-batch", "-nx", "-iex", "set debuginfod enabled off", *words, str(HERE / program)],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT, timeout=240)
    return done.stdout


def said_by_program(program, *arguments, **environment):
    return subprocess.run([str(HERE / program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=dict(ENVIRONMENT, **environment), timeout=60)


def normalised(text):
    """Without addresses, line numbers, process ids and what the machine adds."""
    text = re.sub(r"0x[0-9a-f]+", "0xADDRESS", text)
    text = re.sub(r"\b([\w/]+\.(?:cc|h)):\d+", r"\1:N", text)
    text = re.sub(r"(?m)^\d+\t", "N\t", text)
    text = re.sub(r"(?s)(through the library's wrapper:\n).*?( *kernel of )", r"\1\2", text)  # steps through std::
    text = re.sub(r"line \d+\.", "line N.", text)
    text = re.sub(r"process \d+", "process N", text)
    noise = r"\[Thread debugging|Using host libthread_db|(?:.*gdb: )?warning:|Download failed"
    text = re.sub(rf"(?m)^({noise}).*\n", "", text)
    text = re.sub(r"(?m)^gb-version: no hardware watchpoint here.*\n", "", text)  # depends on the machine
    return text.replace(str(pathlib.Path.cwd()) + "/", "")
