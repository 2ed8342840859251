"""A library that Debian has installed, as an external repository with one cc_library of the repository's name."""

_BUILD = """package(default_visibility = ["//visibility:public"])

cc_library(
    name = "{name}",
    hdrs = glob(["include/**"]),
    includes = ["include"],
    linkopts = {linkopts},
)
"""

# Debian has fmt and benchmark as shared libraries only; the linker and the loader find them in these folders unaided.
_LIB_FOLDERS = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"]

def _missing(repository_ctx, path):
    fail(("glassbox: {path} is not on this machine. It comes with the Debian package {package}. " +
          "Run ./setup.sh at the top of the repository (as root), or `apt-get install {package}`.").format(
        path = path,
        package = repository_ctx.attr.debian_package,
    ))

def _system_library_impl(repository_ctx):
    for name, folder in repository_ctx.attr.headers.items():
        if not repository_ctx.path(folder).exists:
            _missing(repository_ctx, folder)
        repository_ctx.symlink(folder, "include/" + name)

    for library in repository_ctx.attr.libraries:
        file = "lib{}.so".format(library)
        if not [f for f in _LIB_FOLDERS if repository_ctx.path(f + "/" + file).exists]:
            _missing(repository_ctx, file)

    repository_ctx.file("BUILD", _BUILD.format(
        name = repository_ctx.name,
        linkopts = repr(["-l" + library for library in repository_ctx.attr.libraries]),
    ))

system_library = repository_rule(
    implementation = _system_library_impl,
    attrs = {
        "debian_package": attr.string(mandatory = True),
        "headers": attr.string_dict(doc = "Name below the include folder -> the system's folder."),
        "libraries": attr.string_list(doc = "Names to link with -lNAME."),
    },
    configure = True,
    local = True,  # looked up again when the Bazel server starts: a later apt-get install is seen
)
