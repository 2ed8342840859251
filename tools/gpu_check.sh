#!/bin/bash
# Everything that needs a GPU, from programs built elsewhere (there is no Bazel on a machine with a GPU), in one report.
#
#   tools/gpu_check.sh pack FOLDER           here: copies the programs from bazel-bin into FOLDER, stripped
#   tools/gpu_check.sh run FOLDER REPORT     there: runs them, and the sanitizers over them, and writes REPORT
#   tools/gpu_check.sh bench FOLDER OUT [--only PART]   there: bench/cuda.py; OUT/cuda.json, for //bench:cuda_report
#   tools/gpu_check.sh profile FOLDER OUT [REQUEST ...]   there: bench/cuda_profile.py, what ncu says; OUT/cuda_profile.md
#
# Build first: bazel build $(tools/gpu_check.sh targets). Exit status of run: 0 when every test passed.
set -uo pipefail

readonly TARGETS="//kernels/cuda:gpu_test //kernels/cuda/runtime:gpu_runtime_test //tests/ops:cuda_test
    //labs/minigpt:cuda_test //labs/two_devices:cuda_test
    //ops/pinned:gpu_test //bench:cuda_ours //bench:cuda_host_ours"
readonly SANITIZER_LIMIT=${SANITIZER_LIMIT:-120}  # seconds for each run of a sanitizer
# The tests among them, by the names that `pack` gives.
readonly TESTS="gpu_runtime_test pinned_gpu_test gpu_test ops_cuda_test two_devices_cuda_test minigpt_cuda_test"

die() {
  echo "gpu_check: error: $*" >&2
  exit 1
}

file_of() { # //a/b:c -> bazel-bin/a/b/c
  local target=${1#//}
  echo "bazel-bin/${target/:/\/}"
}
name_of() { # the programs called cuda_test get their folder's name
  case $1 in
    //tests/ops:*) echo ops_cuda_test ;;
    //labs/minigpt:*) echo minigpt_cuda_test ;;
    //ops/pinned:*) echo pinned_gpu_test ;;
    //labs/two_devices:*) echo two_devices_cuda_test ;;
    *) echo "${1##*:}" ;;
  esac
}

pack() {
  mkdir -p "$1" || die "cannot make $1"
  for target in $TARGETS; do
    local from; from=$(file_of "$target")
    [ -f "$from" ] || die "$from is not there: bazel build $target"
    cp -fL "$from" "$1/$(name_of "$target")" && chmod u+w "$1/$(name_of "$target")" && strip "$1/$(name_of "$target")"
  done
  cp -fL /usr/lib/x86_64-linux-gnu/libfmt.so.9 "$1/"
}

# libfmt beside the programs; cuBLAS and its like from the machine's torch.
libraries() {
  python3 - "$1" <<'END'
import glob, os, sys
folders = [os.path.abspath(sys.argv[1])]
try:
    import torch
    home = os.path.dirname(torch.__file__)
    folders += [home + "/lib"] + glob.glob(os.path.join(os.path.dirname(home), "nvidia", "*", "lib"))
except ImportError:
    pass
print(":".join(folders))
END
}

facts() {
  echo "card, driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader)"
  echo "toolkit: $(nvcc --version 2>/dev/null | sed -n 's/.*release //p'), torch $(python3 -c 'import torch; print(torch.__version__)' 2>/dev/null)"
  echo "date: $(date -u +%F)"
}

