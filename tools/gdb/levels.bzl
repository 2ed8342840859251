"""at_level: a program compiled at a fixed level, whatever the command line says, so that one `bazel test` tests both.

A backtrace and the debug information differ with -O0 and -O2, and all that the program links, the dispatcher first,
has to be compiled at that level: a flag of the program's own rule would not reach it. The transition takes the
levels of the command line out of --copt and puts its own in.
"""

_LEVELS = {
    "O0": ("dbg", ["-O0", "-g", "-fno-omit-frame-pointer"]),
    "O2": ("opt", ["-g", "-fomit-frame-pointer"]),  # as .bazelrc has it, with debug information
}
_COPT = "//command_line_option:copt"
_MODE = "//command_line_option:compilation_mode"

def _is_level(flag):
    return flag.startswith("-O") or flag.startswith("-g") or flag.endswith("omit-frame-pointer")

def _transition_impl(settings, attr):
    mode, flags = _LEVELS[attr.level]
    return {_MODE: mode, _COPT: flags + [f for f in settings[_COPT] if not _is_level(f)]}

_transition = transition(implementation = _transition_impl, inputs = [_COPT], outputs = [_COPT, _MODE])

def _at_level_impl(ctx):
    program = ctx.actions.declare_file(ctx.label.name)
    ctx.actions.symlink(output = program, target_file = ctx.executable.program, is_executable = True)
    return [DefaultInfo(files = depset([program]), executable = program)]

at_level = rule(
    implementation = _at_level_impl,
    executable = True,
    attrs = {
        "level": attr.string(mandatory = True, values = _LEVELS.keys()),
        "program": attr.label(mandatory = True, executable = True, cfg = _transition),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
