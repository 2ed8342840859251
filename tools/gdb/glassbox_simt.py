"""gb-threads and gb-thread: the CUDA threads of a kernel on the host runner (kernels/cuda/simt).

Each is a fibre: a stack, and where it waits the registers to go on with. Both lie in gb::simt::g_block. To gdb they are
one thread, whose stack is the running fibre's; threadIdx too is the running one's. gb-thread N shows another by an *unwinder*: gdb asks it who called the
newest frame, and it answers with the registers that fibre N has saved. So frame 0 stays the running thread's, and
everything from frame 1 on is fibre N's: bt, up, info locals and print work there. (x86-64 only.)
"""

import re
from types import SimpleNamespace

import gdb
from gdb.unwinder import Unwinder

from glassbox_command import Command
from glassbox_memory import enum_names, pointer_in, vector_elements

READY, RUNNING, AT_BARRIER, AT_WARP_OPERATION = ("Ready", "Running", "AtBarrier", "AtWarpOperation")
AT_CONDITION, DONE = ("AtCondition", "Done")
KEPT = ("rbp", "rbx", "r12", "r13", "r14", "r15")
RUNNER = ("gb_simt_", "gb::simt::", "__syncthreads", "__syncwarp", "__shfl", "__ballot", "__any", "__all", "__reduce")


def word_at(address):
    return int(gdb.Value(int(address)).cast(gdb.lookup_type("unsigned long").pointer()).dereference())


class CudaThread:
    def __init__(self, number, record, start):
        self.number, self.record, self.start = number, record, start
        self.state = enum_names("gb::simt::ThreadState")[int(record["state"])]

    def index(self):
        return "({},{},{})".format(*(int(self.record["index"][axis]) for axis in "xyz"))

    def registers(self):
        return self.record["fiber"]["context_"]["registers"]

    def started(self):
        return self.state in (RUNNING, DONE) or word_at(self.registers()["rsp"]) != self.start

    def place(self):
        site = self.record["site"]
        return f"{site['file'].string().rsplit('/', 1)[-1]}:{int(site['line'])}"

    def waits(self):
        """What it does now, in a few words; threads with the same words are one group."""
        if self.state == RUNNING:
            return "runs"
        if self.state == DONE:
            return "returned"
        if not self.started():
            return "not started"
        if self.state == READY:
            return f"may go on {self.place()}"
        if self.state == AT_BARRIER:
            return f"barrier {self.place()}"
        if self.state == AT_CONDITION:
            return f"condition {self.place()}"  # of kernels/cuda/instructions: an mbarrier, a product
        request = self.record["request"]
        return f"warp {self.place()} {request['name'].string()} mask {int(request['mask']):#010x}"


def block():
    try:
        return gdb.parse_and_eval("gb::simt::g_block")
    except gdb.error:
        raise gdb.GdbError("no kernel runs on the host here: the program has no SIMT runner")


def threads():
    records = vector_elements(block()["threads"])[: int(block()["size"])]
    start = int(gdb.parse_and_eval("(long)&gb_simt_start"))  # where a fibre begins
    found = [CudaThread(n, pointer_in(record).dereference(), start) for n, record in enumerate(records)]
    if all(t.state == DONE for t in found):
        raise gdb.GdbError("no kernel runs on the host now")
    return found


def ranges(numbers):
    """0-31,63 of sorted numbers."""
    parts = []
    for n in numbers:
        if parts and parts[-1][1] == n - 1:
            parts[-1][1] = n
        else:
            parts.append([n, n])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


