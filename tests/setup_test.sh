#!/bin/bash
# setup.sh: its flags, and that it changes nothing on a system it does not know. (That it installs is tried by hand and
# by .ci/run: a test must not change the machine.)
set -uo pipefail
setup=$PWD/setup.sh
failures=0

# expect STATUS TEXT COMMAND...: COMMAND ends with STATUS and prints TEXT.
expect() {
  local status=$1 text=$2 output actual
  shift 2
  output=$("$@" 2>&1)
  actual=$?
  if [[ $actual != "$status" || $output != *"$text"* ]]; then
    echo "FAILED: $*"
    echo "  status $actual, wanted $status; wanted the text: $text"
    sed 's/^/  | /' <<<"$output"
    failures=$((failures + 1))
  fi
}

other=$TEST_TMPDIR/os-release
printf 'PRETTY_NAME="Other Linux 1"\nID=other\nVERSION_ID="1"\n' >"$other"
newer=$TEST_TMPDIR/debian-13
printf 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\nVERSION_ID="13"\n' >"$newer"

expect 0 "usage: ./setup.sh" "$setup" --help
expect 2 "unknown flag '--without-everything'" "$setup" --without-everything
expect 1 "this is Other Linux 1" env GLASSBOX_OS_RELEASE="$other" "$setup"
expect 1 "nothing was changed" env GLASSBOX_OS_RELEASE="$newer" "$setup" --without-cuda
expect 1 "unknown system" env GLASSBOX_OS_RELEASE="$TEST_TMPDIR/none" "$setup"
expect 1 "LibTorch 2.11.0 in" env GLASSBOX_OS_RELEASE="$other" LIBTORCH_PATH=/nowhere "$setup"
((failures == 0)) && echo "all as expected"
exit $((failures > 0))
