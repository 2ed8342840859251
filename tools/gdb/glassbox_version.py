"""gb-version: who writes a tensor in place? A watchpoint on the number that every such write counts up."""

import gdb

from glassbox_command import Command
from glassbox_frames import is_plumbing, label
from glassbox_memory import dereferenced, type_name
from glassbox_tensor import shared_counter, tensor_impl, version_in, version_word

# Parts of the names of functions that count up for others.
COUNTING = ("std::", "gb::VariableVersion::", "TensorImpl::bump_version", "increment_version", "bump_version_after")


class VersionWatch(gdb.Breakpoint):
    """On the version of one tensor (and of its views and detached copies, which share it): on the shared counter, or
    on the tensor's own word until somebody asks for a share."""

    all = []
    written = None  # (watch, old, new) of the last stop; new is None where the number was moved to a shared counter

    def __init__(self, name, word):
        self.word = word
        self.counter = shared_counter(int(word.dereference()))
        watched, kind = (self.counter, "unsigned int") if self.counter is not None else (word, "unsigned long")
        # The lower half of a counter's value is the version (x86-64 and arm64 are little-endian).
        super().__init__(f"*({kind}*){int(watched):#x}", type=gdb.BP_WATCHPOINT, wp_class=gdb.WP_WRITE, internal=True)
        self.silent = True
        self.tensor = name
        self.seen = self.number()
        VersionWatch.all.append(self)

    def number(self):
        """The version now, read anew: a Value at hand keeps what it read before. None: it is elsewhere by now."""
        if self.counter is not None:
            return version_in(int(gdb.Value(int(self.counter)).cast(self.counter.type).dereference()))
        word = int(gdb.Value(int(self.word)).cast(self.word.type).dereference())
        return version_in(word >> 1) if word & 1 else None

    def stop(self):
        now = self.number()
        VersionWatch.written = (self, self.seen, now)
        self.seen = now
        return True


def innermost_kernel(frame):
    """The operator and key of the kernel that a frame is in; read from the stack, so that no hop need be traced."""
    while frame is not None:
        found = label(frame)
        if found is not None:
            return f"by {found[0]} @ {found[1]}"
        frame = frame.older()
    return "outside of any kernel"


def tell_of_write(event):
    """After a stop of a watchpoint: the operator, and the frame that had the number counted up."""
    if VersionWatch.written is None:
        return
    (watch, old, new), VersionWatch.written = VersionWatch.written, None
    frame = gdb.newest_frame()
    if new is None:
        gdb.write(f"version of {watch.tensor}: {old}, and shared from now on (a view, or a saved tensor)\n")
        VersionWatch.all.remove(watch)
        watch.delete()
        VersionWatch(watch.tensor, watch.word)
    else:
        gdb.write(f"version of {watch.tensor}: {old} -> {new}, {innermost_kernel(frame)}\n")
    while frame.older() is not None and (is_plumbing(frame.name()) or any(p in (frame.name() or "") for p in COUNTING)):
        frame = frame.older()
    frame.select()
    gdb.execute("frame")


def delete_all():
    for watch in VersionWatch.all:
        if watch.is_valid():
            watch.delete()
    VersionWatch.all.clear()


class GbVersion(Command):
    """gb-version T: stop whenever the tensor T, or a view of it, is written in place, and say by which operator.

The number lies in memory that the tensor's last owner frees: `gb-version off` before that. A hardware watchpoint costs
nothing; where the machine has none, gdb steps through every instruction, and says so here."""

    word, kind = "gb-version", gdb.COMMAND_BREAKPOINTS

    def run(self, argument):
        name = argument
        if name == "off":
            delete_all()
            return
        if not name:
            raise gdb.GdbError("gb-version: of which tensor? gb-version T, or gb-version off")
        tensor = dereferenced(gdb.parse_and_eval(name))
        if type_name(tensor) != "gb::Tensor":
            raise gdb.GdbError(f"gb-version: {name} is no tensor but {tensor.type}")
        word = version_word(tensor_impl(tensor))
        if int(word.dereference()) == 0:
            raise gdb.GdbError(f"gb-version: {name} has no version counter (undefined, or made in inference mode)")
        connection = gdb.selected_inferior().connection
        if connection is None or connection.type == "core":
            raise gdb.GdbError("gb-version: this is no live process: nothing will be written")
        watch = VersionWatch(name, word)
        gdb.write(f"gb-version: {name} has version {watch.seen}; stops at the next write in place\n")
        if watch.type != gdb.BP_HARDWARE_WATCHPOINT:
            gdb.write("gb-version: no hardware watchpoint here: every instruction is stepped, which is slow\n")


def forget_process(event):
    delete_all()


gdb.events.stop.connect(tell_of_write)
gdb.events.exited.connect(forget_process)
GbVersion()
