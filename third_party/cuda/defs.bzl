"""gb_cuda_library: a cc_library of .cu files, compiled by nvcc inside Bazel's sandbox.

nvcc is called by its absolute path (@cuda//:defs.bzl) and finds its own headers and tools; everything else that a .cu
file includes comes from `deps`, by the same include paths as in a .cc file. The host half is compiled by g++.
"""

load("@cuda//:defs.bzl", "NVCC")
load("//third_party:defs.bzl", "requires_cuda")

# Ordinary kernels: machine code for Hopper, and PTX from which the driver makes code for every card since Ampere.
# sm_90a: for files with Hopper-only instructions (wgmma, TMA); such code runs on no other card.
_ARCHITECTURES = {
    "default": [
        "-gencode=arch=compute_80,code=compute_80",
        "-gencode=arch=compute_90,code=sm_90",
    ],
    "sm_90a": ["-gencode=arch=compute_90a,code=sm_90a"],
}

# g++'s -Wextra finds fault with the stubs that nvcc generates, so the host half gets -Wall only.
# Compressed for size, the device code of a program is 5 MB, not 22.
_ALWAYS = ["-std=c++20", "-Xcompiler=-fPIC,-Wall", "-lineinfo", "--compress-mode=size", "--Werror=all-warnings"]

_BY_MODE = {
    "dbg": ["-O0", "-Xcompiler=-O0,-g,-fno-omit-frame-pointer"],
    "fastbuild": ["-O1"],
    "opt": ["-O3", "-DNDEBUG"],
}

def _cuda_objects_impl(ctx):
    context = cc_common.merge_cc_infos(
        direct_cc_infos = [],
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context
    objects = []
    for source in ctx.files.srcs:
        object = ctx.actions.declare_file("{}_objs/{}.o".format(ctx.attr.library, source.basename))
        args = ctx.actions.args()
        args.add_all(_ALWAYS)
        args.add_all(_BY_MODE[ctx.var["COMPILATION_MODE"]])
        args.add_all(_ARCHITECTURES[ctx.attr.arch])
        args.add_all(ctx.attr.nvccopts)
        args.add_all(context.defines, format_each = "-D%s")
        args.add_all(ctx.attr.defines, format_each = "-D%s")
        args.add_all(context.quote_includes, format_each = "-I%s")
        args.add_all(context.includes, format_each = "-I%s")
        args.add_all(context.system_includes, format_each = "-isystem=%s")
        args.add("-c", source)
        args.add("-o", object)
        ctx.actions.run(
            executable = NVCC,
            arguments = [args],
            inputs = depset([source] + ctx.files.hdrs, transitive = [context.headers]),
            outputs = [object],
            env = {"PATH": "/usr/local/bin:/usr/bin:/bin"},  # where nvcc looks for g++
            mnemonic = "CudaCompile",
            progress_message = "Compiling with nvcc {}".format(source.short_path),
        )
        objects.append(object)
    return [DefaultInfo(files = depset(objects))]

_cuda_objects = rule(
    implementation = _cuda_objects_impl,
    attrs = {
        "arch": attr.string(default = "default", values = _ARCHITECTURES.keys()),
        "defines": attr.string_list(),
        "deps": attr.label_list(providers = [CcInfo]),
        "hdrs": attr.label_list(allow_files = [".h", ".cuh", ".inc"]),
        "library": attr.string(mandatory = True),
        "nvccopts": attr.string_list(),
        "srcs": attr.label_list(allow_files = [".cu"]),
    },
)

def gb_cuda_objects(name, srcs, hdrs = [], deps = [], arch = "default", local_defines = [], nvccopts = [], target_compatible_with = [], **kwargs):
    """Object files of CUDA kernels, for the srcs of a cc_library that depends on @cuda//:cudart. Arguments: gb_cuda_library's."""
    _cuda_objects(
        name = name,
        arch = arch,
        defines = local_defines,
        hdrs = hdrs,
        library = name,
        nvccopts = nvccopts,
        srcs = srcs,
        target_compatible_with = requires_cuda() + target_compatible_with,
        visibility = ["//visibility:private"],
        deps = deps + ["@cuda//:cudart"],
        **kwargs
    )

def gb_cuda_library(
        name,
        srcs,
        hdrs = [],
        deps = [],
        arch = "default",
        local_defines = [],
        nvccopts = [],
        target_compatible_with = [],
        **kwargs):
    """A library of CUDA kernels and the functions that launch them. Skipped where there is no CUDA toolkit.

    Args:
      name: the cc_library to depend on. It brings the static CUDA runtime with it.
      srcs: .cu files, each compiled by itself (no relocatable device code).
      hdrs: headers of the library, and files that its sources include (.h, .cuh, .inc).
      deps: cc_library targets whose headers the .cu files include.
      arch: "default", or "sm_90a" for files with Hopper-only instructions.
      local_defines: NAME or NAME=VALUE, for this library's .cu files only.
      nvccopts: further flags for nvcc.
      target_compatible_with: further needs; requires_cuda() is always among them.
      **kwargs: visibility, alwayslink, tags, testonly, linkopts: as for cc_library.
    """
    gb_cuda_objects(
        name = name + "_objs",
        srcs = srcs,
        hdrs = hdrs,
        deps = deps,
        arch = arch,
        local_defines = local_defines,
        nvccopts = nvccopts,
        target_compatible_with = target_compatible_with,
        **{key: kwargs[key] for key in ["tags", "testonly"] if key in kwargs}
    )
    native.cc_library(
        name = name,
        srcs = [":" + name + "_objs"],
        hdrs = [h for h in hdrs if not h.endswith(".inc")],
        textual_hdrs = [h for h in hdrs if h.endswith(".inc")],
        target_compatible_with = requires_cuda() + target_compatible_with,
        deps = deps + ["@cuda//:cudart"],
        **kwargs
    )
