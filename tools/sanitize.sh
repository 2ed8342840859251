#!/bin/bash
# tools/sanitize.sh [asan|ubsan|tsan] [targets and Bazel flags...]: builds and runs tests, by default all, under a
# sanitizer. asan finds memory errors and leaks, ubsan undefined behaviour, tsan data races. The first run of each
# compiles the whole tree again.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

usage="usage: tools/sanitize.sh [asan|ubsan|tsan] [targets and Bazel flags...]   (default: asan //...)"
config=${1:-asan}
case $config in
  asan | ubsan | tsan) ;;
  --help | -h) echo "$usage" && exit 0 ;;
  *) echo "sanitize: error: no sanitizer is called '$config'. $usage" >&2 && exit 2 ;;
esac
(($# > 0)) && shift
flags=() targets=()
for argument in "$@"; do
  if [[ $argument == --* ]]; then flags+=("$argument"); else targets+=("$argument"); fi
done
((${#targets[@]} > 0)) || targets=(//...)

# BAZEL_STARTUP holds startup options (--output_base=...), for whoever shares a machine.
# shellcheck disable=SC2086 # a list of words
left_out=$(bazel ${BAZEL_STARTUP:-} query --noshow_progress "attr(tags, '\\bno-$config\\b', tests(set(${targets[*]})))" 2>/dev/null)
if [[ -n $left_out ]]; then
  echo "sanitize: left out, as their tag no-$config says:"
  sed 's/^/  /' <<<"$left_out"
fi
# shellcheck disable=SC2086
exec bazel ${BAZEL_STARTUP:-} test --config="$config" --keep_going "${flags[@]}" "${targets[@]}"
