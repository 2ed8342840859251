#!/bin/sh
# No object built for a wider processor may hand the linker a symbol that another object could use too.
#
# The linker keeps one copy of each weak symbol (inline functions, templates). Were that copy compiled with AVX-512,
# an older processor would meet it in code that never asked for AVX-512. So every symbol that such an object defines
# is local, or lies in the namespace of its instruction set: gb::cpu::AVX512:: or Eigen_AVX512::.
# Arguments: the archives or objects, named *AVX2* or *AVX512*.
set -eu
objects=0
bad=0
for file in "$@"; do
  case "$file" in
    *AVX512*) capability=AVX512 ;;
    *AVX2*) capability=AVX2 ;;
    *) continue ;;
  esac
  case "$file" in
    *.a | *.o | *.lo) ;;
    *) continue ;;
  esac
  objects=$((objects + 1))
  # Defined symbols that the linker shares (capital letters, and u for unique); DW.ref is the exception
  # handler's address, data that is the same everywhere. "2gb3cpu4AVX2" is how the namespace is mangled.
  shared=$(nm --defined-only "$file" | awk '$2 ~ /^[A-Zu]$/ { print $3 }' |
    grep -v -e "2gb3cpu${#capability}${capability}" -e "Eigen_${capability}" -e '^DW\.ref\.' || true)
  if [ -n "$shared" ]; then
    bad=1
    echo "$file defines symbols outside its instruction set's namespace:"
    echo "$shared" | c++filt
  fi
  # And the file does hold wide code, or this test would look at the wrong thing.
  if ! nm --defined-only "$file" | grep -q "2gb3cpu${#capability}${capability}"; then
    bad=1
    echo "$file defines nothing in gb::cpu::$capability"
  fi
done
echo "looked at $objects files"
# Every kernel comes twice: once per wider instruction set.
if [ "$objects" -lt 2 ] || [ $((objects % 2)) -ne 0 ]; then
  echo "expected an even number of files, at least 2"
  bad=1
fi
exit $bad
