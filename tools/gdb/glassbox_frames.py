"""The frame filter: one line per hop, the kernel with the keys it was reached by, without what lies between.

  #0  demo::scale @ AutogradCPU -> CPU: scale_cpu (x=..., by=2) at tools/demo_ops.cc:35
  #4  demo::scale @ AutogradCPU: scale_autograd (ks={CPU, AutogradCPU}, ...) at tools/demo_ops.cc:42

`bt -no-filters` has every frame. Which function is whose kernel is read from the dispatch tables, not from the frames,
so that it works in optimised code too, and for hops before tracing was on.
"""

import gdb
from gdb.FrameDecorator import FrameDecorator

from glassbox_dispatch import operators
from glassbox_keys import ALIASES, Keys
from glassbox_memory import pointed_at, short_name, type_name

# Parts of the names of the dispatcher's own functions.
PLUMBING = ("gb_on_dispatch", "::Hop::Hop", "TypedOperatorHandle<", "SelectedKernel<", "OperatorHandle::",
            "gb::KernelFunction::", "run_boxed", "gb::Dispatcher::", "gb::detail::call_through_box",
            "gb::autograd::record", "gb::autograd::run_under", "gb::autograd::bump_version_after")


def is_plumbing(name):
    # _FUN is what the compiler puts around a lambda that is used as a function.
    return name == "_FUN" or any(part in (name or "") for part in PLUMBING)


def is_lambda(name):
    """The body that a kernel hands to record(): part of the kernel, but its own function."""
    return "operator()" in (name or "")


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
                        if kernel.unboxed():
                            cls._cached.setdefault(kernel.unboxed(), []).append((operator.name, kernel.key()))
            except (gdb.error, gdb.GdbError):
                pass  # nothing registered that can be read: no labels
        return cls._cached

    @classmethod
    def forget(cls, event):
        cls._cached = None


def variable(frame, name):
    """A local variable or argument by name, or None where there is none that gdb can read."""
    try:
        value = frame.read_var(name)
    except (ValueError, RuntimeError):  # no such name; no debug information
        return None
    return None if value.is_optimized_out else value


def key_of(word):
    return Keys.get().name(Keys.get().highest(int(word)))


def key_received(frame):
    """The runtime key that a kernel was called for: by its own key set, else by what the dispatcher's frames around it,
    or the function that made the call, have selected."""
    own = variable(frame, "ks")
    if own is not None and type_name(own) == "gb::DispatchKeySet":
        return key_of(own["repr_"])
    outer = frame.older()
    while outer is not None:
        for name in ("gb_selected", "selected", "this"):
            selected = variable(outer, name)
            if selected is not None and "SelectedKernel<" in type_name(pointed_at(selected)):
                keys = pointed_at(selected)["keys_"]
                return None if keys.is_optimized_out else key_of(keys)
        if not is_plumbing(outer.name()):
            return None
        outer = outer.older()
    return None


def label(frame):
    """(operator, key) of the hop that a frame is the kernel of, or None."""
    if frame.type() == gdb.INLINE_FRAME or frame.function() is None:
        return None
    found = KernelMap.get().get(int(frame.function().value().address), [])
    if len({operator for operator, _ in found}) != 1:
        return None  # no kernel, or one that serves several operators: the frame does not say which
    keys = [key for _, key in found]
    several = len(keys) > 1 or keys[0] in ALIASES
    return found[0][0], (key_received(frame) if several else None) or "/".join(keys)


class NamedFrame(FrameDecorator):
    """A frame by its name, as without a filter; a kernel's with the hop in front."""

    def __init__(self, base, hop=None):
        super().__init__(base)
        self.hop = hop

    def function(self):
        name = self.inferior_frame().name()
        return f"{self.hop}: {short_name(name)}" if self.hop and name else name


class FoldDispatch:
    def __init__(self):
        self.name, self.priority, self.enabled = "glassbox-dispatch", 100, True
        gdb.frame_filters[self.name] = self

    def filter(self, frames):
        return (self.decorated(f) for f in frames if not is_plumbing(f.inferior_frame().name()))

    @staticmethod
    def decorated(base):
        frame = base.inferior_frame()
        found = label(frame)
        if found is None:
            return NamedFrame(base)
        operator, key = found
        keys, outer = [key], frame.older()
        while outer is not None:  # outwards, while it is the same call
            if not is_plumbing(outer.name()) and not is_lambda(outer.name()):
                found = label(outer)
                if found is None or found[0] != operator:
                    break
                keys.insert(0, found[1])
            outer = outer.older()
        return NamedFrame(base, f"{operator} @ {' -> '.join(keys)}")


gdb.events.cont.connect(KernelMap.forget)
FoldDispatch()
