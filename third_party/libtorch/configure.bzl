"""@libtorch: the real thing, for comparison. Looked for in $LIBTORCH_PATH, then where ./setup.sh puts it.

The folder is what `pip install --target` leaves: torch/include, torch/lib and nvidia/cu13/lib. Absent, the
repository holds an empty library and `is_configured = False`.
"""

_INSTALLED = "/opt/glassbox/libtorch-2.11.0"

# LibTorch carries its own fmt 12; with those headers in front, a program that links Debian's fmt 9 does not link.
# Left out of the glob, the sandbox hides them. The headers are about 9,000: include LibTorch in few files.
_BUILD = """package(default_visibility = ["//visibility:public"])

cc_library(
    name = "libtorch",
    srcs = [
        "torch/lib/libc10.so",
        "torch/lib/libgomp.so.1",
        "torch/lib/libtorch_cpu.so",
        "nvidia/cu13/lib/libcudart.so.13",
        "nvidia/cu13/lib/libcupti.so.13",
    ],
    hdrs = glob(
        [
            "torch/include/**/*.h",
            "torch/include/**/*.hpp",
            "torch/include/**/*.cuh",
        ],
        exclude = ["torch/include/fmt/**"],
    ),
    includes = [
        "torch/include",
        "torch/include/torch/csrc/api/include",
    ],
)
"""

_EMPTY = """package(default_visibility = ["//visibility:public"])

cc_library(name = "libtorch")
"""

def _libtorch_configure_impl(repository_ctx):
    folder = repository_ctx.os.environ.get("LIBTORCH_PATH", _INSTALLED)
    root = repository_ctx.path(folder)
    found = repository_ctx.path(folder + "/torch/lib/libtorch_cpu.so").exists
    if "libtorch" in repository_ctx.os.environ.get("GLASSBOX_WITHOUT", ""):
        found = False
    if found:
        repository_ctx.symlink(root.get_child("torch"), "torch")
        repository_ctx.symlink(root.get_child("nvidia"), "nvidia")
    repository_ctx.file("BUILD", _BUILD if found else _EMPTY)
    repository_ctx.file("defs.bzl", "is_configured = {}\n".format(found))

libtorch_configure = repository_rule(
    implementation = _libtorch_configure_impl,
    configure = True,
    environ = ["GLASSBOX_WITHOUT", "LIBTORCH_PATH"],
    local = True,
)
