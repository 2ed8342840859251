"""gdb commands and printers for glassbox. In gdb: `source tools/gdb/glassbox.py`, then

  gb-step  gb-next  gb-finish   the next hop of the dispatcher; the next one outside of this; until this has returned
  gb-kernel                     the first line of the kernel that this hop has chosen
  gb-trace on|off               every hop, indented by depth, without stopping
  gb-break OP [KEY]             stop at hops by operator and key
  gb-why OP ARGS...             which kernel a call would run here, and why
  gb-table [OP]                 the dispatch table, the row of this hop marked
  gb-tape T    gb-saved NODE    the backward graph, and what a node saved
  gb-queue                      the nodes that the engine runs next
  gb-version T                  stop when T is written in place, and say by whom
  gb-threads   gb-thread N      the CUDA threads of a kernel on the host by where they wait; the frames of one
  bt                            one line per kernel, with its keys; bt -no-filters has every frame
  print x                       a Tensor by shape, dtype, keys, version and first values; DispatchKeySet, DispatchKey

`help gb-step` and so on say more. Reads memory only, and writes one thing: gb_trace_flag. See README.md.
"""

import os
import sys

import gdb
import gdb.printing

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import glassbox_break  # noqa: E402, F401
import glassbox_explain  # noqa: E402, F401
import glassbox_frames  # noqa: E402, F401
import glassbox_keys as keys  # noqa: E402
import glassbox_memory as memory  # noqa: E402
import glassbox_queue  # noqa: E402, F401
import glassbox_simt  # noqa: E402, F401
import glassbox_step  # noqa: E402, F401
import glassbox_tape  # noqa: E402, F401
import glassbox_tensor as tensor  # noqa: E402
import glassbox_version  # noqa: E402, F401


class TextPrinter:
    def __init__(self, text, value):
        self.text, self.value = text, value

    def to_string(self):
        try:
            return self.text(self.value)
        except (gdb.error, gdb.MemoryError, KeyError) as e:
            return f"<not readable: {e}>"


def build_printers():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("glassbox")
    texts = {"Tensor": tensor.tensor_text, "DispatchKeySet": keys.key_set_text, "DispatchKey": keys.key_text}
    for name, text in texts.items():
        printers.add_printer(name, f"^gb::{name}$", lambda value, text=text: TextPrinter(text, value))
    return printers


def forget_program(event):
    """Another program was loaded: its enums may differ."""
    memory.forget_types()
    keys.Keys.forget()


gdb.events.new_objfile.connect(forget_program)
gdb.printing.register_pretty_printer(None, build_printers(), replace=True)
