"""gb_operator: the targets of one operator's folder, which are the same for all of them."""

load("//third_party:defs.bzl", "requires_cuda")

def gb_operator(name, deps = [], cuda_deps = None, test_deps = []):
    """The library //ops/{name}, its :cases, its {name}_test and, with cuda_deps, its :cuda.

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
        native.cc_library(
            name = "cuda",
            srcs = native.glob(["cuda*.cc"]),
            hdrs = native.glob(["cuda*.h"]),
            target_compatible_with = requires_cuda(),
            deps = [":" + name] + cuda_deps,
            alwayslink = True,
        )
