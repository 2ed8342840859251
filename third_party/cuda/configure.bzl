"""@cuda: the CUDA toolkit. Looked for in this order: $CUDA_PATH, nvcc on PATH, /usr/local/cuda, /opt/glassbox/cuda-13.0.

Targets: cuda_headers, cudart (static), cublas, nvrtc. `@cuda//:defs.bzl` has is_configured and NVCC (an absolute
path, or ""). Absent, the libraries are empty and is_configured is False.
"""

_INSTALLED = "/opt/glassbox/cuda-13.0"

# The glob takes what host code needs and not the several thousand headers of CCCL: nvcc finds those by itself.
_BUILD = """package(default_visibility = ["//visibility:public"])

cc_library(
    name = "cuda_headers",
    hdrs = glob([
        "include/*.h",
        "include/*.hpp",
        "include/crt/**",
        "include/nv/**",
        "include/cccl/nv/**",
    ], allow_empty = True),
    includes = [
        "include",
        "include/cccl",
    ],
)

cc_library(
    name = "cudart",
    srcs = ["lib/libcudart_static.a"],
    linkopts = ["-ldl", "-lrt", "-lpthread"],
    deps = [":cuda_headers"],
)

cc_library(
    name = "cublas",
    srcs = ["lib/libcublas.so.{major}", "lib/libcublasLt.so.{major}"],
    deps = [":cudart"],
)

cc_library(
    name = "nvrtc",
    srcs = ["lib/libnvrtc.so.{major}"] + glob(["lib/libnvrtc-builtins.so.*"]),
    deps = [":cuda_headers"],
)
"""

_EMPTY = """package(default_visibility = ["//visibility:public"])

[cc_library(name = n) for n in ["cuda_headers", "cudart", "cublas", "nvrtc"]]
"""

def _find(repository_ctx):
    """The toolkit's folder, or None."""
    if "cuda" in repository_ctx.os.environ.get("GLASSBOX_WITHOUT", ""):
        return None
    candidates = []
    from_environment = repository_ctx.os.environ.get("CUDA_PATH")
    if from_environment:
        candidates.append(repository_ctx.path(from_environment))
    on_path = repository_ctx.which("nvcc")
    if on_path:
        candidates.append(on_path.realpath.dirname.dirname)
        candidates.append(on_path.dirname.dirname)
    candidates += [repository_ctx.path("/usr/local/cuda"), repository_ctx.path(_INSTALLED)]
    for root in candidates:
        if root.get_child("bin").get_child("nvcc").exists and _lib(root):
            return root
    return None

def _lib(root):
    """The folder of the libraries: lib64 in NVIDIA's own layout, lib in the PyPI one. The static cudart is needed."""
    for name in ["lib64", "lib"]:
        if root.get_child(name).get_child("libcudart_static.a").exists:
            return root.get_child(name)
    return None

def _major(root):
    """The toolkit's major version, from the names of its libraries."""
    for major in ["13", "12"]:
        if _lib(root).get_child("libcublas.so." + major).exists:
            return major
    return "13"

def _cuda_configure_impl(repository_ctx):
    root = _find(repository_ctx)
    if root:
        repository_ctx.symlink(root.get_child("include"), "include")
        repository_ctx.symlink(_lib(root), "lib")
        repository_ctx.file("BUILD", _BUILD.replace("{major}", _major(root)))
    else:
        repository_ctx.file("BUILD", _EMPTY)
    repository_ctx.file("defs.bzl", 'is_configured = {}\nNVCC = "{}"\n'.format(
        root != None,
        root.get_child("bin").get_child("nvcc") if root else "",
    ))

cuda_configure = repository_rule(
    implementation = _cuda_configure_impl,
    configure = True,
    environ = ["CUDA_PATH", "GLASSBOX_WITHOUT", "PATH"],
    local = True,
)
