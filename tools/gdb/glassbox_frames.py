"""The frame filter: one line per hop, the kernel with the keys it was reached by, without what lies between.

  #0  demo::scale @ AutogradCPU -> CPU: scale_cpu (x=..., by=2) at tools/demo_ops.cc:35
  #4  demo::scale @ AutogradCPU: scale_autograd (ks={CPU, AutogradCPU}, ...) at tools/demo_ops.cc:42

`bt -no-filters` has every frame. Which function is whose kernel is read from the dispatch tables, not from the frames, so
that it works in optimised code too, and for hops before tracing was on.
"""

import gdb
from gdb.FrameDecorator import FrameDecorator

from glassbox_dispatch import operators
from glassbox_keys import Keys
from glassbox_memory import short_name

# Parts of the names of the dispatcher's own functions.
PLUMBING = ("gb_on_dispatch", "::Hop::Hop", "TypedOperatorHandle<", "OperatorHandle::", "gb::KernelFunction::", "run_boxed",
            "gb::Dispatcher::")


def is_plumbing(name):
    return any(part in (name or "") for part in PLUMBING)


def select_caller():
    """Selects the innermost frame that is not the dispatcher's own."""
    frame = gdb.newest_frame()
    while frame.older() is not None and is_plumbing(frame.name()):
        frame = frame.older()
    frame.select()
    gdb.execute("frame")


class KernelMap:
    """Address of a function -> [(operator, key it is registered for)]. Read anew after the program ran."""

    _cached = None

    @classmethod
    def get(cls):
        if cls._cached is None:
            cls._cached = {}
            try:
                for operator in operators():
                    for kernel in operator.kernels():
                        if not kernel.is_boxed_only():
                            cls._cached.setdefault(kernel.entry_point(), []).append((operator.name, kernel.key()))
            except (gdb.error, gdb.GdbError):
                pass  # nothing registered that can be read: no labels
        return cls._cached

    @classmethod
    def forget(cls, event):
        cls._cached = None


def key_received(frame):
    """The runtime key by the kernel's own argument, where it takes its key set and gdb can read it."""
    try:
        for symbol in frame.function().symtab and frame.block():
            if symbol.is_argument and str(symbol.type) == "gb::DispatchKeySet":
                value = frame.read_var(symbol)
                return None if value.is_optimized_out else Keys.get().name(Keys.get().highest(int(value["repr_"])))
    except (gdb.error, RuntimeError, AttributeError):
        return None
    return None


def label(frame):
    """(operator, key) of the hop that a frame is the kernel of, or None."""
    if frame.type() == gdb.INLINE_FRAME or frame.function() is None:
        return None
    found = KernelMap.get().get(int(frame.function().value().address), [])
    if len({operator for operator, _ in found}) != 1:
        return None  # no kernel, or one that serves several operators: the frame does not say which
    keys = [key for _, key in found]
    return found[0][0], (key_received(frame) if "Autograd" in keys else None) or "/".join(keys)


class KernelFrame(FrameDecorator):
    """A kernel's frame, its function with the hop in front."""

    def __init__(self, base, operator, keys):
        super().__init__(base)
        self.hop = f"{operator} @ {' -> '.join(keys)}"

    def function(self):
        name = super().function()
        return f"{self.hop}: {short_name(name.split('(gb::')[0]) if isinstance(name, str) else name}"


class FoldDispatch:
    def __init__(self):
        self.name, self.priority, self.enabled = "glassbox-dispatch", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        waiting = []  # inner kernels of one operator, until the key it came from is known
        for frame in frames:
            if is_plumbing(frame.inferior_frame().name()):
                continue
            yield self.decorated(frame)

    @staticmethod
    def decorated(frame):
        found = label(frame.inferior_frame())
        if found is None:
            return frame
        operator, key = found
        keys, outer = [key], frame.inferior_frame().older()
        while outer is not None and (is_plumbing(outer.name()) or (label(outer) or ("",))[0] == operator):
            if not is_plumbing(outer.name()):
                keys.insert(0, label(outer)[1])
            outer = outer.older()
        return KernelFrame(frame, operator, keys)


gdb.events.cont.connect(KernelMap.forget)
FoldDispatch()
