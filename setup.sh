#!/bin/bash
# Installs what glassbox is built with, on Debian 12, as root. Safe to run again: what is there already is left alone.
# Nothing goes into the source tree: Debian packages go where Debian puts them, LibTorch and CUDA under /opt/glassbox.
set -euo pipefail

readonly HOME_FOLDER=/opt/glassbox
readonly LIBTORCH_FOLDER=$HOME_FOLDER/libtorch-2.11.0
readonly CUDA_FOLDER=$HOME_FOLDER/cuda-13.0
readonly OS_RELEASE=${GLASSBOX_OS_RELEASE:-/etc/os-release} # a test puts another system's file here
readonly ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Package, the version it was tried with, and what shows that it is there on a system without dpkg.
readonly DEBIAN_PACKAGES="
bazel-bootstrap    4.2.3+ds-9           /usr/bin/bazel
bazel-rules-java   4.0.0-2              /usr/share/bazel/rules/java
bazel-rules-proto  4.0.0-3.20.0-2       /usr/share/bazel/rules/proto
bazel-platforms    0.0.2-2              /usr/share/bazel/platforms
g++                4:12.2.0-3           /usr/bin/g++
libfmt-dev         9.1.0+ds1-2          /usr/include/fmt/format.h
libeigen3-dev      3.4.0-4              /usr/include/eigen3/Eigen/Core
doctest-dev        2.4.9~ds-1           /usr/include/doctest/doctest.h
libbenchmark-dev   1.7.1-1              /usr/include/benchmark/benchmark.h
clang-14           1:14.0.6-12          /usr/bin/clang-14
libclang-rt-14-dev 1:14.0.6-12          /usr/lib/llvm-14/lib/clang/14.0.6/lib/linux/libclang_rt.fuzzer-x86_64.a
gdb                13.1-3               /usr/bin/gdb
valgrind           1:3.19.0-1           /usr/bin/valgrind
python3            3.11.2-1+b1          /usr/bin/python3
python3-pip        23.0.1+dfsg-1        /usr/bin/pip3
"
readonly LIBTORCH_WHEELS="torch==2.11.0 nvidia-cuda-cupti==13.0.85 nvidia-cuda-runtime==13.0.96"
readonly CUDA_WHEELS="nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-cccl==13.0.85
    nvidia-cuda-runtime==13.0.96 nvidia-cuda-nvrtc==13.0.88 nvidia-cublas==13.1.0.3"

usage() {
  cat <<END
usage: ./setup.sh [--without-libtorch] [--without-cuda] [--help]

Installs, on Debian 12 and as root, what glassbox is built with:
  Debian packages  Bazel 4.2.3, g++ 12, fmt, Eigen, doctest, Google Benchmark, clang 14 (libFuzzer), gdb,
                   valgrind, Python 3 with pip
  LibTorch 2.11.0  from PyPI into $LIBTORCH_FOLDER (1.2 GB), for the comparisons with the real thing
  CUDA 13.0        from PyPI into $CUDA_FOLDER (1.1 GB), only where no CUDA toolkit is found

  --without-libtorch  leave LibTorch out: the targets that compare with it are then skipped
  --without-cuda      leave CUDA out: the targets that compile CUDA code are then skipped
A second run leaves alone what is there. On any other system it says what is missing and changes nothing.
END
}

say() { echo "setup: $*"; }

die() {
  echo "setup: error: $*" >&2
  exit 1
}

installed_version() { dpkg-query -W -f='${db:Status-Abbrev} ${Version}' "$1" 2>/dev/null | sed -n 's/^ii *//p' || true; }

# The folder of a usable CUDA toolkit. The same order and the same test as in third_party/cuda/configure.bzl.
find_cuda() {
  local nvcc folder
  nvcc=$(command -v nvcc || true)
  for folder in "${CUDA_PATH:-}" "${nvcc:+$(dirname "$(dirname "$(realpath "$nvcc")")")}" /usr/local/cuda "$CUDA_FOLDER"; do
    [[ -n $folder && -x $folder/bin/nvcc ]] || continue
    if [[ -e $folder/lib64/libcudart_static.a || -e $folder/lib/libcudart_static.a ]]; then
      echo "$folder"
      return
    fi
  done
}

has_libtorch() { [[ -e ${LIBTORCH_PATH:-$LIBTORCH_FOLDER}/torch/lib/libtorch_cpu.so ]]; }

# One line for each thing that is missing, as read by a person.
missing_parts() {
  local package version file
  while read -r package version file; do
    [[ -n $package ]] || continue
    if ((on_debian_12)); then
      [[ -n $(installed_version "$package") ]] || echo "Debian package $package"
    else
      [[ -e $file ]] || echo "$file (on Debian: package $package $version)"
    fi
  done <<<"$DEBIAN_PACKAGES"
  ((with_libtorch == 0)) || has_libtorch || echo "LibTorch 2.11.0 in $LIBTORCH_FOLDER"
  ((with_cuda == 0)) || [[ -n $(find_cuda) ]] || echo "a CUDA toolkit (nvcc on PATH, \$CUDA_PATH, /usr/local/cuda or $CUDA_FOLDER)"
}

# step TITLE FUNCTION: runs it and says how long it took.
step() {
  local start=$SECONDS
  say "$1 ..."
  "$2"
  say "$1: done in $((SECONDS - start)) s"
}

