"""gb_operator: the targets of one operator's folder, which are the same for all of them."""

load("//third_party:defs.bzl", "requires_cuda")

def _on_the_host(label):
    """The host build of what a CUDA kernel of an operator depends on, where it has one."""
    if label.startswith("//kernels/cuda/") and ":" not in label:
        return "{}:{}_simt".format(label, label.split("/")[-1])
    if label.startswith("//ops") and label.split(":")[-1] in ["cuda", "cuda_kernels"]:
        return label + "_simt"
    return label

def gb_operator_cuda(srcs, deps, hdrs = [], name = "cuda"):
    """An operator's CUDA kernels, twice: `name` for a GPU, and {name}_simt, which runs them on this processor.

    A program links one of the two for all its operators: //ops:cuda (which //ops brings) or //ops:cuda_simt.

    Args:
      srcs: cuda*.cc.
      deps: what they need; of //kernels/cuda and of other operators' :cuda, {name}_simt takes the host builds.
      hdrs: cuda*.h.
      name: "cuda".
    """
    native.cc_library(
        name = name,
        srcs = srcs,
        hdrs = hdrs,
        target_compatible_with = requires_cuda(),
        deps = deps,
        alwayslink = True,
    )
    native.cc_library(
        name = name + "_simt",
        srcs = srcs,
        hdrs = hdrs,
        deps = [_on_the_host(label) for label in deps],
        alwayslink = True,
    )

def gb_operator(name, deps = [], cuda_deps = None, test_deps = []):
    """The library //ops/{name}, its :cases, its {name}_test and, with cuda_deps, its :cuda and :cuda_simt.

    Args:
      name: the folder's name. The library has every .cc and .h of the folder but cases.h, {name}_test.cc and cuda*.
      deps: what it needs besides autograd, the dispatcher and //ops/common: kernels, other operators.
      cuda_deps: what the CUDA kernels in cuda*.cc need besides the library; None where there are none.
      test_deps: what the test needs besides //ops and //ops/testing.
    """
    native.cc_library(
        name = name,
        srcs = native.glob(["*.cc"], exclude = ["*_test.cc", "cuda*.cc"]),
        hdrs = native.glob(["*.h"], exclude = ["cases.h", "cuda*.h"]),
        deps = [
            "//autograd",
            "//core:error",
            "//core:tensor",
            "//dispatcher",
            "//ops/common",
            "@fmt//:fmt",
        ] + deps,
        alwayslink = True,
    )

    # What the generic tests of //tests run.
    native.cc_library(
        name = "cases",
        testonly = True,
        hdrs = ["cases.h"],
        deps = ["//tests:case_lists"],
    )
    native.cc_test(
        name = name + "_test",
        size = "small",
        srcs = [name + "_test.cc"],
        deps = [
            "//ops",
            "//ops/testing",
            "//tests:doctest_main",
        ] + test_deps,
    )
    if cuda_deps != None:
        gb_operator_cuda(
            srcs = native.glob(["cuda*.cc"]),
            hdrs = native.glob(["cuda*.h"]),
            deps = [":" + name] + cuda_deps,
        )