class FiberUnwinder(Unwinder):
    """Puts the frames of the chosen fibre under the newest frame of the thread that runs."""

    def __init__(self):
        super().__init__("glassbox-simt")
        self.chosen = self.newest = None
        gdb.unwinder.register_unwinder(None, self, replace=True)

    def choose(self, thread):
        self.forget()
        frame = gdb.newest_frame()
        stack, code = re.search(r"stack=(0x[0-9a-f]+),code=(0x[0-9a-f]+)", str(frame)).groups()
        self.newest = (int(frame.read_register("rsp")), gdb.Value(int(stack, 16)), gdb.Value(int(code, 16)))
        self.chosen = thread
        gdb.invalidate_cached_frames()

    def forget(self, event=None):
        if self.chosen is not None:
            self.chosen = None
            gdb.invalidate_cached_frames()

    def __call__(self, pending):
        if self.chosen is None or int(pending.read_register("rsp")) != self.newest[0]:
            return None

        # A switch is a call: at rsp lies where it returns to, in the fibre's own code.
        saved, rsp = self.chosen.registers(), int(self.chosen.registers()["rsp"])
        values = {name: int(saved[name]) for name in KEPT}
        values.update(rip=word_at(rsp), rsp=rsp + 8)
        # The name that the frame has without us, so that gdb still knows it when it steps.
        unwound = pending.create_unwind_info(SimpleNamespace(sp=self.newest[1], pc=self.newest[2]))
        for name, value in values.items():
            unwound.add_saved_register(name, gdb.Value(value).cast(pending.read_register(name).type))
        return unwound


UNWINDER = FiberUnwinder()
gdb.events.cont.connect(UNWINDER.forget)


def select_kernel_frame():
    """The innermost frame of the chosen fibre that is not the runner's."""
    frame = gdb.newest_frame().older()
    while frame.older() is not None and (frame.name() or "").startswith(RUNNER):
        frame = frame.older()
    frame.select()
    gdb.execute("frame")


class Threads(Command):
    """The CUDA threads of the block that runs on the host, grouped by where they wait."""

    word, kind = "gb-threads", gdb.COMMAND_RUNNING

    def run(self, argument):
        self.takes_no(argument)
        groups = {}
        for thread in threads():
            groups.setdefault(thread.waits(), []).append(thread.number)
        info, index = block()["kernel"], block()["index"]
        name = info["name"].string().strip("()")
        print(f"kernel {name}, block ({index['x']},{index['y']},{index['z']}), {int(block()['size'])} threads")
        width = max(map(len, groups))
        for what, numbers in groups.items():
            mark, plural = "*" if what == "runs" else " ", "s" if len(numbers) > 1 else ""
            print(f"{mark} {what:<{width}}  thread{plural} {ranges(numbers)}")


class ThreadCommand(Command):
    """gb-thread N or gb-thread X,Y,Z: frames of that CUDA thread, for bt, up, down, info locals and print.
    Frame 0 stays the running thread's. gb-thread alone, and any command that runs the program, goes back."""

    word, kind = "gb-thread", gdb.COMMAND_RUNNING

    def run(self, argument):
        UNWINDER.forget()
        if not argument:
            gdb.execute("frame 0")
            return
        thread = self.asked(threads(), argument)
        if thread.state == DONE:
            raise gdb.GdbError(f"gb-thread: thread {thread.number} has returned")
        if not thread.started():
            raise gdb.GdbError(f"gb-thread: thread {thread.number} has not started")
        print(f"thread {thread.number}, threadIdx {thread.index()}: {thread.waits()}")
        if thread.state == RUNNING:
            gdb.execute("frame 0")
            return
        UNWINDER.choose(thread)
        select_kernel_frame()

    @staticmethod
    def asked(found, argument):
        if not re.fullmatch(r"\d+|\d+,\d+,\d+", argument.replace(" ", "").strip("()")):
            raise gdb.GdbError(f"gb-thread: which thread is {argument}? gb-thread N, or gb-thread X,Y,Z")
        numbers = [int(word) for word in re.findall(r"\d+", argument)]
        index = f"({','.join(map(str, numbers))})"
        for thread in found:
            if numbers == [thread.number] or thread.index() == index:
                return thread
        raise gdb.GdbError(f"gb-thread: the block has no thread {argument}: see gb-threads")


Threads()
ThreadCommand()
