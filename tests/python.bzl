"""gb_py_test and gb_py_binary: Python 3, standard library only, with the system's interpreter.

Bazel 4.2.3 starts its own py_test through `/usr/bin/env python`, which Debian 12 does not have. These are a shell
rule each around run_python.sh instead. A module that `main` imports lies in the same folder and is named in `srcs`.
"""

def gb_py_test(name, main, srcs = [], data = [], args = [], **kwargs):
    native.sh_test(
        name = name,
        srcs = ["//tests:run_python.sh"],
        args = ["$(rootpath {})".format(main)] + args,
        data = [main] + srcs + data,
        **kwargs
    )

def gb_py_binary(name, main, srcs = [], data = [], args = [], **kwargs):
    native.sh_binary(
        name = name,
        srcs = ["//tests:run_python.sh"],
        args = ["$(rootpath {})".format(main)] + args,
        data = [main] + srcs + data,
        **kwargs
    )