install_debian_packages() {
  local package version file have wanted=()
  while read -r package version file; do
    [[ -n $package ]] || continue
    have=$(installed_version "$package")
    if [[ -z $have ]]; then
      wanted+=("$package=$version")
    elif [[ $have != "$version" ]]; then
      say "  $package is there in version $have (tried with $version): left alone"
    fi
  done <<<"$DEBIAN_PACKAGES"
  if ((${#wanted[@]} == 0)); then
    say "  all are there"
    return
  fi
  apt-get update -qq
  # A point release of Debian may have replaced a version; then the one it has now is taken, and that is said.
  local i
  for i in "${!wanted[@]}"; do
    package=${wanted[i]%%=*}
    if ! apt-cache show "${wanted[i]}" >/dev/null 2>&1; then
      say "  ${wanted[i]} is not offered any more: taking the current version of $package"
      wanted[i]=$package
    fi
  done
  say "  installing ${wanted[*]}"
  local output
  if ! output=$(DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${wanted[@]}" 2>&1); then
    tail -20 <<<"$output" >&2
    die "apt-get install failed: see above"
  fi
  changed=1
}

# download FOLDER PART FILE WHEELS...: the folder PART of the unpacked wheels becomes FOLDER, complete (FILE shows it) or
# not at all: pip works in a temporary folder on the same disk, and the last act is one rename.
download() {
  local folder=$1 part=$2 file=$3 partial
  shift 3
  rm -rf "$HOME_FOLDER"/.partial-"$(basename "$folder")".* # left by a run that was killed
  (($(df --output=avail -k "$HOME_FOLDER" | tail -1) > 4000000)) || die "$HOME_FOLDER has less than 4 GB of free space"
  partial=$(mktemp -d "$HOME_FOLDER/.partial-$(basename "$folder").XXXXXX")
  trap 'rm -rf "'"$partial"'"' EXIT
  trap 'exit 130' INT TERM HUP
  chmod 755 "$partial" # mktemp made it for root's eyes only
  say "  downloading $* into $folder"
  TMPDIR=$partial /usr/bin/python3 -m pip install --quiet --no-deps --no-compile --no-cache-dir --root-user-action=ignore \
    --disable-pip-version-check --target "$partial/tree" "$@" || die "pip could not install $*: is there a network?"
  [[ -e $partial/$part/$file ]] || die "the downloaded $* hold no $file"
  rm -rf "$folder"
  mv "$partial/$part" "$folder"
  rm -rf "$partial"
  trap - EXIT INT TERM HUP
  changed=1
}

install_libtorch() {
  if has_libtorch; then
    say "  there already: ${LIBTORCH_PATH:-$LIBTORCH_FOLDER}"
  else
    # shellcheck disable=SC2086 # a list of words
    download "$LIBTORCH_FOLDER" tree torch/lib/libtorch_cpu.so $LIBTORCH_WHEELS
  fi
}

install_cuda() {
  local found
  found=$(find_cuda)
  if [[ -n $found ]]; then
    say "  there already: $found"
  else
    # shellcheck disable=SC2086
    download "$CUDA_FOLDER" tree/nvidia/cu13 bin/nvcc $CUDA_WHEELS
  fi
}

with_libtorch=1 with_cuda=1 changed=0
for flag in "$@"; do
  case $flag in
    --without-libtorch) with_libtorch=0 ;;
    --without-cuda) with_cuda=0 ;;
    --help | -h) usage && exit 0 ;;
    *)
      echo "setup: error: unknown flag '$flag'" >&2
      usage >&2
      exit 2
      ;;
  esac
done

on_debian_12=0
if [[ -r $OS_RELEASE ]] && grep -qx 'ID=debian' "$OS_RELEASE" && grep -qx 'VERSION_ID="12"' "$OS_RELEASE"; then
  on_debian_12=1
fi

missing=$(missing_parts)
if ((on_debian_12 == 0)); then
  name=$(sed -n 's/^PRETTY_NAME="\(.*\)"$/\1/p' "$OS_RELEASE" 2>/dev/null || true)
  say "this is ${name:-an unknown system}, and only Debian 12 is set up by this script: nothing was changed."
  say "missing here:"
  sed 's/^/  /' <<<"${missing:-nothing that this script looks for}"
  exit 1
fi
if [[ -z $missing ]]; then
  say "nothing to do: the Debian packages$( ((with_libtorch)) && echo ", LibTorch")$( ((with_cuda)) && echo ", CUDA ($(find_cuda))") are there"
  exit 0
fi
if ((EUID != 0)); then
  say "missing here:"
  sed 's/^/  /' <<<"$missing"
  die "only root can install that: sudo ./setup.sh${*:+ $*}"
fi

mkdir -p "$HOME_FOLDER"
exec 9>"$HOME_FOLDER/.lock"
flock -n 9 || die "another ./setup.sh is at work"

started=$SECONDS
step "Debian packages" install_debian_packages
((with_libtorch == 0)) || step "LibTorch 2.11.0" install_libtorch
((with_cuda == 0)) || step "CUDA toolkit" install_cuda
# Bazel looks for LibTorch, CUDA and gdb when its server starts, so a server that runs already would not see them.
((changed == 0)) || (cd "$ROOT" && bazel shutdown >/dev/null 2>&1 9>&-) || true
say "all done in $((SECONDS - started)) s. Next: bazel run //labs:four_ways, bazel test //..."