run() {
  local folder=$1 report=$2 failed=0 stopped=0
  nvidia-smi >/dev/null || die "no GPU here"
  export LD_LIBRARY_PATH; LD_LIBRARY_PATH=$(libraries "$folder")
  export TEST_TMPDIR; TEST_TMPDIR=$(mktemp -d)
  {
    facts
    # Kernels that wait for each other come first, each launch by itself: one that hangs costs a minute, and is named.
    for part in "Hopper's instructions*" "Hopper's rungs*" "the LM head*"; do
      echo; echo "== gpu_test, $part"
      GB_LAUNCH_BLOCKING=1 timeout 60 "$folder/gpu_test" -tc="$part" >"$TEST_TMPDIR/log" 2>&1 || failed=1
      grep -aE "ERROR|assertions:" "$TEST_TMPDIR/log" || { echo "no result:"; tail -5 "$TEST_TMPDIR/log"; failed=1; }
    done
    for test in $TESTS; do
      echo; echo "== $test"
      timeout 200 "$folder/$test" >"$TEST_TMPDIR/log" 2>&1 || failed=1
      # A test that skips itself is not passed here. (doctest::skip marks what another test starts.)
      grep -a "SKIPPED" "$TEST_TMPDIR/log" | grep -v "marked doctest::skip" && failed=1
      grep -aE "ERROR|assertions:|glassbox-tests:" "$TEST_TMPDIR/log" || { echo "no result:"; tail -5 "$TEST_TMPDIR/log"; failed=1; }
    done
    # The long softmax rows take the sanitizers too long; the runtime's test provokes errors on purpose. The products and
    # the head come last, as long as the limit lets them. Of Hopper's copies and products the sanitizers know a part
    # only: what they say of them has to be looked at, one by one.
    local most="-tce=*long and odd*,*refuses*,*Hopper*,*LM head*,*linear on the GPU*"
    sanitize memcheck gpu_test "$most" || failed=1
    sanitize racecheck gpu_test "$most" || failed=1
    sanitize synccheck gpu_test "$most" || failed=1
    sanitize initcheck gpu_test "$most" || failed=1
    sanitize memcheck minigpt_cuda_test "-tc=*saved*" || failed=1
    sanitize memcheck gpu_test "-tc=*Hopper*" || failed=1
    sanitize memcheck gpu_test "-tc=linear on the GPU*" || failed=1
    for tool in racecheck synccheck initcheck; do sanitize $tool gpu_test "-tc=linear on the GPU*" || failed=1; done
    for tool in memcheck racecheck synccheck initcheck; do sanitize $tool gpu_test "-tc=*LM head*" || failed=1; done
    sanitize memcheck ops_cuda_test || failed=1
    local end="all passed"; [ $stopped = 0 ] || end="all passed, but INCOMPLETE: $stopped runs were stopped by their limit"
    echo; [ $failed = 0 ] && echo "gpu_check: $end" || echo "gpu_check: FAILED"
  } >"$report"
  cat "$report"
  return $failed
}

sanitize() { # TOOL TEST [ARGUMENTS]
  local tool=$1 test=$2; shift 2
  echo; echo "== compute-sanitizer --tool $tool $test $*"
  command -v compute-sanitizer >/dev/null || { echo "not on this machine"; return 1; }
  timeout "$SANITIZER_LIMIT" compute-sanitizer --error-exitcode 1 --tool "$tool" "$folder/$test" "$@" >"$TEST_TMPDIR/log" 2>&1
  local status=$? found="^========= (Invalid|Uninitialized|Error|Race|Potential|Barrier|Divergent)"
  grep -aE "$found|ERROR SUMMARY|RACECHECK SUMMARY|assertions:" "$TEST_TMPDIR/log" | sort | uniq -c | sort -rn | head -12
  if [ $status = 124 ]; then
    stopped=$((stopped + 1))
    echo "stopped after $SANITIZER_LIMIT s, with $(grep -acE "$found|ERROR:" "$TEST_TMPDIR/log") reports until then"
    ! grep -qaE "$found|ERROR:" "$TEST_TMPDIR/log"
    return
  fi
  return $status
}

case ${1:-} in
  targets) echo $TARGETS ;;
  pack) [ $# = 2 ] || die "pack FOLDER"; pack "$2" ;;
  run) [ $# = 3 ] || die "run FOLDER REPORT"; run "$2" "$3" ;;
  bench)
    [ $# -ge 3 ] || die "bench FOLDER OUT [ARGUMENTS]"
    LD_LIBRARY_PATH=$(libraries "$2") exec python3 "$(dirname "$0")/../bench/cuda.py" --ours "$2/cuda_ours" \
      --host "$2/cuda_host_ours" --out "$3" --ladder --errors "${@:4}" ;;
  profile)
    [ $# -ge 3 ] || die "profile FOLDER OUT [REQUEST ...]"
    export LD_LIBRARY_PATH; LD_LIBRARY_PATH=$(libraries "$2")
    exec python3 "$(dirname "$0")/../bench/cuda_profile.py" --ours "$2/cuda_ours" --out "$3" "${@:4}" ;;
  *) die "gpu_check.sh targets | pack FOLDER | run FOLDER REPORT | bench FOLDER OUT [ARGUMENTS] | profile FOLDER OUT" ;;
esac
