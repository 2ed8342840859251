"""gb_kernel_library: kernels that are built twice from the same source: by nvcc for a GPU, by g++ for the host runner.

gb_kernel_library(name = "softmax", cu = ["01_naive.cu"], srcs = ["softmax.cc"], hdrs = [...]) makes
  :softmax        the GPU build, skipped where there is no CUDA toolkit
  :softmax_simt   the host build, everywhere; a debugger steps through its kernels
  :softmax_simt_asan, _tsan   the host build with a sanitizer, for tests
  :softmax_headers   the headers alone
A program links one of the builds, never two: they define the same functions.
"""

load("//third_party/cuda:defs.bzl", "gb_cuda_library")
load("//third_party:defs.bzl", "requires_cuda")
load("//kernels/cuda/simt:sanitized.bzl", "SANITIZED_TAGS", "VARIANTS", "sanitizer_copts", "sanitizer_linkopts")

def _builds(kernel_deps, suffix):
    """The build called `suffix` of each of those folders: "" is the GPU's."""
    return ["{}:{}{}".format(dep, dep.split("/")[-1], suffix) for dep in kernel_deps]

def gb_kernel_library(name, cu, hdrs, srcs = [], deps = [], kernel_deps = [], hopper_cu = [], gpu_srcs = [], gpu_hdrs = [], gpu_deps = [], gpu_defines = [], nvccopts = []):
    """Args:
      name: of the GPU build; name + "_simt" is the host build.
      cu: kernels, each with its own launch functions.
      hdrs: headers of both builds.
      srcs: plain C++ of both builds.
      deps: plain libraries that both builds need.
      kernel_deps: other gb_kernel_library folders, "//kernels/cuda/linear": each build takes the same build of them.
      hopper_cu: kernels with Hopper-only instructions: not on the host, and on no older card.
      gpu_srcs, gpu_hdrs, gpu_deps, gpu_defines: what only the GPU build has.
      nvccopts: further flags for nvcc.
    """
    common = ["//core:error", "//core:scalar_type"]
    headers = _builds(kernel_deps, "_headers")
    gb_cuda_library(
        name = name + "_cu",
        srcs = cu,
        hdrs = hdrs,
        nvccopts = nvccopts,
        visibility = ["//visibility:private"],
        deps = common + deps + headers + ["//kernels/cuda:launch"],
    )
    hopper = []
    if hopper_cu:
        hopper = [":" + name + "_hopper_cu"]
        gb_cuda_library(
            name = name + "_hopper_cu",
            srcs = hopper_cu,
            hdrs = hdrs,
            arch = "sm_90a",
            visibility = ["//visibility:private"],
            deps = common + deps + headers + ["//kernels/cuda:launch"],
        )
    native.cc_library(
        name = name,
        srcs = srcs + gpu_srcs,
        hdrs = hdrs + gpu_hdrs,
        local_defines = gpu_defines,
        target_compatible_with = requires_cuda(),
        deps = common + deps + gpu_deps + _builds(kernel_deps, "") + [":" + name + "_cu", "//kernels/cuda:launch"] + hopper,
    )

    # Bazel's cc_library takes no .cu: a one-line .cc includes it, and the debug information names the .cu itself.
    includers = []
    for source in cu:
        includer = "{}_{}.simt.cc".format(name, source.replace(".cu", ""))
        native.genrule(
            name = includer + "_gen",
            outs = [includer],
            cmd = "echo '#include \"{}/{}\"' > $@".format(native.package_name(), source),
        )
        includers.append(includer)
    native.cc_library(
        name = name + "_headers",
        hdrs = hdrs,
        deps = common + deps + headers,
    )
    native.cc_library(
        name = name + "_simt",
        srcs = srcs + includers,
        hdrs = hdrs,
        textual_hdrs = cu,
        copts = ["-Wno-unknown-pragmas"],  # #pragma unroll
        deps = common + deps + _builds(kernel_deps, "_simt") + ["//kernels/cuda:launch_simt"],
    )
    for variant in VARIANTS:
        native.cc_library(
            name = name + "_simt_" + variant,
            srcs = srcs + includers,
            hdrs = hdrs,
            copts = sanitizer_copts(variant),
            linkopts = sanitizer_linkopts(variant),
            tags = SANITIZED_TAGS + ["manual"],  # built where a test needs it
            textual_hdrs = cu,
            deps = common + deps + _builds(kernel_deps, "_simt_" + variant) + ["//kernels/cuda:launch_simt"],
        )
