#!/bin/bash
# Runs a Python file among its runfiles with Debian's own interpreter: see python.bzl. Modules are imported from the
# folder of the file; -P keeps Python from following the runfile's link into the source tree, -B from writing there.
PYTHONPATH=$(dirname "$1") exec /usr/bin/python3 -B -P "$@"
