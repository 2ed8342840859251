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

def libtorch_pair(name, of, also = [], sides = "", deps = [], shared_deps = [], size = "medium"):
    """A test of one source that both libraries play, and the two sides' answers compared.

    Args:
      name: {name}.cc compares.
      of: {of}.h is what both sides answer, {of}_of.h the source over an Api, {of}_bridge.cc LibTorch's side of it, the
        library :{of}_bridge, and {of}_glassbox.cc glassbox's.
      also: further headers of the source that both play.
      sides: where the two Apis have headers of their own, {sides}_libtorch.h and {sides}_glassbox.h.
      deps: what glassbox's side and the test need.
      shared_deps: what both sides need.
      size: of the test.
    """
    shared = [of + "_of.h"] + native.glob([of + "_values.h"]) + also
    libtorch_bridge(
        name = of + "_bridge",
        srcs = [of + "_bridge.cc"] + shared + ([sides + "_libtorch.h"] if sides else []),
        hdrs = [of + ".h"],
        deps = ["@libtorch//:libtorch"] + shared_deps,
    )
    libtorch_test(
        name = name,
        size = size,
        srcs = [name + ".cc", of + "_glassbox.cc"] + shared + ([sides + "_glassbox.h"] if sides else []),
        deps = [":" + of + "_bridge", "//tests:doctest_main"] + shared_deps + deps,
    )
