"""@gdb: where gdb is. `@gdb//:defs.bzl` has is_configured and GDB (its absolute path, or "")."""

def _gdb_configure_impl(repository_ctx):
    gdb = repository_ctx.which("gdb")
    if "gdb" in repository_ctx.os.environ.get("GLASSBOX_WITHOUT", ""):
        gdb = None
    repository_ctx.file("BUILD", "")
    repository_ctx.file("defs.bzl", 'is_configured = {}\nGDB = "{}"\n'.format(gdb != None, gdb or ""))

gdb_configure = repository_rule(
    implementation = _gdb_configure_impl,
    configure = True,
    environ = ["GLASSBOX_WITHOUT", "PATH"],
    local = True,
)
