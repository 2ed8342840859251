#!/bin/bash
# tools/sanitize.sh: the dispatcher's tests under all three sanitizers.
# tools/sanitize.sh asan|ubsan|tsan [targets and Bazel flags...]: tests, by default all, under one of them.
# asan finds memory errors and leaks, ubsan undefined behaviour, tsan data races. The first run of each compiles anew
# everything that it tests.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

usage="usage: tools/sanitize.sh                                              all three, over the dispatcher's tests
       tools/sanitize.sh asan|ubsan|tsan [targets and Bazel flags...]    one, by default over //..."

# sanitize CONFIG [targets and Bazel flags...]
sanitize() {
  local config=$1 flags=() targets=() left_out
  shift
  for argument in "$@"; do
    if [[ $argument == --* ]]; then flags+=("$argument"); else targets+=("$argument"); fi
  done
  ((${#targets[@]} > 0)) || targets=(//...)

  # BAZEL_STARTUP holds startup options (--output_base=...), BAZEL_FLAGS further flags, for whoever shares a machine.
  # shellcheck disable=SC2086 # lists of words
  left_out=$(bazel ${BAZEL_STARTUP:-} query --noshow_progress "attr(tags, '\\bno-$config\\b', tests(set(${targets[*]})))" 2>/dev/null)
  if [[ -n $left_out ]]; then
    echo "sanitize: left out, as their tag no-$config says:"
    sed 's/^/  /' <<<"$left_out"
  fi
  # shellcheck disable=SC2086
  bazel ${BAZEL_STARTUP:-} test --config="$config" --keep_going ${BAZEL_FLAGS:-} "${flags[@]}" "${targets[@]}"
}

case ${1:-} in
  asan | ubsan | tsan) sanitize "$@" ;;
  "")
    failed=()
    for config in asan ubsan tsan; do
      sanitize "$config" //core/... //dispatcher/... //tests/dispatcher/... || failed+=("$config")
    done
    ((${#failed[@]} == 0)) || { echo "sanitize: failed: ${failed[*]}" >&2 && exit 1; }
    echo "sanitize: asan, ubsan and tsan found nothing in the dispatcher's tests"
    ;;
  --help | -h) echo "$usage" ;;
  *) echo "sanitize: error: no sanitizer is called '$1'. $usage" >&2 && exit 2 ;;
esac
