"""The hook: gb_on_dispatch, which the program calls at every hop while gb_trace_flag is not 0.

One breakpoint of gdb's own stands on it. It keeps the hops that each thread is in, and asks the `watchers` (gb-step,
gb-trace, gb-break, ...) about each new one. The flag is the one thing that this folder writes into a program.
"""

import struct

import gdb

import glassbox_dispatch as dispatch

HOOK = "gb_on_dispatch"
FLAG = "gb_trace_flag"

# Where the first argument of a function is at its very first instruction.
FIRST_ARGUMENT = {"i386:x86-64": "rdi", "aarch64": "x0"}


class TraceFlag:
    """Counts gdb in or out of gb_trace_flag of the running process; never twice."""

    counted_in = set()  # process ids

    @classmethod
    def set(cls, on):
        pid = gdb.selected_inferior().pid
        if pid == 0:
            raise gdb.GdbError(f"the program is not running yet: `start` first ({FLAG} is written in its memory)")
        if on == (pid in cls.counted_in):
            return
        try:
            address = int(gdb.parse_and_eval(f"(long)&{FLAG}"))
        except gdb.error as e:
            raise gdb.GdbError(f"this program has no {FLAG}, so it has no glassbox dispatcher in it: {e}")
        inferior = gdb.selected_inferior()
        value = struct.unpack("<i", bytes(inferior.read_memory(address, 4)))[0]
        try:
            inferior.write_memory(address, struct.pack("<i", max(value + (1 if on else -1), 0)))
        except gdb.MemoryError:
            raise gdb.GdbError(f"{FLAG} cannot be written: this is no live process (a core file can only be looked at)")
        (cls.counted_in.add if on else cls.counted_in.discard)(pid)


def event_of_hook():
    """What the hook was called with. The breakpoint is on the first instruction and the register is read: where gdb
    thinks the prologue ends differs with the build (a -O0 file with location lists counts as optimised for it)."""
    frame = gdb.newest_frame()
    register = FIRST_ARGUMENT.get(frame.architecture().name())
    if register is None:
        raise gdb.GdbError(f"no calling convention is known for {frame.architecture().name()}")
    event = frame.read_register(register).cast(gdb.lookup_type("gb::trace::Event").pointer()).dereference()
    return dispatch.Event(event)


class Hop(dispatch.Event):
    """An Event, with the thread it is of and the place where its call returns to."""

    def __init__(self, event):
        self.__dict__.update(event.__dict__)
        self.thread = gdb.selected_thread().ptid
        frame = gdb.newest_frame()
        while frame.older() is not None and (frame.name() or "") == HOOK or "Hop::Hop" in (frame.name() or ""):
            frame = frame.older()
        while frame.type() == gdb.INLINE_FRAME:  # the function that holds the Hop
            frame = frame.older()
        caller = frame.older()
        self.return_pc = caller.pc()
        self.return_sp = int(caller.read_register("sp"))


class Hook(gdb.Breakpoint):
    """The breakpoint; there is at most one, `the()`."""

    instance = None

    @classmethod
    def the(cls):
        if cls.instance is None or not cls.instance.is_valid():
            cls.instance = cls()
        return cls.instance

    def __init__(self):
        super().__init__("*" + HOOK, internal=True)
        self.silent = True
        self.watchers = []  # each is given a Hop, and says whether to stop
        self.active = {}  # thread -> the hops it is in, outermost first
        self.stopped_at = None  # the hop of the last stop in the hook
        self.commanded = False  # does a command run the program now? It tells of the stop itself

    def stop(self):
        hop = Hop(event_of_hook())
        hops = self.active.setdefault(hop.thread, [])
        del hops[hop.depth :]
        hops.append(hop)
        stop = any([watcher(hop) for watcher in self.watchers])  # a list: every watcher sees every hop
        self.stopped_at = hop if stop else None
        return stop

    def hops(self):
        """The hops that the selected thread is in, the innermost last: those whose frames are still on its stack."""
        thread = gdb.selected_thread()
        hops = self.active.get(thread.ptid, []) if thread else []
        return [hop for hop in hops if hop.return_sp > int(gdb.newest_frame().read_register("sp"))]


def start_watching():
    """The hook, with the flag on, so that the program calls it."""
    TraceFlag.set(True)
    return Hook.the()


def current_hop():
    """The innermost hop that the selected thread is in, or None where none was seen."""
    if Hook.instance is None or not Hook.instance.is_valid() or gdb.selected_inferior().pid == 0:
        return None
    hops = Hook.instance.hops()
    return hops[-1] if hops else None


def forget_process(event):
    TraceFlag.counted_in.clear()
    if Hook.instance is not None:
        Hook.instance.active.clear()
        Hook.instance.stopped_at = None


gdb.events.exited.connect(forget_process)
