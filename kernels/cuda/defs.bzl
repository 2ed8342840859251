"""gb_kernel_library: kernels that are built twice from the same source: by nvcc for a GPU, by g++ for the host runner.

gb_kernel_library(name = "softmax", cu = ["01_naive.cu"], srcs = ["softmax.cc"], hdrs = [...]) makes
  :softmax        the GPU build, skipped where there is no CUDA toolkit
  :softmax_simt   the host build, everywhere; a debugger steps through its kernels
  :softmax_simt_asan, _tsan   the host build with a sanitizer, for tests
  :softmax_headers   the headers alone
A program links one of the builds, never two: they define the same functions.
"""

load("//third_party/cuda:defs.bzl", "gb_cuda_objects")
load("//third_party:defs.bzl", "requires_cuda")
load("//kernels/cuda/simt:sanitized.bzl", "SANITIZED_TAGS", "VARIANTS", "sanitizer_copts", "sanitizer_linkopts")

# #pragma unroll; tensor maps, aligned to 128 bytes, as arguments.
_SIMT_COPTS = ["-Wno-unknown-pragmas", "-Wno-psabi"]

def _builds(kernel_deps, suffix):
    """The build called `suffix` of each of those folders: "" is the GPU's."""
    return ["{}:{}{}".format(dep, dep.split("/")[-1], suffix) for dep in kernel_deps]

def gb_kernel_library(name, cu, hdrs, srcs = [], deps = [], kernel_deps = [], hopper_cu = [], hopper_gpu_cu = [], instructions = False, gpu_srcs = [], gpu_hdrs = [], gpu_deps = [], gpu_defines = [], nvccopts = []):
    """Args:
      name: of the GPU build; name + "_simt" is the host build.
      cu: kernels, each with its own launch functions.
      hdrs: headers of both builds.
      srcs: plain C++ of both builds.
      deps: plain libraries that both builds need.
      kernel_deps: other gb_kernel_library folders, "//kernels/cuda/linear": each build takes the same build of them.
      hopper_cu: kernels with Hopper-only instructions: on no older card; on the host by kernels/cuda/instructions.
      hopper_gpu_cu: the same, but without a host build.
      instructions: True: the kernels use kernels/cuda/instructions.
      gpu_srcs, gpu_hdrs, gpu_deps, gpu_defines: what only the GPU build has.
      nvccopts: further flags for nvcc.
    """
    common = ["//core:error", "//core:scalar_type"]
    headers = _builds(kernel_deps, "_headers")
    launch = ["//kernels/cuda:launch"] + (["//kernels/cuda/instructions"] if instructions else [])
    launch_simt = ["//kernels/cuda:launch_simt"] + (["//kernels/cuda/instructions:instructions_simt"] if instructions else [])
    objects = []
    for suffix, arch, sources in [("_cu", "default", cu), ("_hopper_cu", "sm_90a", hopper_cu + hopper_gpu_cu)]:
        if sources:
            objects.append(":" + name + suffix)
            gb_cuda_objects(
                name = name + suffix,
                srcs = sources,
                hdrs = hdrs,
                arch = arch,
                nvccopts = nvccopts,
                deps = common + deps + headers + launch,
            )

    # One archive for all, as its members need each other.
    native.cc_library(
        name = name,
        srcs = srcs + gpu_srcs + objects,
        hdrs = hdrs + gpu_hdrs,
        local_defines = gpu_defines,
        target_compatible_with = requires_cuda(),
        deps = common + deps + gpu_deps + _builds(kernel_deps, "") + launch + ["@cuda//:cudart"],
    )

    # Bazel's cc_library takes no .cu: a one-line .cc includes it, and the debug information names the .cu itself.
    includers = []
    for source in cu + hopper_cu:
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
        textual_hdrs = cu + hopper_cu,
        copts = _SIMT_COPTS,
        deps = common + deps + _builds(kernel_deps, "_simt") + launch_simt,
    )
    for variant in VARIANTS:
        native.cc_library(
            name = name + "_simt_" + variant,
            srcs = srcs + includers,
            hdrs = hdrs,
            copts = sanitizer_copts(variant) + _SIMT_COPTS,
            linkopts = sanitizer_linkopts(variant),
            tags = SANITIZED_TAGS + ["manual"],  # built where a test needs it
            textual_hdrs = cu + hopper_cu,
            deps = common + deps + _builds(kernel_deps, "_simt_" + variant) + launch_simt,
        )
