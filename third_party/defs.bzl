"""What a target needs beyond Debian's packages: `target_compatible_with = requires_cuda()` and its like.

Where the thing is absent the list names a constraint that no platform has, so `bazel test //...` reports the target as
SKIPPED and `bazel run //tests:what_ran` says what was missing. Lists add up: requires_cuda() + requires_libtorch().
"""

load("@cuda//:defs.bzl", _cuda = "is_configured")
load("@gdb//:defs.bzl", _gdb = "is_configured")
load("@libtorch//:defs.bzl", _libtorch = "is_configured")

def requires_cuda():
    """A CUDA toolkit to compile with. (A GPU is a matter of run time: such tests skip themselves.)"""
    return [] if _cuda else ["//third_party:cuda_toolkit"]

def requires_libtorch():
    return [] if _libtorch else ["//third_party:libtorch"]

def requires_gdb():
    return [] if _gdb else ["//third_party:gdb"]

# For programs that are carried to a machine with a GPU (tools/gpu_check.sh): of libraries they need libfmt only, which
# lies beside them.
CARRIED_LINKOPTS = [
    "-static-libgcc",
    "-static-libstdc++",
    "-Wl,-rpath,'$$ORIGIN'",
]
