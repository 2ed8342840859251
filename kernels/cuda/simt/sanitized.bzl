"""Kernels built with a sanitizer inside a plain build, so that `bazel test` finds what only a sanitizer sees.

Only the kernels are instrumented: the runner tells either sanitizer what it needs to know (sanitizers.h), and
everything else stays as it is, so that a variant costs the compilation of its kernels alone.
"""

_FLAGS = ["-O1", "-g", "-fno-omit-frame-pointer", "-Wno-error"]  # gcc's flow warnings misfire on instrumented code

_SANITIZERS = {
    # Memory out of range; an index out of the bounds of its array; a vector at an address it must not have.
    "asan": ["-fsanitize=address,bounds,alignment", "-fno-sanitize-recover=all"],
    # Races, and with uninitialised.cc reads of shared memory that nobody wrote.
    "tsan": ["-fsanitize=thread"],
}
VARIANTS = _SANITIZERS.keys()

def sanitizer_copts(variant):
    return _SANITIZERS[variant] + _FLAGS + ["-Wno-unknown-pragmas"]  # #pragma unroll

def sanitizer_linkopts(variant):
    return _SANITIZERS[variant]

def sanitizer_deps(variant):
    return ["//kernels/cuda/simt:uninitialised"] if variant == "tsan" else []

# Of whatever is built with one: it is part of the plain build, and leaves the builds of tools/sanitize.sh alone.
SANITIZED_TAGS = ["no-asan", "no-tsan", "no-ubsan"]
