"""gb-why, gb-table: the derivation of a call's kernel, done here on the program's tables, in the words of the library's
own dispatcher/explain.cc and OperatorEntry::dumpComputedTable (gdb_test.py holds the texts against each other)."""

import gdb

import glassbox_dispatch as dispatch
from glassbox_command import Command
from glassbox_hook import current_hop
from glassbox_keys import Keys
from glassbox_memory import dereferenced, enum_names, type_name, vector_elements
from glassbox_tensor import tensor_impl


def minus_fallthroughs(mask):
    return Keys.get().set_text(Keys.get().all_bits & ~mask)


def why_not(operator, rule, key):
    """Why a rule before the one that decided did not serve `key`."""
    serves = {"kCompositeExplicit": ("CompositeExplicitAutograd", "backends only"),
              "kCompositeImplicit": ("CompositeImplicitAutograd", "backends and autograd only"),
              "kAutogradAlias": ("Autograd", "autograd only")}
    alias, whom = serves.get(rule, (None, None))
    kernel = operator.registered().get(alias)
    if kernel is None:
        return "none is registered"
    if rule == "kCompositeImplicit" and Keys.get().alias_has(alias, key):
        why = "the backend has a kernel of its own, so the call must not decompose"
    else:
        why = f"it serves {whom}"
    return f"there is one ({kernel.place()}), but {why}"


RULES = {"kDirectKernel": "kernel for this key", "kCompositeExplicit": "CompositeExplicitAutograd kernel",
         "kCompositeImplicit": "CompositeImplicitAutograd kernel", "kAutogradAlias": "Autograd alias kernel",
         "kBackendFallback": "backend fallback"}


def rules_up_to(operator, reason, key):
    if reason == "operator removed":
        return []
    lines = []
    for number, rule in sorted(enum_names("gb::impl::SlotReason").items()):
        if rule not in RULES:
            break
        words = f"kernel for {Keys.get().name(key)}" if rule == "kDirectKernel" else RULES[rule]
        decides = RULES[rule] == reason
        lines.append(f"{number + 1}. {words:<33} {'decides' if decides else why_not(operator, rule, key)}")
        if decides:
            break
    return lines


def brought_by(key, arguments, included):
    """Whose key it is."""
    bits = Keys.get().bits(key)
    names = [name for name, keys in arguments if keys & bits == bits]
    if key == 0:
        return "no argument"
    if names:
        return ", ".join(names)
    return "TLS include" if included & bits == bits else "several together"


def explanation(operator, arguments):
    """gb::explain_dispatch(op, arguments).text(), with the key sets of the selected thread.

    arguments: (name, key set) of each."""
    keys = Keys.get()
    included, excluded = dispatch.thread_key_sets()
    wanted = included
    for _, bits in arguments:
        wanted |= bits
    wanted = keys.minus(wanted, excluded)
    mask = operator.mask_for(wanted)
    result = wanted & mask
    key, slot = keys.highest(result), keys.slot(result)
    kernel = operator.kernel(slot)
    reason = kernel.reason()
    text = f"{operator.name}\n"
    for i, (name, bits) in enumerate(arguments):
        text += f"  {'|' if i else ' '} {name:<12} {keys.set_text(bits)}\n"
    if not arguments:
        text += "    no tensors   {}\n"
    whose = f", of {brought_by(key, arguments, included)}" if len(arguments) > 1 else ""
    text += (f"  | TLS include  {keys.set_text(included)}\n"
             f"  - TLS exclude  {keys.set_text(excluded)}\n"
             f"  & mask         all but {minus_fallthroughs(mask)}, which are fallthroughs here\n"
             f"  = key set      {keys.set_text(result)}\n"
             f"  key            {keys.name(key)}, the highest{whose}; slot {slot}\n")
    for i, rule in enumerate(rules_up_to(operator, reason, key)):
        text += f"  {'' if i else 'rules':<13}  {rule}\n"
    state = "none: the call throws" if reason in ("missing", "operator removed") else kernel.state()
    return text + f"  reason         {reason}\n  kernel         {state}, {kernel.place()}\n"


def keys_of(value):
    """The key set of one argument; 0 for what is no tensor and holds none."""
    value = dereferenced(value)
    name = type_name(value)
    if name == "gb::Tensor":
        return int(tensor_impl(value)["key_set_"]["repr_"])
    if name == "gb::DispatchKeySet":
        return int(value["repr_"])
    if name.startswith("std::optional<gb::Tensor"):
        payload = value["_M_payload"]
        return keys_of(payload["_M_payload"]["_M_value"]) if bool(payload["_M_engaged"]) else 0
    if name.startswith("std::vector<gb::Tensor"):
        elements = vector_elements(value)
    elif name.startswith("gb::ArrayRef<gb::Tensor"):
        first = value["data_"]
        elements = [(first + i).dereference() for i in range(int(value["size_"]))]
    else:
        elements = []
    bits = 0
    for element in elements:
        bits |= keys_of(element)
    return bits


class GbWhy(Command):
    """gb-why OP ARGS...: which kernel a call of OP with these arguments would run here and now, and why.

OP is aten::softmax.int, or as much of it as is unique: softmax. ARGS are expressions of the selected frame; those that
are no tensors may be left out. A DispatchKeySet counts as an argument with these keys. Quote what has spaces."""

    word, kind = "gb-why", gdb.COMMAND_DATA

    def run(self, argument):
        words = gdb.string_to_argv(argument)
        if not words:
            raise gdb.GdbError("gb-why: which operator? gb-why OP ARGS...")
        operator = dispatch.find_operator(words[0])
        arguments = [(word, keys_of(gdb.parse_and_eval(word))) for word in words[1:]]
        gdb.write(explanation(operator, [(name, bits) for name, bits in arguments if bits]))


def table_lines(operator):
    """(runtime key, line) of every slot that has a kernel, as OperatorEntry::dumpComputedTable has them."""
    for key, slot in Keys.get().slots.items():
        kernel = operator.kernel(slot)
        if kernel.reason() != "missing":
            yield key, f"{Keys.get().name(key):<21} {kernel.reason():<34} {kernel.state():<11} {kernel.place()}"


class GbTable(Command):
    """gb-table [OP]: the dispatch table of OP, one line per slot that has a kernel; without OP that of the current hop.

Where the program is in a hop of OP, an arrow marks the row that serves it."""

    word, kind = "gb-table", gdb.COMMAND_DATA

    def run(self, argument):
        hop = current_hop()
        if not argument and hop is None:
            raise gdb.GdbError("gb-table: which operator? The program is in no hop that gdb has seen")
        operator = dispatch.find_operator(argument) if argument else hop.operator
        current = hop.key if hop is not None and hop.operator == operator else None
        gdb.write(f"{operator.name}\n")
        for key, line in table_lines(operator):
            gdb.write(f"{'->' if key == current else '  '} {line}\n")


GbWhy()
GbTable()
