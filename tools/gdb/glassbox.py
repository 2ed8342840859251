"""gdb commands and printers for glassbox. In gdb: `source tools/gdb/glassbox.py`, then

  gb-step          run to the next hop of the dispatcher: print it, and stand in the function that made the call
  gb-trace on      print every hop from now on, indented by depth, without stopping;  gb-trace off
  bt               leaves out the dispatcher's own frames, inlined or not; bt -no-filters has them all
  print x          a Tensor by shape, dtype, keys, version and first values; DispatchKeySet and DispatchKey by name

Reads memory only, and writes one thing: gb_trace_flag, the count of those who want to see hops. See README.md.
"""

import os
import struct
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import glassbox_memory as memory  # noqa: E402

HOOK = "gb_on_dispatch"
# Functions between the hook and the one that made the call.
PLUMBING = (HOOK, "::Hop::Hop", "TypedOperatorHandle<", "OperatorHandle::", "gb::KernelFunction::", "run_boxed",
            "gb::Dispatcher::")


class TextPrinter:
    def __init__(self, text):
        self.text = text

    def to_string(self):
        try:
            return self.text()
        except (gdb.error, gdb.MemoryError, KeyError) as e:
            return f"<not readable: {e}>"


def build_printers():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("glassbox")
    printers.add_printer("Tensor", "^gb::Tensor$", lambda v: TextPrinter(lambda: memory.tensor_text(v)))
    printers.add_printer("DispatchKeySet", "^gb::DispatchKeySet$", lambda v: TextPrinter(lambda: memory.key_set_text(v)))
    printers.add_printer("DispatchKey", "^gb::DispatchKey$", lambda v: TextPrinter(lambda: memory.key_text(v)))
    return printers


class TraceFlag:
    """Counts gdb in or out of gb_trace_flag of the running process; never twice."""

    counted_in = set()  # process ids

    @classmethod
    def set(cls, on):
        pid = gdb.selected_inferior().pid
        if pid == 0:
            raise gdb.GdbError("the program is not running yet: `start` first (gb_trace_flag is written in its memory)")
        if on == (pid in cls.counted_in):
            return
        try:
            address = int(gdb.parse_and_eval("(long)&gb_trace_flag"))
        except gdb.error as e:
            raise gdb.GdbError(f"this program has no gb_trace_flag, so it has no glassbox dispatcher in it: {e}")
        inferior = gdb.selected_inferior()
        value = struct.unpack("<i", bytes(inferior.read_memory(address, 4)))[0]
        try:
            inferior.write_memory(address, struct.pack("<i", max(value + (1 if on else -1), 0)))
        except gdb.MemoryError:
            raise gdb.GdbError("gb_trace_flag cannot be written: this is no live process (in a core file only printing works)")
        (cls.counted_in.add if on else cls.counted_in.discard)(pid)


# Where the first argument of a function is at its very first instruction.
FIRST_ARGUMENT = {"i386:x86-64": "rdi", "aarch64": "x0"}


def current_event():
    """The hop that the hook was called with. The breakpoint is on the first instruction and the register is read: where gdb
    thinks the prologue ends differs with the build (a -O0 file with location lists counts as optimised for it)."""
    frame = gdb.newest_frame()
    register = FIRST_ARGUMENT.get(frame.architecture().name())
    if register is None:
        raise gdb.GdbError(f"no calling convention is known for {frame.architecture().name()}")
    return frame.read_register(register).cast(gdb.lookup_type("gb::trace::Event").pointer()).dereference()


def is_plumbing(name):
    return any(part in (name or "") for part in PLUMBING)


class FoldDispatch:
    """The frame filter: from an operator's call to its kernel without the templates that lie between."""

    def __init__(self):
        self.name, self.priority, self.enabled = "glassbox-dispatch", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (f for f in frames if not is_plumbing(f.inferior_frame().name()))


def select_caller():
    """Selects the innermost frame that is not the dispatcher's own."""
    frame = gdb.newest_frame()
    while frame.older() is not None and is_plumbing(frame.name()):
        frame = frame.older()
    frame.select()
    gdb.execute("frame")


class StepBreakpoint(gdb.Breakpoint):
    def __init__(self):
        super().__init__("*" + HOOK, internal=True)
        self.silent = True
        self.line = None

    def stop(self):
        self.line = memory.hop_line(current_event())
        return True


class TraceBreakpoint(gdb.Breakpoint):
    def __init__(self):
        super().__init__("*" + HOOK, internal=True)
        self.silent = True

    def stop(self):
        gdb.write(memory.hop_line(current_event()) + "\n")
        return False


class GbStep(gdb.Command):
    """gb-step: run to the next hop of the dispatcher, print it, and select the frame that made the call.

Where the program stops for another reason first, gdb says so, as always. After it the flag stays on, so that the depth
of later hops is right; `gb-trace off` takes it off."""

    def __init__(self):
        super().__init__("gb-step", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        if argument.strip():
            raise gdb.GdbError("gb-step takes no argument")
        TraceFlag.set(True)
        breakpoint_ = StepBreakpoint()
        try:
            said = gdb.execute("continue", to_string=True)
            line = breakpoint_.line
        finally:
            if breakpoint_.is_valid():
                breakpoint_.delete()
        if gdb.selected_inferior().pid == 0:
            gdb.write(f"{said}gb-step: the program ended, no further hop\n")
        elif line is None:
            gdb.write(said)
        else:
            gdb.write(line + "\n")
            select_caller()


class GbTrace(gdb.Command):
    """gb-trace [on|off]: print every hop of the dispatcher, indented by depth, without stopping. Without a word: on."""

    printing = None

    def __init__(self):
        super().__init__("gb-trace", gdb.COMMAND_RUNNING)

    def invoke(self, argument, from_tty):
        word = argument.strip() or "on"
        if word not in ("on", "off"):
            raise gdb.GdbError(f"gb-trace: on or off, not \"{word}\"")
        TraceFlag.set(word == "on")
        if GbTrace.printing is not None and GbTrace.printing.is_valid():
            GbTrace.printing.delete()
        GbTrace.printing = TraceBreakpoint() if word == "on" else None


gdb.printing.register_pretty_printer(None, build_printers(), replace=True)
FoldDispatch()
GbStep()
GbTrace()
