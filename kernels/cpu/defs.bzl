"""gb_cpu_kernel: one kernel, compiled once per instruction set.

x_kernel.cc becomes three libraries that differ in CPU_CAPABILITY (the namespace of everything the file defines) and
in what the compiler may use; x.cc, with the stub that picks one at run time, is compiled once for the baseline.
"""

_AVX2 = ["-mavx2", "-mfma", "-mf16c"]

# Loops over integers and comparisons are left to the compiler's vectoriser, which -O2 alone holds back.
_VECTORIZE = ["-ftree-vectorize", "-fvect-cost-model=dynamic"]

CPU_CAPABILITIES = {
    # Follows the compilation mode, so that in a dbg build `GB_CPU_CAPABILITY=default` steps through -O0 code.
    "DEFAULT": _VECTORIZE,
    # Always optimised: unoptimised, Eigen and the standard headers leave out-of-line copies of shared templates with
    # wide instructions in them (symbols_test.sh looks for those).
    "AVX2": ["-O2"] + _VECTORIZE + _AVX2,
    "AVX512": ["-O2"] + _VECTORIZE + _AVX2 + ["-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"] + [
        # Under the address sanitizer g++ 12 moves locals to a "fake stack" that is aligned to 32 bytes, and then
        # stores 64-byte registers there as if aligned: it crashes (seen). No effect in other builds.
        "--param=asan-use-after-return=0",
    ],
}

def gb_cpu_kernel(name, hdrs, deps, kernel_deps, copts = []):
    """A kernel library `name` from {name}.cc, {name}_kernel.cc and hdrs.

    Args:
      name: the kernel.
      hdrs: its public header.
      deps: what {name}.cc and the header need.
      kernel_deps: what {name}_kernel.cc needs; only header libraries without code of their own.
      copts: further options for {name}_kernel.cc.
    """
    native.cc_library(
        name = name + "_header",
        hdrs = hdrs,
        deps = [":kernel_interface"],
    )
    for capability, options in CPU_CAPABILITIES.items():
        native.cc_library(
            name = name + "_" + capability,
            srcs = [name + "_kernel.cc"],
            copts = ["-DCPU_CAPABILITY=" + capability] + options + copts,
            # Not an option of the toolchain: nothing else in the tree is built for a wider processor.
            linkstatic = True,
            deps = kernel_deps + [":" + name + "_header"],
        )
    native.cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = hdrs,
        visibility = KERNEL_USERS,
        deps = deps + [":kernel_interface"] + [":" + name + "_" + c for c in CPU_CAPABILITIES],
    )

# Who may include kernel headers: operators, optimizers, and what measures or tests them.
KERNEL_USERS = [
    "//bench:__subpackages__",
    "//compile:__subpackages__",
    "//kernels:__subpackages__",
    "//labs:__subpackages__",
    "//nn:__subpackages__",
    "//ops:__subpackages__",
    "//tests:__subpackages__",
    "//tools:__subpackages__",
]
