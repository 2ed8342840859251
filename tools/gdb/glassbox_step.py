"""gb-step, gb-next, gb-finish, gb-kernel: from hop to hop. gb-trace: all of them without stopping."""

import gdb

from glassbox_command import Command
from glassbox_frames import is_plumbing, select_caller
from glassbox_hook import Hook, TraceFlag, current_hop, start_watching


def run():
    """Continues; what gdb says to that, and whether the program still lives."""
    said = gdb.execute("continue", to_string=True)
    return said, gdb.selected_inferior().pid != 0


def run_to(breakpoint_):
    """Runs to a breakpoint, which goes then. False where the program stops for another reason first; gdb says which."""
    try:
        said, _ = run()
        reached = breakpoint_.reached
    finally:
        breakpoint_.delete()
    if not reached:
        gdb.write(said)
    return reached


def run_to_hop(command, wanted):
    """Runs to the next hop for which wanted(hop) holds, and tells of it. Where the program stops for another reason
    first, gdb says so, as always."""
    hook = start_watching()
    hook.watchers.append(wanted)
    hook.stopped_at, hook.commanded = None, True
    Trace.held_back = []
    try:
        said, lives = run()
    finally:
        hook.watchers.remove(wanted)
        hook.commanded = False
        traced, Trace.held_back = Trace.held_back, None
    for line in traced:
        gdb.write(line + "\n")
    hop = hook.stopped_at
    if not lives:
        gdb.write(f"{said}{command}: the program ended, no further hop\n")
    elif hop is None:
        gdb.write(said)
    else:
        if hop.line() not in traced[-1:]:
            gdb.write(hop.line() + "\n")
        select_caller()


def hop_or_error(command):
    hop = current_hop()
    if hop is None:
        raise gdb.GdbError(f"{command}: the program is in no hop that gdb has seen; gb-step goes to the next one")
    return hop


class GbStep(Command):
    """gb-step: run to the next hop of the dispatcher, print it, and select the frame that made the call.

After it the flag stays on, so that the depth of later hops is right; `gb-trace off` takes it off."""

    word, kind = "gb-step", gdb.COMMAND_RUNNING

    def run(self, argument):
        self.takes_no(argument)
        run_to_hop("gb-step", lambda hop: True)


class GbNext(Command):
    """gb-next: run to the next hop that is not part of this one: at the same depth or a lesser one, on this thread.

What the current hop calls and redispatches to runs without a stop. Outside of any hop it is gb-step."""

    word, kind = "gb-next", gdb.COMMAND_RUNNING

    def run(self, argument):
        self.takes_no(argument)
        hop = current_hop()
        run_to_hop("gb-next", lambda h: hop is None or (h.thread == hop.thread and h.depth <= hop.depth))


class ReturnBreakpoint(gdb.Breakpoint):
    """Where the call of a hop returns to; not that of another call of the same line, deeper in a recursion."""

    def __init__(self, hop):
        super().__init__(f"*{hop.return_pc:#x}", internal=True)
        self.silent = True
        self.hop = hop
        self.reached = False

    def stop(self):
        thread = gdb.selected_thread().ptid
        self.reached = thread == self.hop.thread and int(gdb.newest_frame().read_register("sp")) == self.hop.return_sp
        return self.reached


class GbFinish(Command):
    """gb-finish: run until the current hop has returned to the function that made the call."""

    word, kind = "gb-finish", gdb.COMMAND_RUNNING

    def run(self, argument):
        self.takes_no(argument)
        hop = hop_or_error("gb-finish")
        if not run_to(ReturnBreakpoint(hop)):
            return
        gdb.write(f"{'  ' * hop.depth}back from {hop.where()}\n")
        select_caller()


def function_at(address):
    """The symbol of the function that starts at an address, or None without debug information for it."""
    function, block = None, gdb.block_for_pc(address)
    while block is not None and not block.is_static:  # outwards: functions that are inlined at its start come first
        function, block = block.function or function, block.superblock
    return function


class KernelBreakpoint(gdb.Breakpoint):
    """On the first line of the kernel of a hop. By the function's name and file, so that gdb skips the prologue as for
    `break`; the address decides between functions of one name."""

    def __init__(self, hop):
        self.start, self.hop, self.reached = hop.kernel.entry_point(), hop, False
        function = function_at(self.start)
        if function is None or is_plumbing(function.name):  # a wrapper: its arguments are of no interest
            super().__init__(f"*{self.start:#x}", internal=True)
        else:
            super().__init__(function=function.name, source=function.symtab.filename, internal=True)
        self.silent = True

    def stop(self):
        frame = gdb.newest_frame()
        while frame.type() == gdb.INLINE_FRAME:
            frame = frame.older()
        starts = {gdb.newest_frame().pc()} | ({int(frame.function().value().address)} if frame.function() else set())
        self.reached = self.start in starts and gdb.selected_thread().ptid == self.hop.thread
        return self.reached


def in_wrapper(frame):
    """Still in the library's code around a kernel? By name; and by file, as a boxed kernel may be inlined into it."""
    symtab = frame.find_sal().symtab
    file = symtab.filename.removeprefix("./") if symtab else ""
    if file.startswith(("core/", "/usr/")):
        return True
    return is_plumbing(frame.name()) and (not file or file.startswith("dispatcher/"))


class GbKernel(Command):
    """gb-kernel: run to the first line of the kernel that the current hop has chosen.

For a boxed kernel and for a functor, on through the wrapper of the library to the first line of the kernel's own."""

    word, kind = "gb-kernel", gdb.COMMAND_RUNNING

    def run(self, argument):
        self.takes_no(argument)
        hop = hop_or_error("gb-kernel")
        if hop.kernel.serves_nobody() or hop.kernel.is_fallthrough():
            raise gdb.GdbError(f"gb-kernel: {hop.where()} has no kernel ({hop.kernel.reason()}): the call throws")
        if not run_to(KernelBreakpoint(hop)):
            return
        if in_wrapper(gdb.newest_frame()):
            gdb.write("through the library's wrapper:\n")
        for _ in range(20):
            if not in_wrapper(gdb.newest_frame()):
                break
            gdb.execute("step", to_string=True)  # gdb shows each step all the same
        gdb.write(f"{'  ' * hop.depth}kernel of {hop.where()}\n")
        gdb.execute("frame")


class Trace:
    """The watcher of gb-trace."""

    held_back = None  # lines, while a command that continues has its output kept

    def __call__(self, hop):
        if Trace.held_back is None:
            gdb.write(hop.line() + "\n")
        else:
            Trace.held_back.append(hop.line())
        return False


class GbTrace(Command):
    """gb-trace [on|off]: print every hop of the dispatcher, indented by depth, without stopping. Without a word: on."""

    trace = Trace()

    word, kind = "gb-trace", gdb.COMMAND_RUNNING

    def run(self, argument):
        word = argument or "on"
        if word not in ("on", "off"):
            raise gdb.GdbError(f"gb-trace: on or off, not \"{word}\"")
        TraceFlag.set(word == "on")
        watchers = Hook.the().watchers
        if GbTrace.trace in watchers:
            watchers.remove(GbTrace.trace)
        if word == "on":
            watchers.append(GbTrace.trace)


for command in (GbStep, GbNext, GbFinish, GbKernel, GbTrace):
    command()
