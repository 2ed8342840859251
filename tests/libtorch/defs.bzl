"""What all tests against LibTorch have in common."""

load("//third_party:defs.bzl", "requires_libtorch")

def libtorch_bridge(name, **kwargs):
    """A library that includes LibTorch: built without assertions, as the wheel is, and quickly, as nothing is timed."""
    native.cc_library(
        name = name,
        testonly = True,
        copts = ["-DNDEBUG", "-O1", "-g0"],
        target_compatible_with = requires_libtorch(),
        **kwargs
    )

def libtorch_test(name, size = "medium", **kwargs):
    """A test that links LibTorch, which no sanitizer has instrumented."""
    native.cc_test(
        name = name,
        size = size,
        tags = ["external", "no-asan", "no-tsan"],
        target_compatible_with = requires_libtorch(),
        **kwargs
    )
